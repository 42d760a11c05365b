/**
 * Redeems the code of a trial sign-in in the playground without the app's secret or key, which the console does not
 * have: a user who may change the app vouches for the request instead. This gives users no additional power, because
 * they could create a secret themselves, and it only accepts codes that were returned to the playground (attack:
 * redeeming a code that was stolen from the app's own address). Rule CLIENT-9.
 */

import type { Context } from "../context";
import { randomSecret } from "../crypto/random";
import { findClient } from "../directory/app/app";
import { checkAppTrust, mayTrustApps } from "../directory/app/app-trust";
import { type AppRef, wrongAppKind } from "../directory/app/change";
import { readListedApp } from "../directory/app/list";
import { playgroundRedirectUri } from "../directory/app/playground";
import { redeemAuthorizationCode } from "../oidc/grants/authorization-code";
import { notRegistered } from "../oidc/grants/grant";
import type { TokenResponse } from "../oidc/token-response";
import { type ApiError, isApiError } from "../protocol/api-error";
import { type OAuthError, unauthorizedClient } from "../protocol/oauth-error";
import { bindingTo } from "../protocol/token-binding";
import type { Caller } from "./caller";

export interface PlaygroundCode {
  code: string;
  /** The PKCE verifier; absent if the code was requested without a challenge. */
  codeVerifier?: string;
}

/** Returns the token endpoint's response to the app, or an error if the caller may not request it. */
export async function redeemPlaygroundCode(
  ctx: Context,
  { userId }: Caller,
  ref: AppRef,
  { code, codeVerifier }: PlaygroundCode,
): Promise<TokenResponse | OAuthError | ApiError> {
  const app = await readListedApp(ctx, ref);
  if (isApiError(app)) return app;
  const refusal = (await mayTrustApps(ctx, userId)) ? undefined : checkAppTrust(app, {});
  if (refusal) return refusal;
  const client = await findClient(ctx, app.clientId);
  if (!client) return unauthorizedClient("the app is not active");
  if (client.kind !== "oidc") return wrongAppKind("oidc");
  if (!client.grantTypes.includes("authorization_code")) {
    return notRegistered("authorization_code", client);
  }
  const redirectUri = playgroundRedirectUri(ctx);
  const request = { grantType: "authorization_code", code, codeVerifier, redirectUri, resources: [] } as const;
  // A bound token is shown without its key or certificate: it cannot be used.
  const jkt = client.dpopBoundAccessTokens ? randomSecret() : undefined;
  const certificate = client.tlsClientCertificateBoundAccessTokens ? randomSecret() : undefined;
  return redeemAuthorizationCode(ctx, client, request, bindingTo(jkt, certificate));
}
