/**
 * Grant type client_credentials (RFC 6749 §4.4): a client acting for itself: machines with their user name and secret,
 * and confidential apps registered for the grant. Never a refresh token (§4.4.3), never an id_token, because no user
 * authenticated.
 */
import type { Context } from "../../context";
import { audienceOf } from "../../protocol/audience";
import type { TokenClient } from "../../protocol/client";
import { isError, type OAuthError, unauthorizedClient } from "../../protocol/oauth-error";
import { scopeAudience } from "../../protocol/scope";
import { acceptedMethods, type TokenRequest } from "../../protocol/token-request";
import { insertAccessToken } from "../../storage/access-tokens";
import { makeAccessToken } from "../access-tokens";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { authenticateMachine, ownScope, tokenClientOf } from "../machine-client";
import { type TokenResponse, tokenResponse } from "../token-response";

/** The authenticated client, with what token issuing needs to know. */
interface Itself {
  client: TokenClient;
  /** Null for an app, which has no user. */
  userId: string | null;
  organizationId: string;
}

export async function clientCredentialsGrant(
  ctx: Context,
  http: OAuthHttpRequest,
  request: Extract<TokenRequest, { grantType: "client_credentials" }>,
): Promise<TokenResponse | OAuthError> {
  const itself = await authenticate(ctx, http);
  if (isError(itself)) return itself;
  const { client, userId, organizationId } = itself;
  const scope = await ownScope(ctx, request.scope, organizationId);
  if (isError(scope)) return scope;
  const audience = machineOrAppAudience(client, scope);
  const accessToken = await makeAccessToken(ctx, client, { userId, grantId: null, scope: scope.join(" "), audience });
  await insertAccessToken(ctx.db, accessToken.row);
  return tokenResponse(accessToken, undefined, undefined);
}

async function authenticate(ctx: Context, http: OAuthHttpRequest): Promise<Itself | OAuthError> {
  const machine = await authenticateMachine(ctx, http);
  if (isError(machine)) return machine;
  if (machine) {
    return { client: tokenClientOf(machine), userId: machine.userId, organizationId: machine.organizationId };
  }
  const client = await authenticateClient(ctx, http, acceptedMethods("client_credentials"));
  if (isError(client)) return client;
  if (!client.grantTypes.includes("client_credentials")) {
    return unauthorizedClient("this client is not registered for grant type client_credentials"); // §5.2
  }
  return { client, userId: null, organizationId: client.organizationId };
}

/** A machine belongs to no project: its token is for itself, and for what it names. */
export function machineOrAppAudience(client: TokenClient, scope: readonly string[]): string[] {
  const { clientId, projectId } = client;
  if (projectId !== undefined) return audienceOf({ clientId, projectId }, scope);
  return [...new Set([clientId, ...scopeAudience(scope)])];
}
