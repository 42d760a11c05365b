/**
 * The error value of the protocol: the response to a rejected request (RFC 6749 §4.1.2.1, §5.2, OIDC Core §3.1.2.6, RFC
 * 6750 §3.1, RFC 8693 §2.2.2, RFC 8628 §3.5). Rules return it and never throw it; the HTTP layer turns it into a
 * response. The description is public. It is reduced to the characters that the RFC allows, so client input cannot
 * break out of a header, a redirect or a page, and it never contains a value that could be a secret. The cause is for
 * the log only.
 */
import { RETRY_AFTER } from "./retry-after";

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
  // OpenID Connect Core Error Code unmet_authentication_requirements 1.0
  | "unmet_authentication_requirements"
  // RFC 6750 §3.1
  | "invalid_token"
  | "insufficient_scope"
  // RFC 7009 §2.2.1, RFC 8693 §2.2.2
  | "unsupported_token_type"
  | "invalid_target"
  // RFC 8628 §3.5
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  // RFC 7591 §3.2.2
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unapproved_software_statement"
  // RFC 9449 §5, §8
  | "invalid_dpop_proof"
  | "use_dpop_nonce";

export interface OAuthError {
  readonly [brand]: true;
  readonly error: OAuthErrorCode;
  /** Public text: printable ASCII without double quote and backslash, at most 200 characters. */
  readonly description: string;
  /** The HTTP status if the error is a response of its own; a redirect contains the error without it. */
  readonly status: number;
  /** The request parameter that is wrong, if any; used to explain a request. */
  readonly parameter?: string;
  /** The nonce for the header `DPoP-Nonce` (RFC 9449 §8). */
  readonly dpopNonce?: string;
  /** The scheme that the token needs, if it was sent as a bearer token. */
  readonly scheme?: "DPoP";
  /** Seconds after which to retry (RFC 9110 §10.2.3). */
  readonly retryAfter?: number;
  /** For the log, never for the response. */
  readonly cause?: unknown;
}

export type ErrorOptions = Pick<OAuthError, "cause" | "retryAfter">;

const MAX_DESCRIPTION_LENGTH = 200;

/** Whether a value was made by the constructors of this file: parsed JSON or a row is never an error. */
export function isError(value: unknown): value is OAuthError {
  return typeof value === "object" && value !== null && (value as { [brand]?: unknown })[brand] === true;
}

/** Adds to an error the parameter it is about; returns any other value unchanged. */
export function about<Value>(parameter: string, value: Value): Value {
  return isError(value) ? { ...value, parameter } : value;
}

/** Reduces a text to the characters of error_description: %x20-21 / %x23-5B / %x5D-7E (RFC 6749 §5.2). */
function cleanDescription(text: string): string {
  return text
    .replaceAll("…", "...")
    .slice(0, MAX_DESCRIPTION_LENGTH)
    .replaceAll('"', "'")
    .replaceAll("\\", "/")
    .replace(/\s/g, " ")
    .replace(/[^\x20-\x7e]/g, "?");
}

function make(error: OAuthErrorCode, status: number, description: string, options?: ErrorOptions): OAuthError {
  return { [brand]: true, error, description: cleanDescription(description), status, ...options };
}

/** Returns the constructor of one error. */
const refusal =
  (error: OAuthErrorCode, status = 400) =>
  (description: string, options?: ErrorOptions) =>
    make(error, status, description, options);

export const invalidRequest = refusal("invalid_request");
export const invalidGrant = refusal("invalid_grant");
export const unauthorizedClient = refusal("unauthorized_client");
export const unsupportedGrantType = refusal("unsupported_grant_type");
export const unsupportedResponseType = refusal("unsupported_response_type");
export const invalidScope = refusal("invalid_scope");
export const accessDenied = refusal("access_denied");
export const loginRequired = refusal("login_required");
export const interactionRequired = refusal("interaction_required");
export const invalidRequestUri = refusal("invalid_request_uri");
export const invalidRequestObject = refusal("invalid_request_object");
export const requestNotSupported = refusal("request_not_supported");
export const requestUriNotSupported = refusal("request_uri_not_supported");
export const registrationNotSupported = refusal("registration_not_supported");
export const unmetAuthenticationRequirements = refusal("unmet_authentication_requirements");
export const invalidTarget = refusal("invalid_target");
export const invalidDpopProof = refusal("invalid_dpop_proof");
export const nonceRequired = refusal("use_dpop_nonce");
export const invalidToken = refusal("invalid_token", 401);
export const insufficientScope = refusal("insufficient_scope", 403);
export const accessForbidden = refusal("access_denied", 403);
export const authorizationPending = refusal("authorization_pending");
export const slowDown = refusal("slow_down");
export const expiredToken = refusal("expired_token");

export const invalidRedirectUri = refusal("invalid_redirect_uri");
export const invalidClientMetadata = refusal("invalid_client_metadata");
export const unapprovedSoftwareStatement = refusal("unapproved_software_statement");

export const serverError = refusal("server_error", 500);
export const tooManyRequests = refusal("temporarily_unavailable", 429);
export const temporarilyUnavailable = (description: string) =>
  make("temporarily_unavailable", 503, description, { retryAfter: RETRY_AFTER });

/** Returns the error for failed client authentication, always with 401 (rule CLIENT-7). */
export const invalidClient = refusal("invalid_client", 401);
