/**
 * The logout request (OpenID Connect RP-Initiated Logout 1.0 §2). No parameter is required; those that are sent must be
 * consistent, because client and hint together decide where the browser may be sent afterwards. Attack: an open
 * redirector, using a client_id that is not the hint's.
 */
import { checkLengths } from "./lengths";
import { invalidRequest, type OAuthError } from "./oauth-error";
import { checkRepeated, type Parameters } from "./parameters";
import { parseUiLocales } from "./ui-locales";

export interface EndSessionRequest {
  /** The hint as received: one that does not verify must be rejected, not ignored. */
  idTokenHint?: string;
  clientId?: string;
  /** Not matched against the registered URIs yet. */
  postLogoutRedirectUri?: string;
  state?: string;
  uiLocales: string[];
}

const bounded = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;

/** Parses the request, without verifying its values; or returns invalid_request. */
export function parseEndSessionRequest(parameters: Parameters): EndSessionRequest | OAuthError {
  const malformed = checkRepeated(parameters) ?? checkLengths(parameters, bounded);
  if (malformed) return malformed;
  return {
    idTokenHint: parameters.get("id_token_hint"),
    clientId: parameters.get("client_id"),
    postLogoutRedirectUri: parameters.get("post_logout_redirect_uri"),
    state: parameters.get("state"),
    uiLocales: parseUiLocales(parameters.get("ui_locales")),
  };
}

/**
 * Returns the client whose redirect URIs count, or undefined if the request names none. If both the hint's azp and
 * client_id are present, they must be equal (rule SIGNOUT-2).
 * @param hintClientId azp of the verified id_token_hint
 */
export function endSessionClientId(
  request: Pick<EndSessionRequest, "clientId">,
  hintClientId: string | undefined,
): string | undefined | OAuthError {
  if (hintClientId !== undefined && request.clientId !== undefined && hintClientId !== request.clientId) {
    return invalidRequest("client_id is not the client the id_token_hint was issued to");
  }
  return hintClientId ?? request.clientId;
}
