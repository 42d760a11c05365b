/**
 * The one error value of the protocol: the answer to a refused request (RFC 6749 §4.1.2.1 and §5.2, OIDC Core §3.1.2.6,
 * RFC 6750 §3.1, RFC 8693 §2.2.2, RFC 8628 §3.5). Rules return it, they never throw it; http turns it into a response.
 * The description is public: it is cleaned to the characters the RFC allows, so nothing a client sent can break out of
 * a header, a redirect or a page, and it never carries a value that could be a secret. The cause is for the log only.
 */
const brand: unique symbol = Symbol("OAuthError");

export type OAuthErrorCode =
  // RFC 6749 §4.1.2.1 and §5.2
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"
  // OIDC Core §3.1.2.6
  | "interaction_required"
  | "login_required"
  | "account_selection_required"
  | "consent_required"
  | "invalid_request_uri"
  | "invalid_request_object"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "registration_not_supported"
  // RFC 6750 §3.1
  | "invalid_token"
  | "insufficient_scope"
  // RFC 7009 §2.2.1, RFC 8693 §2.2.2
  | "unsupported_token_type"
  | "invalid_target"
  // RFC 8628 §3.5
  | "authorization_pending"
  | "slow_down"
  | "expired_token";

export interface OAuthError {
  readonly [brand]: true;
  readonly error: OAuthErrorCode;
  /** Public, printable ASCII without double quote and backslash, at most 200 characters. */
  readonly description: string;
  /** HTTP status where the error is a response of its own; a redirect carries the error without it. */
  readonly status: number;
  /** The Authorization header was tried: the 401 names the scheme in WWW-Authenticate, RFC 6749 §5.2. */
  readonly basicTried?: true;
  /** The request parameter that is wrong, where there is one; used to explain a request. */
  readonly parameter?: string;
  /** For the log, never for the response. */
  readonly cause?: unknown;
}

export interface ErrorOptions {
  cause?: unknown;
}

const maxDescriptionLength = 200;

/** True only for values made by the constructors of this file: parsed JSON or a row can never pass for an error. */
export function isError(value: unknown): value is OAuthError {
  return typeof value === "object" && value !== null && (value as { [brand]?: unknown })[brand] === true;
}

/** Adds to an error which parameter it is about; any other value passes unchanged. */
export function about<Value>(parameter: string, value: Value): Value {
  return isError(value) ? { ...value, parameter } : value;
}

/** RFC 6749 §5.2: error_description is %x20-21 / %x23-5B / %x5D-7E. */
function cleanDescription(text: string): string {
  return text
    .slice(0, maxDescriptionLength)
    .replaceAll('"', "'")
    .replaceAll("\\", "/")
    .replace(/\s/g, " ")
    .replace(/[^\x20-\x7e]/g, "?");
}

function make(error: OAuthErrorCode, status: number, description: string, options?: ErrorOptions): OAuthError {
  const value = { [brand]: true as const, error, description: cleanDescription(description), status };
  return options?.cause === undefined ? value : { ...value, cause: options.cause };
}

export const invalidRequest = (d: string, o?: ErrorOptions) => make("invalid_request", 400, d, o);
export const invalidGrant = (d: string, o?: ErrorOptions) => make("invalid_grant", 400, d, o);
export const unauthorizedClient = (d: string, o?: ErrorOptions) => make("unauthorized_client", 400, d, o);
export const unsupportedGrantType = (d: string, o?: ErrorOptions) => make("unsupported_grant_type", 400, d, o);
export const unsupportedResponseType = (d: string, o?: ErrorOptions) => make("unsupported_response_type", 400, d, o);
export const invalidScope = (d: string, o?: ErrorOptions) => make("invalid_scope", 400, d, o);
export const accessDenied = (d: string, o?: ErrorOptions) => make("access_denied", 400, d, o);
export const loginRequired = (d: string, o?: ErrorOptions) => make("login_required", 400, d, o);
export const interactionRequired = (d: string, o?: ErrorOptions) => make("interaction_required", 400, d, o);
export const requestNotSupported = (d: string, o?: ErrorOptions) => make("request_not_supported", 400, d, o);
export const requestUriNotSupported = (d: string, o?: ErrorOptions) => make("request_uri_not_supported", 400, d, o);
export const registrationNotSupported = (d: string, o?: ErrorOptions) => make("registration_not_supported", 400, d, o);
export const invalidTarget = (d: string, o?: ErrorOptions) => make("invalid_target", 400, d, o);
export const unsupportedTokenType = (d: string, o?: ErrorOptions) => make("unsupported_token_type", 400, d, o);
export const invalidToken = (d: string, o?: ErrorOptions) => make("invalid_token", 401, d, o);
export const insufficientScope = (d: string, o?: ErrorOptions) => make("insufficient_scope", 403, d, o);
export const authorizationPending = (d: string, o?: ErrorOptions) => make("authorization_pending", 400, d, o);
export const slowDown = (d: string, o?: ErrorOptions) => make("slow_down", 400, d, o);
export const expiredToken = (d: string, o?: ErrorOptions) => make("expired_token", 400, d, o);
export const serverError = (d: string, o?: ErrorOptions) => make("server_error", 500, d, o);
export const temporarilyUnavailable = (d: string, o?: ErrorOptions) => make("temporarily_unavailable", 503, d, o);

/** Always 401 (contract §7); `basicTried` when the client used the Authorization header, so that http adds the challenge. */
export function invalidClient(description: string, options?: ErrorOptions & { basicTried?: boolean }): OAuthError {
  const value = make("invalid_client", 401, description, options);
  return options?.basicTried ? { ...value, basicTried: true } : value;
}
