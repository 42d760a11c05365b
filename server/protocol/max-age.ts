/**
 * max_age (OIDC Core §3.1.2.1): how old an authentication may be. Compared in seconds, strictly, against the instant the
 * person last proved who they are; never against the session's start or the token's issue.
 */
import { invalidRequest, type OAuthError } from "./oauth-error";

/** Seconds; undefined if omitted. Ten digits are more than a life, longer or other text is invalid_request. */
export function parseMaxAge(raw: string | undefined): number | undefined | OAuthError {
  if (raw === undefined) return undefined;
  return /^[0-9]{1,10}$/.test(raw) ? Number(raw) : invalidRequest("max_age must be a whole number of seconds");
}

/**
 * Whether an authentication is too old for the request.
 * @param authTime and @param now epoch milliseconds
 * @param maxAge seconds; 0 asks for a new authentication in any case (OIDC Core §3.1.2.1), undefined never does
 */
export function isStale(authTime: number, maxAge: number | undefined, now: number): boolean {
  if (maxAge === undefined) return false;
  return maxAge === 0 || now - authTime > maxAge * 1000;
}
