/**
 * Token endpoint, RFC 6749 §3.2. One form in; tokens or one OAuthError out.
 */
import type { Context } from "../../context";
import { invalidRequest, isError, type OAuthError, unauthorizedClient } from "../../protocol/oauth-error";
import { acceptedMethods, parseTokenRequest } from "../../protocol/token-request";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { authorizationCodeGrant } from "../grants/authorization-code";
import { refreshTokenGrant } from "../grants/refresh-token";
import type { TokenResponse } from "../token-response";

export async function token(ctx: Context, http: OAuthHttpRequest): Promise<TokenResponse | OAuthError> {
  const request = parseTokenRequest(http.form); // §3.2: repeated parameters refused
  if (isError(request)) return request;
  const client = await authenticateClient(ctx, http, acceptedMethods(request.grantType)); // §2.3
  if (isError(client)) return client;
  if (!client.grantTypes.includes(request.grantType)) {
    return unauthorizedClient(`this client is not registered for grant type ${request.grantType}`); // §5.2
  }
  switch (request.grantType) {
    case "authorization_code":
      return authorizationCodeGrant(ctx, client, request);
    case "refresh_token":
      return refreshTokenGrant(ctx, client, request);
    default:
      return invalidRequest("this grant type needs another kind of client");
  }
}
