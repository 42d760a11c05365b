/**
 * The logout request (OpenID Connect RP-Initiated Logout 1.0 §2). Nothing in it is required; what is sent must be
 * consistent, because client and hint together decide where the browser may be sent afterwards. Attack: an open
 * redirector, using a client_id that is not the hint's.
 */
import { checkLengths } from "./lengths";
import { invalidRequest, type OAuthError } from "./oauth-error";
import { checkRepeated, type Parameters } from "./parameters";
import { parseUiLocales } from "./ui-locales";

export interface EndSessionRequest {
  /** As received: a hint that does not verify must be refused, not ignored. */
  idTokenHint?: string;
  clientId?: string;
  /** Not matched yet. */
  postLogoutRedirectUri?: string;
  state?: string;
  uiLocales: string[];
}

const bounded = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;

/** The request, its values not verified yet; or invalid_request. */
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
 * The client whose addresses count, or undefined if the request names none. Rule SIGNOUT-2: when azp of the
 * hint and client_id are both there, they must be equal.
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
