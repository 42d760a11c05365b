/**
 * Revocation endpoint (RFC 7009, rule REVOKE-1). Revoking an access token ends only that token; revoking a refresh
 * token ends its whole grant. A client can revoke only its own tokens, and the response never reveals whether a token
 * exists or who owns it.
 */
import type { Context } from "../../context";
import { asSystem } from "../../events/record";
import { revocationMethods } from "../../protocol/client-credentials";
import { invalidRequest, isError, type OAuthError } from "../../protocol/oauth-error";
import { type RevocationScope, revokeAccessToken } from "../../storage/grant/access-tokens";
import { findGrant } from "../../storage/grant/grant";
import { accessTokenId } from "../access-tokens";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { authenticateMachine } from "../machine-client";
import { openRefreshToken } from "../refresh-token-format";
import { revokeGrant } from "../revoke-grant";

/**
 * Revokes the token. Returns undefined, or why the request is rejected. `token_type_hint` is ignored: the two kinds are
 * distinguished without it (§2.1).
 */
export async function revoke(ctx: Context, http: OAuthHttpRequest): Promise<OAuthError | undefined> {
  const client = await authenticate(ctx, http);
  if (isError(client)) return client;
  const presented = http.form.get("token");
  if (presented === undefined) return invalidRequest("token is missing"); // §2.1
  const refreshToken = openRefreshToken(ctx, presented);
  if (refreshToken) {
    const grant = await findGrant(ctx.db, refreshToken.grantId);
    const isOwn = grant?.clientId === client.clientId && (client.userId ?? grant.userId) === grant.userId;
    if (isOwn) await revokeGrant(asSystem(ctx), grant, "revoked by the client");
    return undefined;
  }
  const id = await accessTokenId(ctx, presented);
  if (id !== undefined) await revokeAccessToken(ctx.db, id, client, ctx.clock());
  return undefined; // §2.2: unknown tokens are not an error
}

/** Authenticates an app by any of the four methods, or a machine by its secret. */
async function authenticate(ctx: Context, http: OAuthHttpRequest): Promise<RevocationScope | OAuthError> {
  const machine = await authenticateMachine(ctx, http);
  if (isError(machine)) return machine;
  if (machine) return { clientId: machine.clientId, userId: machine.userId };
  const client = await authenticateClient(ctx, http, revocationMethods);
  return isError(client) ? client : { clientId: client.clientId };
}
