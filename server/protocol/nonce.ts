/**
 * The nonce parameter (OIDC Core §3.1.2.1, §3.2.2.1) ties an id_token to the browser session of the client. Attack:
 * injecting the id_token of another sign-in into the client's redirect. It is therefore required wherever an id_token
 * travels through the browser.
 */

import { invalidRequest, type OAuthError } from "./oauth-error";
import type { ResponseType } from "./response-type";
import { isFrontChannel } from "./response-type";

/** Returns undefined, or invalid_request if a front-channel response has no nonce. */
export function checkNonce(nonce: string | undefined, responseType: ResponseType): OAuthError | undefined {
  // OIDC Core §3.2.2.1, rule AUTHORIZE-5: required in the implicit flow.
  return nonce === undefined && isFrontChannel(responseType) ? invalidRequest("nonce is missing") : undefined;
}
