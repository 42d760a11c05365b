/**
 * Token endpoint, RFC 6749 §3.2. One form in; tokens or one OAuthError out.
 */
import type { Context } from "../../context";
import { isEnabled } from "../../directory/instance";
import { countTokenRequest } from "../../metrics/instruments";
import { deviceCode, jwtBearer, tokenExchange } from "../../protocol/grant-type";
import { isError, type OAuthError, unauthorizedClient } from "../../protocol/oauth-error";
import { acceptedMethods, isGrantType, parseTokenRequest, type TokenGrantType } from "../../protocol/token-request";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { authorizationCodeGrant } from "../grants/authorization-code";
import { clientCredentialsGrant } from "../grants/client-credentials";
import { deviceCodeGrant } from "../grants/device-code";
import { jwtBearerGrant } from "../grants/jwt-bearer";
import { refreshTokenGrant } from "../grants/refresh-token";
import { tokenExchangeGrant } from "../grants/token-exchange";
import { authenticateMachine } from "../machine-client";
import type { TokenResponse } from "../token-response";

/** Answers a token request, and counts it for the metrics. */
export async function token(ctx: Context, http: OAuthHttpRequest): Promise<TokenResponse | OAuthError> {
  const answer = await answerRequest(ctx, http);
  const grantType = http.form.get("grant_type");
  countTokenRequest(isGrantType(grantType) ? grantType : "other", isError(answer) ? answer.error : "issued");
  return answer;
}

async function answerRequest(ctx: Context, http: OAuthHttpRequest): Promise<TokenResponse | OAuthError> {
  const exchange = http.form.get("grant_type") === tokenExchange && (await isEnabled(ctx, "oidcTokenExchange"));
  const request = parseTokenRequest(http.form, exchange ? [tokenExchange] : []); // §3.2: repeated parameters refused
  if (isError(request)) return (await refusedCredentials(ctx, http, request)) ?? request;
  // Machines are not apps, so these two grants do their own authentication.
  if (request.grantType === "client_credentials") return clientCredentialsGrant(ctx, http, request);
  if (request.grantType === jwtBearer) return jwtBearerGrant(ctx, http, request);

  const client = await authenticateClient(ctx, http, acceptedMethods(request.grantType)); // §2.3
  if (isError(client)) return client;
  if (!client.grantTypes.includes(request.grantType)) {
    return notRegistered(request.grantType);
  }
  switch (request.grantType) {
    case "authorization_code":
      return authorizationCodeGrant(ctx, client, request);
    case "refresh_token":
      return refreshTokenGrant(ctx, client, request);
    case deviceCode:
      return deviceCodeGrant(ctx, client, request);
    case tokenExchange:
      return tokenExchangeGrant(ctx, client, request);
  }
}

/**
 * The authentication error of a malformed request. Wrong credentials are reported before a missing parameter, as
 * servers do that authenticate first (§3.2.1): otherwise whoever mistyped a secret would look elsewhere. Without a
 * named client or a known grant type there is nothing to authenticate.
 */
async function refusedCredentials(
  ctx: Context,
  http: OAuthHttpRequest,
  malformed: OAuthError,
): Promise<OAuthError | undefined> {
  const { authorization, form } = http;
  const grantType = form.get("grant_type");
  const isNamed = authorization !== undefined || form.has("client_id") || form.has("client_assertion");
  if (!isNamed || !isGrantType(grantType) || grantType === jwtBearer) return undefined;
  const machine = grantType === "client_credentials" ? await authenticateMachine(ctx, http) : undefined;
  const client = machine ?? (await authenticateClient(ctx, http, acceptedMethods(grantType)));
  if (isError(client)) return client;
  if (
    !("grantTypes" in client) ||
    client.grantTypes.includes(grantType) ||
    malformed.error === "unsupported_grant_type"
  )
    return undefined;
  return notRegistered(grantType); // contract §8: before the grant's own parameters
}

/** §5.2 */
function notRegistered(grantType: TokenGrantType): OAuthError {
  return unauthorizedClient(`this client is not registered for grant type ${grantType}`);
}
