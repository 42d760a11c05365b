/**
 * The max_age parameter (OIDC Core §3.1.2.1): how old an authentication may be. It is measured from the last time the
 * user authenticated, never from the start of the session or the issue of a token.
 */
import { invalidRequest, type OAuthError } from "./oauth-error";

/** Parses seconds; undefined if omitted. Anything except up to ten digits is invalid_request. */
export function parseMaxAge(raw: string | undefined): number | undefined | OAuthError {
  if (raw === undefined) return undefined;
  return /^[0-9]{1,10}$/.test(raw) ? Number(raw) : invalidRequest("max_age must be a whole number of seconds");
}

/**
 * Whether an authentication is too old for the request.
 * @param authTime epoch milliseconds
 * @param maxAge seconds; 0 always requires a new authentication (OIDC Core §3.1.2.1), undefined never does
 * @param now epoch milliseconds
 */
export function isStale(authTime: number, maxAge: number | undefined, now: number): boolean {
  if (maxAge === undefined) return false;
  return maxAge === 0 || now - authTime > maxAge * 1000;
}
