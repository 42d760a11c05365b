/**
 * Grant type refresh_token (RFC 6749 §6) with rotation (RFC 9700 §4.14.2): each use moves the grant to its next
 * generation. An older generation presented after the grace period has been copied, so its family of tokens ends, and
 * only that family. If the response with the successor was lost, the token that was presented counts as unused.
 */
import type { Context } from "../../context";
import { asSystem } from "../../events/record";
import { type Client, clientAuthenticationMethods } from "../../protocol/client";
import { parseRefresh, type RefreshTokenRequest } from "../../protocol/grant-type";
import { invalidGrant, invalidScope, isError, type OAuthError } from "../../protocol/oauth-error";
import { isSubset } from "../../protocol/scope";
import { provesBinding } from "../../protocol/token-binding";
import { lifetimesOf, refreshUntil } from "../../protocol/token-expiry";
import type { AccessTokenRow } from "../../storage/grant/access-tokens";
import { findGrant, type ValidGrant } from "../../storage/grant/grant";
import { repeatRefresh, rotateRefresh } from "../../storage/grant/refresh";
import { makeAccessToken } from "../access-tokens";
import { isForbidden } from "../client-decisions";
import { lifetimesFor } from "../client-lifetimes";
import { checkActors } from "../impersonation";
import { openRefreshToken, type RefreshToken, refreshTokenOf } from "../refresh-token-format";
import { audienceOfToken } from "../resources";
import { revokeGrant } from "../revoke-grant";
import { idTokenOfGrant, type TokenResponse, tokenResponse } from "../token-response";
import { clientGrant } from "./grant";

export const refreshTokenGrant = clientGrant({
  grantType: "refresh_token",
  methods: clientAuthenticationMethods,
  parse: parseRefresh,
  issue,
});

async function issue(
  ctx: Context,
  client: Client,
  request: RefreshTokenRequest,
  binding: string | undefined,
): Promise<TokenResponse | OAuthError> {
  const presented = openRefreshToken(ctx, request.refreshToken);
  if (!presented) return invalidGrant("the refresh token is not one of this service");
  const now = ctx.clock();
  const answer = ctx.refreshAnswers.begin(now);
  try {
    const outcome = await use(ctx, client, { request, presented, answer: answer.name, binding });
    answer.given();
    return outcome;
  } catch (error) {
    answer.lost();
    rememberUnanswered(ctx, client, presented, now);
    throw error;
  }
}

/** Remembers a request that failed within the grace period of a spent token, so that the client may retry after it. */
function rememberUnanswered(ctx: Context, client: Client, { grantId, generation }: RefreshToken, now: number): void {
  // Without the settings of the instance, which do not change the grace period: the database may be unavailable.
  const { refreshGrace } = lifetimesOf(client, ctx.config.lifetimes);
  ctx.refreshAnswers.missed({ grantId, generation: generation + 1, since: now - refreshGrace });
}

interface Use {
  request: RefreshTokenRequest;
  presented: RefreshToken;
  /** The name of the response, which is stored to know whether it was lost. */
  answer: string;
  /** What the request proves (token-binding.ts). */
  binding: string | undefined;
}

async function use(
  ctx: Context,
  client: Client,
  { request, presented, answer, binding }: Use,
): Promise<TokenResponse | OAuthError> {
  const now = ctx.clock();
  const grant = await findGrant(ctx.db, presented.grantId);
  if (!grant || grant.expiresAt <= now) return invalidGrant("the refresh token has expired");
  // Checked before anything is revoked: another client's attempt must not end the owner's family (RFC 6749 §6).
  if (grant.clientId !== client.clientId) return invalidGrant("the refresh token was issued to another client");
  if (grant.revokedAt !== null || !grant.isValid) return invalidGrant("the sign-in behind the refresh token has ended");
  // RFC 9449 §5, RFC 8705 §4: without client authentication, the key or the certificate replaces it.
  if (!provesBinding(grant.jkt, binding)) return invalidGrant("the refresh token is bound to another key");
  if ((grant.refreshIdleUntil ?? 0) <= now) return invalidGrant("the refresh token was not used for too long");

  if (await isForbidden(ctx, client, grant.redirectUri, grant)) {
    return invalidGrant("the organization of the user does not allow this application");
  }
  const scope = grantedScopes(grant, request);
  if (isError(scope)) return scope;
  // An actor must still be allowed to act for the user.
  const refusal = grant.actor && (await checkActors(ctx, client, grant));
  if (refusal) return invalidGrant(refusal);
  const notAfter = grant.expiresAt; // no token outlives its family
  const audience = await audienceOfToken(ctx, client, grant, request.resources);
  if (isError(audience)) return audience;
  const subject = { ...grant, grantId: grant.id, scope: scope.join(" "), audience, notAfter, jkt: binding };
  const accessToken = await makeAccessToken(ctx, client, subject);

  // Signing and storing do not depend on each other, so they run concurrently.
  const [outcome, idToken] = await Promise.all([
    rotate(ctx, client, grant, { generation: presented.generation, answer, accessToken: accessToken.row }),
    idTokenOfGrant(ctx, client, grant, { scope, accessToken: accessToken.token, notAfter }),
  ]);
  if (isError(outcome)) return outcome;
  return tokenResponse(accessToken, idToken, refreshTokenOf(ctx, outcome));
}

/** Returns the same scopes or fewer; fewer do not shrink the grant (RFC 6749 §6). */
function grantedScopes(grant: ValidGrant, request: RefreshTokenRequest): string[] | OAuthError {
  const original = grant.scope.split(" ");
  if (request.scope === undefined) return original;
  if (!isSubset(request.scope, original)) return invalidScope("scope exceeds what was granted originally");
  return request.scope;
}

/** Returns the successor of the presented generation, or why there is no successor. */
async function rotate(
  ctx: Context,
  client: Client,
  grant: ValidGrant,
  presented: { generation: number; answer: string; accessToken: AccessTokenRow },
): Promise<RefreshToken | OAuthError> {
  const now = ctx.clock();
  const lifetimes = await lifetimesFor(ctx, client);
  const use = { grantId: grant.id, ...presented };
  // FAPI 2.0 Security Profile §5.3.2.1: refresh tokens are not rotated, as they are bound to the client.
  const replaced = client.profile === undefined ? 1 : 0;
  const successor = { grantId: grant.id, generation: use.generation + replaced };
  if (use.generation === grant.refreshGeneration) {
    const refreshIdleUntil = refreshUntil(now, grant.expiresAt, lifetimes);
    const change = { refreshedAt: now, refreshIdleUntil, next: successor.generation };
    if (await rotateRefresh(ctx.db, use, change)) return successor;
  }
  // Not (or no longer) the current generation: a repeat or a copy.
  for (;;) {
    const current = await findGrant(ctx.db, grant.id);
    if (!current || current.revokedAt !== null) return invalidGrant("the sign-in behind the refresh token has ended");
    const times = await timesOfRepeat(ctx, current, { ...use, grace: lifetimes.refreshGrace });
    if (!times) break;
    if (await repeatRefresh(ctx.db, use, times)) return successor;
    // Another request changed the grant in the meantime.
  }
  await revokeGrant(asSystem(ctx), grant, "refresh token used twice");
  return invalidGrant("the refresh token was used before; its whole family has been revoked");
}

/**
 * Returns whether and until when a spent token may be repeated: within its grace period, or once more after a response
 * that was lost, which starts a new grace period. Undefined for a copy.
 */
async function timesOfRepeat(
  ctx: Context,
  { refreshGeneration, refreshedAt, refreshAnswer }: ValidGrant,
  { generation, grace }: { generation: number; grace: number },
): Promise<{ found: number; refreshedAt: number } | undefined> {
  if (generation + 1 !== refreshGeneration || refreshedAt === null || grace === 0) return undefined;
  const now = ctx.clock();
  if (now < refreshedAt + grace) return { found: refreshedAt, refreshedAt };
  if (refreshAnswer === null || (await ctx.refreshAnswers.wereGiven(refreshAnswer))) return undefined;
  return { found: refreshedAt, refreshedAt: now };
}
