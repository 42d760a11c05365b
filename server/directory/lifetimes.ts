/**
 * How long tokens and codes last: what the instance's managers have set while the service runs, else what the
 * environment says. Every process hears of a change at once (cache.ts). The maximum of the environment stays the
 * operator's: no setting exceeds it, and apps choose within it, whatever the instance's own lifetimes are.
 */
import { type Lifetimes, MAX_OTP_LIFETIME } from "../config-lifetimes";
import type { Context } from "../context";
import type { Transaction } from "../storage/database";
import { readCodeLifetimes } from "../storage/instance";
import { findInstance } from "./instance";

/** The lifetimes of tokens that can be set at run time. */
export const TOKEN_LIFETIMES = ["accessToken", "idToken", "refreshTokenIdle", "refreshToken"] as const;
export type TokenLifetime = (typeof TOKEN_LIFETIMES)[number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The codes whose lifetime can be set at run time, milliseconds: how long they last otherwise, and within which bounds.
 * `usual` is undefined where the environment says it. The bounds keep a typo from locking everybody out, or from leaving
 * a code in a mailbox for a year.
 */
export const CODES = {
  /** The link of an invitation or of a new account: long, as people are often invited days before they start. */
  init: { usual: 72 * HOUR, least: 10 * MINUTE, most: 30 * DAY },
  /** That an address is somebody's. */
  verifyEmail: { usual: HOUR, least: MINUTE, most: 7 * DAY },
  /** The link by which somebody adds a passkey. */
  passkey: { usual: HOUR, least: 10 * MINUTE, most: 7 * DAY },
  passwordReset: { usual: undefined, least: MINUTE, most: DAY },
  /** That a phone number is somebody's. */
  verifyPhone: { usual: undefined, least: MINUTE, most: DAY },
  /** The second factor; NIST SP 800-63B §3.1.3.2: at most ten minutes. */
  otpEmail: { usual: undefined, least: MINUTE, most: MAX_OTP_LIFETIME },
  otpSms: { usual: undefined, least: MINUTE, most: MAX_OTP_LIFETIME },
} as const;
export type CodeKind = keyof typeof CODES;

/** Those that the environment sets. */
const CONFIGURED: Partial<Record<CodeKind, "phoneCode" | "otpCode" | "resetCode">> = {
  passwordReset: "resetCode",
  verifyPhone: "phoneCode",
  otpEmail: "otpCode",
  otpSms: "otpCode",
};

/** The service's lifetimes as in force, milliseconds. */
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
    // The environment may have changed since it was set; an idle lifetime beyond the whole one has no meaning.
    refreshTokenIdle: Math.min(set("refreshTokenIdle"), refreshToken),
  };
}

/**
 * How long a new code is valid, milliseconds.
 * @param usual for what the kind is not usually asked for
 */
export async function findCodeLifetime(ctx: Context, kind: CodeKind, usual?: number): Promise<number> {
  return numberIn((await findInstance(ctx)).codeLifetimes, kind) ?? usual ?? usualCodeLifetime(ctx, kind);
}

/** The same for a code that is made within the caller's transaction. */
export async function readCodeLifetime(ctx: Context, tx: Transaction, kind: CodeKind): Promise<number> {
  return numberIn(await readCodeLifetimes(tx), kind) ?? usualCodeLifetime(ctx, kind);
}

const usualCodeLifetime = ({ config }: Context, kind: CodeKind) =>
  CODES[kind].usual ?? config.lifetimes[CONFIGURED[kind] ?? "resetCode"];

function numberIn(stored: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = stored[name];
  return typeof value === "number" && value > 0 ? value : undefined;
}
