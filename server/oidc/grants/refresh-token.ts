/**
 * Grant type refresh_token (RFC 6749 §6) with rotation (RFC 9700 §4.14.2): each use moves the grant to its next
 * generation. An older generation presented after the grace period has been copied, so its family of tokens ends, and
 * only that family.
 */
import type { Context } from "../../context";
import { readActor } from "../../protocol/actor";
import { type Client, clientAuthenticationMethods } from "../../protocol/client";
import { parseRefresh, type RefreshTokenRequest } from "../../protocol/grant-type";
import { invalidGrant, invalidScope, isError, type OAuthError } from "../../protocol/oauth-error";
import { isSubset } from "../../protocol/scope";
import { refreshUntil } from "../../protocol/token-lifetime";
import { type AccessTokenRow, insertAccessToken } from "../../storage/access-tokens";
import { findGrant, rotateRefresh, type ValidGrant } from "../../storage/grants";
import { keepLastRotation } from "../../storage/service-times";
import { makeAccessToken } from "../access-tokens";
import { lifetimesFor } from "../client-lifetimes";
import { checkImpersonation } from "../impersonation";
import { openRefreshToken, type RefreshToken, refreshTokenOf } from "../refresh-token-format";
import { revokeGrant } from "../revoke-grant";
import { idTokenOfGrant, type TokenResponse, tokenResponse } from "../token-response";
import { clientGrant } from "./grant";

export const refreshTokenGrant = clientGrant({
  grantType: "refresh_token",
  methods: clientAuthenticationMethods,
  parse: parseRefresh,
  issue,
});

async function issue(ctx: Context, client: Client, request: RefreshTokenRequest): Promise<TokenResponse | OAuthError> {
  const now = ctx.clock();
  const presented = openRefreshToken(ctx, request.refreshToken);
  if (!presented) return invalidGrant("the refresh token is not one of this service");
  const grant = await findGrant(ctx.db, presented.grantId);
  if (!grant || grant.expiresAt <= now) return invalidGrant("the refresh token has expired");
  // Checked before anything is revoked: another client's attempt must not end the owner's family (RFC 6749 §6).
  if (grant.clientId !== client.clientId) return invalidGrant("the refresh token was issued to another client");
  if (grant.revokedAt !== null || !grant.stands) return invalidGrant("the sign-in behind the refresh token has ended");
  if ((grant.refreshIdleUntil ?? 0) <= now) return invalidGrant("the refresh token was not used for too long");

  const scope = grantedScopes(grant, request);
  if (isError(scope)) return scope;
  // An actor must still be allowed to impersonate the user.
  const refusal = grant.actor && (await checkImpersonation(ctx, grant, readActor(grant.actor)));
  if (refusal) return invalidGrant(refusal);
  const notAfter = grant.expiresAt; // no token outlives its family
  const audience = grant.audience.split(" ");
  const subject = { ...grant, grantId: grant.id, scope: scope.join(" "), audience, notAfter };
  const accessToken = await makeAccessToken(ctx, client, subject);

  // Signing and storing do not depend on each other, so they run concurrently.
  const [outcome, idToken] = await Promise.all([
    rotate(ctx, client, grant, { generation: presented.generation, accessToken: accessToken.row }),
    idTokenOfGrant(ctx, client, grant, { scope, accessToken: accessToken.token, notAfter }),
  ]);
  if (isError(outcome)) return outcome;
  return tokenResponse(accessToken, idToken, refreshTokenOf(ctx, outcome));
}

/** RFC 6749 §6: the same scopes or fewer; fewer do not shrink the grant. */
function grantedScopes(grant: ValidGrant, request: RefreshTokenRequest): string[] | OAuthError {
  const original = grant.scope.split(" ");
  if (request.scope === undefined) return original;
  if (!isSubset(request.scope, original)) return invalidScope("scope exceeds what was granted originally");
  return request.scope;
}

/** The token that follows the presented generation, or why there is none. */
async function rotate(
  ctx: Context,
  client: Client,
  grant: ValidGrant,
  { generation, accessToken }: { generation: number; accessToken: AccessTokenRow },
): Promise<RefreshToken | OAuthError> {
  const now = ctx.clock();
  const lifetimes = await lifetimesFor(ctx, client);
  const successor = { grantId: grant.id, generation: generation + 1 };
  if (generation === grant.refreshGeneration) {
    const idleUntil = refreshUntil(now, grant.expiresAt, lifetimes);
    if (await rotateRefresh(ctx.db, grant.id, generation, now, idleUntil, accessToken)) {
      // Nobody waits for it: if it fails, the next start looks back on more than it has to.
      if (ctx.interruptions.rotated(now)) keepLastRotation(ctx.db, now).catch(() => {});
      return successor;
    }
  }
  // Not the current generation, or no longer: a repeat within the grace period, or a copy.
  const current = await findGrant(ctx.db, grant.id);
  if (!current || current.revokedAt !== null) return invalidGrant("the sign-in behind the refresh token has ended");
  const repeated =
    generation + 1 === current.refreshGeneration &&
    current.refreshedAt !== null &&
    now < ctx.interruptions.graceUntil(current.refreshedAt, lifetimes.refreshGrace);
  if (repeated) {
    await insertAccessToken(ctx.db, accessToken);
    return successor;
  }
  await revokeGrant(ctx, grant, "refresh token used twice");
  return invalidGrant("the refresh token was used before; its whole family has been revoked");
}
