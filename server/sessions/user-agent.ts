/**
 * The browser as the service knows it: one opaque token in a cookie, its SHA-256 in the rows of its sessions.
 * The token is replaced at every authentication, so that a token planted before is worth nothing after (session
 * fixation; ASVS 7.2.4).
 */
import { digest } from "../crypto/digest";
import { randomSecret } from "../crypto/random";

export interface UserAgent {
  /** What the browser's cookie said, if it said anything that can be a token. */
  token: string | undefined;
  /** Where a sign-in came from, for the person's list of sessions. */
  address: string | undefined;
  /** The User-Agent header. */
  name: string | undefined;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The digest its sessions are found by, or undefined when the browser has none. */
export function userAgentDigest(userAgent: UserAgent): string | undefined {
  return userAgent.token !== undefined && TOKEN.test(userAgent.token) ? digest(userAgent.token) : undefined;
}

export function newUserAgentToken(): string {
  return randomSecret();
}
