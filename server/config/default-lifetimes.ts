/**
 * The lifetimes of codes, tokens and sessions: defaults, maximums for apps, and a check for contradictions. An idle
 * lifetime longer than the absolute one, or a default longer than the maximum, would have no effect, so it is rejected
 * as a mistake. Rule CONFIG-5.
 */
import type { ClientLifetimes as TokenLifetimes } from "../protocol/token-expiry";

/** Lifetimes in milliseconds. */
export interface Lifetimes {
  code: number;
  accessToken: number;
  idToken: number;
  refreshTokenIdle: number;
  refreshToken: number;
  /** How long a repeated refresh returns the same successor; 0 turns this off. */
  refreshGrace: number;
  sessionIdle: number;
  session: number;
  resetCode: number;
  phoneCode: number;
  /** Codes that are sent as a second factor. */
  otpCode: number;
  /** The maximum that an app may set for its own tokens, regardless of its owner. */
  maximum: TokenLifetimes;
}

type Name =
  | "CODE_LIFETIME"
  | "ACCESS_TOKEN_LIFETIME"
  | "ID_TOKEN_LIFETIME"
  | "REFRESH_TOKEN_IDLE_LIFETIME"
  | "REFRESH_TOKEN_LIFETIME"
  | "REFRESH_GRACE"
  | "SESSION_IDLE_LIFETIME"
  | "SESSION_LIFETIME"
  | "RESET_CODE_LIFETIME"
  | "PHONE_CODE_LIFETIME"
  | "OTP_CODE_LIFETIME"
  | "ACCESS_TOKEN_LIFETIME_MAX"
  | "ID_TOKEN_LIFETIME_MAX"
  | "REFRESH_TOKEN_LIFETIME_MAX"
  | "REFRESH_GRACE_MAX";

/** The configured lifetimes, in milliseconds. */
type Given = Partial<Record<Name, number>>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** NIST SP 800-63B §3.1.3.2: codes that are sent are valid for at most ten minutes. */
export const MAX_OTP_LIFETIME = 10 * MINUTE;

const REFRESH_TOKEN = 90 * DAY;
const SESSION = 30 * DAY;

export function toLifetimes(given: Given): Lifetimes {
  const refreshToken = given.REFRESH_TOKEN_LIFETIME ?? REFRESH_TOKEN;
  const session = given.SESSION_LIFETIME ?? SESSION;
  const accessToken = given.ACCESS_TOKEN_LIFETIME ?? HOUR;
  const idToken = given.ID_TOKEN_LIFETIME ?? HOUR;
  const refreshGrace = given.REFRESH_GRACE ?? 10_000;
  // A raised default also raises the maximum, unless that is set too.
  const maxRefreshLifetime = given.REFRESH_TOKEN_LIFETIME_MAX ?? Math.max(365 * DAY, refreshToken);
  return {
    code: given.CODE_LIFETIME ?? MINUTE,
    accessToken,
    idToken,
    // If only the absolute lifetime is set, the default of the idle lifetime must not exceed it.
    refreshTokenIdle: given.REFRESH_TOKEN_IDLE_LIFETIME ?? Math.min(30 * DAY, refreshToken),
    refreshToken,
    refreshGrace,
    sessionIdle: given.SESSION_IDLE_LIFETIME ?? Math.min(24 * HOUR, session),
    session,
    resetCode: given.RESET_CODE_LIFETIME ?? HOUR,
    phoneCode: given.PHONE_CODE_LIFETIME ?? HOUR,
    otpCode: given.OTP_CODE_LIFETIME ?? 5 * MINUTE,
    maximum: {
      accessToken: given.ACCESS_TOKEN_LIFETIME_MAX ?? Math.max(24 * HOUR, accessToken),
      idToken: given.ID_TOKEN_LIFETIME_MAX ?? Math.max(24 * HOUR, idToken),
      refreshTokenIdle: maxRefreshLifetime,
      refreshToken: maxRefreshLifetime,
      refreshGrace: given.REFRESH_GRACE_MAX ?? Math.max(MINUTE, refreshGrace),
    },
  };
}

/** Idle lifetimes that are longer than the absolute one, and defaults that are longer than the maximum. */
export function findContradictoryLifetimes(given: Given): { name: Name; reason: string; example: string }[] {
  const lifetimes = toLifetimes(given);
  const { maximum } = lifetimes;
  const pairs = [
    ["REFRESH_TOKEN_IDLE_LIFETIME", lifetimes.refreshTokenIdle, "REFRESH_TOKEN_LIFETIME", lifetimes.refreshToken],
    ["SESSION_IDLE_LIFETIME", lifetimes.sessionIdle, "SESSION_LIFETIME", lifetimes.session],
    ["ACCESS_TOKEN_LIFETIME", lifetimes.accessToken, "ACCESS_TOKEN_LIFETIME_MAX", maximum.accessToken],
    ["ID_TOKEN_LIFETIME", lifetimes.idToken, "ID_TOKEN_LIFETIME_MAX", maximum.idToken],
    ["REFRESH_TOKEN_LIFETIME", lifetimes.refreshToken, "REFRESH_TOKEN_LIFETIME_MAX", maximum.refreshToken],
    ["REFRESH_GRACE", lifetimes.refreshGrace, "REFRESH_GRACE_MAX", maximum.refreshGrace],
  ] as const;
  return pairs
    .filter(([, value, , most]) => value > most)
    .map(([name, , whole, most]) => {
      const origin = given[whole] === undefined ? "by default" : "set to";
      const example = `${most / 1000}s`;
      return { name, reason: `must not be longer than ${whole}, which is ${origin} ${example}`, example };
    });
}
