/**
 * The lifetimes of codes, tokens and sessions: defaults, and a check for contradictions. An idle lifetime longer than
 * the absolute one would have no effect, so it is refused as a mistake. Spec: contract, section 2.
 */

/** All in milliseconds. */
export interface Lifetimes {
  code: number;
  accessToken: number;
  idToken: number;
  refreshTokenIdle: number;
  refreshToken: number;
  /** How long a repeated refresh gets the same successor; 0: never. */
  refreshGrace: number;
  sessionIdle: number;
  session: number;
  resetCode: number;
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
  | "RESET_CODE_LIFETIME";

/** The lifetimes that are configured, milliseconds. */
type Given = Partial<Record<Name, number>>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const REFRESH_TOKEN = 90 * DAY;
const SESSION = 30 * DAY;

export function toLifetimes(given: Given): Lifetimes {
  const refreshToken = given.REFRESH_TOKEN_LIFETIME ?? REFRESH_TOKEN;
  const session = given.SESSION_LIFETIME ?? SESSION;
  return {
    code: given.CODE_LIFETIME ?? MINUTE,
    accessToken: given.ACCESS_TOKEN_LIFETIME ?? HOUR,
    idToken: given.ID_TOKEN_LIFETIME ?? HOUR,
    // If only the absolute lifetime is set, the default of the idle lifetime must not exceed it.
    refreshTokenIdle: given.REFRESH_TOKEN_IDLE_LIFETIME ?? Math.min(30 * DAY, refreshToken),
    refreshToken,
    refreshGrace: given.REFRESH_GRACE ?? 10_000,
    sessionIdle: given.SESSION_IDLE_LIFETIME ?? Math.min(24 * HOUR, session),
    session,
    resetCode: given.RESET_CODE_LIFETIME ?? HOUR,
  };
}

/** Idle lifetimes that are longer than the absolute one. */
export function findLongIdle(given: Given): { name: Name; reason: string; example: string }[] {
  const { refreshTokenIdle, refreshToken, sessionIdle, session } = toLifetimes(given);
  const pairs = [
    {
      name: "REFRESH_TOKEN_IDLE_LIFETIME",
      idle: refreshTokenIdle,
      whole: "REFRESH_TOKEN_LIFETIME",
      most: refreshToken,
    },
    { name: "SESSION_IDLE_LIFETIME", idle: sessionIdle, whole: "SESSION_LIFETIME", most: session },
  ] as const;
  return pairs
    .filter(({ idle, most }) => idle > most)
    .map(({ name, whole, most }) => {
      const origin = given[whole] === undefined ? "by default" : "set to";
      const example = `${most / 1000}s`;
      return { name, reason: `must not be longer than ${whole}, which is ${origin} ${example}`, example };
    });
}
