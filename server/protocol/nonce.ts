/**
 * The nonce parameter (OIDC Core §3.1.2.1, §3.2.2.1) ties an id_token to the browser session of the client. Attack:
 * injecting the id_token of another sign-in into the client's redirect. It is therefore required wherever an id_token
 * travels through the browser.
 */

import { invalidRequest, type OAuthError } from "./oauth-error";
import type { ResponseType } from "./response-type";
import { returnsIdToken } from "./response-type";

/** Returns undefined, or invalid_request if an id_token would be returned through the browser without a nonce. */
export function checkNonce(nonce: string | undefined, responseType: ResponseType): OAuthError | undefined {
  // OIDC Core §3.2.2.1, §3.3.2.11, rule AUTHORIZE-5.
  return nonce === undefined && returnsIdToken(responseType) ? invalidRequest("nonce is missing") : undefined;
}
