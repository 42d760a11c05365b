/**
 * The playground redeems the code of a trial sign-in without the app's secret or key, which the console does not have:
 * whoever may change the app vouches for the request in its place. It gives nobody more than they have, as they could make
 * a secret of their own, and it is good for nothing but codes that came back to the playground (attack: redeeming a code
 * that was stolen from the app's own address). Rule CLIENT-9.
 */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { type AppRef, wrongAppKind } from "../directory/app/change";
import { readListedApp } from "../directory/app/list";
import { playgroundRedirectUri } from "../directory/app/playground";
import { checkVouching, mayVouch } from "../directory/app/vouching";
import { redeemAuthorizationCode } from "../oidc/grants/authorization-code";
import { notRegistered } from "../oidc/grants/grant";
import type { TokenResponse } from "../oidc/token-response";
import { type ApiError, isApiError } from "../protocol/api-error";
import { type OAuthError, unauthorizedClient } from "../protocol/oauth-error";
import type { Caller } from "./caller";

export interface PlaygroundCode {
  code: string;
  /** Of PKCE; without one the code was not asked for with a challenge. */
  codeVerifier?: string;
}

/** What the token endpoint would answer to the app, or why the caller may not ask for it. */
export async function redeemPlaygroundCode(
  ctx: Context,
  { userId }: Caller,
  ref: AppRef,
  { code, codeVerifier }: PlaygroundCode,
): Promise<TokenResponse | OAuthError | ApiError> {
  const app = await readListedApp(ctx, ref);
  if (isApiError(app)) return app;
  const refusal = (await mayVouch(ctx, userId)) ? undefined : checkVouching(app, {});
  if (refusal) return refusal;
  const client = await findClient(ctx, app.clientId);
  if (!client) return unauthorizedClient("the app is not active");
  if (client.kind !== "oidc") return wrongAppKind("oidc");
  if (!client.grantTypes.includes("authorization_code")) {
    return notRegistered("authorization_code", client);
  }
  const redirectUri = playgroundRedirectUri(ctx);
  return redeemAuthorizationCode(ctx, client, { grantType: "authorization_code", code, codeVerifier, redirectUri });
}
