/**
 * Converts a validated authorization request back to a URL (RFC 6749 §4.1.1), so that an expired flow can start over
 * with the same parameters and a new decision.
 */
import type { AuthorizationRequest } from "./authorization-request";
import { type ResponseValues, responseUrl } from "./authorization-response";
import type { ClaimWish } from "./claims-request";
import { requestUriOf } from "./pushed-request";

/** @param endpoint the URL of the authorization endpoint */
export function authorizationUrl(endpoint: string, request: AuthorizationRequest): string {
  const { clientId, pushed } = request;
  if (pushed !== undefined) {
    return responseUrl(endpoint, "query", { client_id: clientId, request_uri: requestUriOf(pushed) });
  }
  const words = (list: readonly string[]) => (list.length === 0 ? undefined : list.join(" "));
  const values: ResponseValues = {
    client_id: clientId,
    redirect_uri: request.redirectUri,
    response_type: request.responseType,
    response_mode: request.responseMode,
    scope: words(request.scope),
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallenge === undefined ? undefined : "S256",
    dpop_jkt: request.dpopJkt,
    prompt: words(request.prompt),
    max_age: request.maxAge,
    ui_locales: words(request.uiLocales),
    id_token_hint: request.idTokenHint,
    login_hint: request.loginHint,
    claims: request.claimsRequest && claimsParameter(request.claimsRequest),
    acr_values: words(request.acrValues),
  };
  const resources = (request.resources ?? []).map((uri) => `&resource=${encodeURIComponent(uri)}`);
  return responseUrl(endpoint, "query", values) + resources.join("");
}

function claimsParameter({ userinfo, idToken }: Record<"userinfo" | "idToken", Record<string, ClaimWish>>): string {
  return JSON.stringify({ userinfo, id_token: idToken });
}
