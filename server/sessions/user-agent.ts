/**
 * Recognizes a browser by an opaque token in a cookie, whose SHA-256 is stored with the sessions. The token is replaced
 * at every authentication, so that one that an attacker planted earlier becomes useless (session fixation; ASVS 7.2.4).
 */
import { digest } from "../crypto/digest";
import { randomSecret } from "../crypto/random";

export interface UserAgent {
  /** The value of the browser's cookie, if it has the form of a token. */
  token: string | undefined;
  /** The IP address of the sign-in, for the user's list of sessions. */
  address: string | undefined;
  /** The User-Agent header. */
  name: string | undefined;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the digest under which the browser's sessions are stored; undefined if it has no token. */
export function userAgentDigest(userAgent: UserAgent): string | undefined {
  return userAgent.token !== undefined && TOKEN.test(userAgent.token) ? digest(userAgent.token) : undefined;
}

export function newUserAgentToken(): string {
  return randomSecret();
}
