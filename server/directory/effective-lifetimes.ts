/**
 * Lifetimes of tokens and codes: the ones that the instance's managers set at run time, otherwise those of the
 * environment. Every process is notified of a change at once (cache.ts). The maximum in the environment is set by the
 * operator: no setting exceeds it, and apps can choose any value up to it, regardless of the instance's own lifetimes.
 */
import { type Lifetimes, MAX_OTP_LIFETIME } from "../config/default-lifetimes";
import type { Context } from "../context";
import type { TransactionContext } from "../events/record";
import { readCodeLifetimes } from "../storage/instance/instance";
import { findInstance } from "./instance";

/** The lifetimes of tokens that can be set at run time. */
export const TOKEN_LIFETIMES = ["accessToken", "idToken", "refreshTokenIdle", "refreshToken"] as const;
export type TokenLifetime = (typeof TOKEN_LIFETIMES)[number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The codes whose lifetime can be set at run time, with default and bounds in milliseconds. `usual` is undefined if the
 * environment sets it. The bounds keep a typo from locking out all users, or from leaving a code valid in a mailbox for
 * a year.
 */
export const CODES = {
  /** The link of an invitation or of a new account. Long, because people are often invited days before they start. */
  init: { usual: 72 * HOUR, least: 10 * MINUTE, most: 30 * DAY },
  /** Verification of an email address. */
  verifyEmail: { usual: HOUR, least: MINUTE, most: 7 * DAY },
  /** The link for adding a passkey. */
  passkey: { usual: HOUR, least: 10 * MINUTE, most: 7 * DAY },
  passwordReset: { usual: undefined, least: MINUTE, most: DAY },
  /** Verification of a phone number. */
  verifyPhone: { usual: undefined, least: MINUTE, most: DAY },
  /** The second factor; NIST SP 800-63B §3.1.3.2: at most ten minutes. */
  otpEmail: { usual: undefined, least: MINUTE, most: MAX_OTP_LIFETIME },
  otpSms: { usual: undefined, least: MINUTE, most: MAX_OTP_LIFETIME },
} as const;
export type CodeKind = keyof typeof CODES;

/** The code lifetimes that the environment sets. */
const CONFIGURED: Partial<Record<CodeKind, "phoneCode" | "otpCode" | "resetCode">> = {
  passwordReset: "resetCode",
  verifyPhone: "phoneCode",
  otpEmail: "otpCode",
  otpSms: "otpCode",
};

/** Returns the service's effective lifetimes in milliseconds. */
export async function findLifetimes(ctx: Context): Promise<Lifetimes> {
  const { lifetimes } = ctx.config;
  const { tokenLifetimes } = await findInstance(ctx);
  const set = (name: TokenLifetime) =>
    Math.min(numberIn(tokenLifetimes, name) ?? lifetimes[name], lifetimes.maximum[name]);
  const refreshToken = set("refreshToken");
  return {
    ...lifetimes,
    accessToken: set("accessToken"),
    idToken: set("idToken"),
    refreshToken,
    // The environment may have changed since the setting was made, and an idle lifetime must not exceed the total one.
    refreshTokenIdle: Math.min(set("refreshTokenIdle"), refreshToken),
  };
}

/**
 * Returns the lifetime of a new code in milliseconds.
 * @param usual the default for an unusual use of the kind
 */
export async function findCodeLifetime(ctx: Context, kind: CodeKind, usual?: number): Promise<number> {
  return numberIn((await findInstance(ctx)).codeLifetimes, kind) ?? usual ?? usualCodeLifetime(ctx, kind);
}

/** Returns the lifetime of a code that is made within the caller's transaction. */
export async function readCodeLifetime(ctx: TransactionContext, kind: CodeKind): Promise<number> {
  return numberIn(await readCodeLifetimes(ctx.tx), kind) ?? usualCodeLifetime(ctx, kind);
}

const usualCodeLifetime = ({ config }: Context, kind: CodeKind) =>
  CODES[kind].usual ?? config.lifetimes[CONFIGURED[kind] ?? "resetCode"];

function numberIn(stored: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = stored[name];
  return typeof value === "number" && value > 0 ? value : undefined;
}
