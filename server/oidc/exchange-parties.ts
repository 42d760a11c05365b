/**
 * Verifies the tokens of a token exchange (RFC 8693 §2.1, §5): what each proves and what it depends on, so that the new
 * token ends with it. A token that is no longer valid, or is meant for another client, proves nothing.
 */
import { jwtVerify } from "jose";
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { userOfSubject } from "../keys/subject";
import { readActor } from "../protocol/actor";
import type { AuthenticationFacts } from "../protocol/authentication-claims";
import { type Client, signingAlgorithms } from "../protocol/client";
import { isCompactJws } from "../protocol/compact-jws";
import { mayExchange, type Presented } from "../protocol/token-exchange";
import { type SubjectTokenType, tokenTypes } from "../protocol/token-exchange-request";
import { findGrant, type ValidGrant } from "../storage/grant/grant";
import { isSessionValid } from "../storage/session/session";
import { findExchangeUser } from "../storage/user/user";
import { ownKey, verifyAccessToken } from "./access-tokens";
import { isBad, usedAssertion, verifyAssertion } from "./assertions";
import { GRANT_CLAIM, namedIn } from "./id-token";
import { keysOf } from "./published-keys";
import { audienceWithProjects } from "./resources";

/** The subject or the actor, as described by its token. Times are epoch milliseconds. */
export interface Party extends Presented {
  organizationId: string;
  /** The client that the token was issued to; undefined for tokens that were not issued here. */
  holder: string | undefined;
  /** How the user authenticated; empty if they did not. */
  authentication: AuthenticationFacts;
  /** When the token expires; undefined for tokens that prove no authentication. */
  expiresAt: number | undefined;
  grantId: string | null;
  grantExpiresAt: number | null;
  sessionId: string | null;
  /** The user at the end of the chain of actors, if any, and their session. */
  actorUserId: string | null;
  actorSessionId: string | null;
  /** Whether it is the client itself, as an actor; `userId` is its client id then. */
  isClient?: true;
  /** The client's JWT to consume, if it has a `jti`. */
  assertion?: { id: string; expiresAt: number };
}

const NOTHING_BEHIND = {
  holder: undefined,
  authentication: {},
  expiresAt: undefined,
  grantId: null,
  grantExpiresAt: null,
  sessionId: null,
  actorUserId: null,
  actorSessionId: null,
} as const;

/**
 * Returns the party that a token names, or why the token is not accepted.
 * @param presented.isActor whether it is the actor's token, which may be the client's own (rule EXCHANGE-7)
 */
export async function readParty(
  ctx: Context,
  client: Client,
  { token, type, isActor }: { token: string; type: SubjectTokenType; isActor?: true },
): Promise<Party | { problem: string }> {
  switch (type) {
    case tokenTypes.accessToken:
      return accessTokenParty(ctx, client, token, isActor);
    case tokenTypes.idToken:
      return idTokenParty(ctx, client, token);
    case tokenTypes.jwt:
      return clientJwtParty(ctx, client, token);
    case tokenTypes.userId:
      return userParty(ctx, client, token);
  }
}

async function accessTokenParty(
  ctx: Context,
  client: Client,
  presented: string,
  isActor?: true,
): Promise<Party | { problem: string }> {
  const token = await verifyAccessToken(ctx, presented);
  if (!token) return { problem: "it is invalid, expired or revoked" };
  if (token.userId === null && isActor && token.clientId === client.clientId) {
    const { clientId: userId, organizationId } = client;
    const { expiresAt } = token;
    return {
      ...NOTHING_BEHIND,
      isClient: true,
      userId,
      organizationId,
      expiresAt,
      scope: [],
      audience: [],
      act: undefined,
    };
  }
  if (token.userId === null || token.organizationId === null)
    return { problem: "it speaks of a client, not of a user" };
  const audience = token.audience.split(" ");
  const { userId, organizationId } = token;
  const reaches = await audienceWithProjects(ctx, token);
  if (!mayExchange(reaches, { clientId: token.clientId, organizationId }, client))
    return { problem: "it is not meant for this client" };
  return {
    ...token,
    userId,
    organizationId,
    holder: token.clientId,
    scope: token.scope.split(" ").filter((scope) => scope !== ""),
    audience,
    act: readActor(token.actor),
    authentication: token,
  };
}

/**
 * Reads an id_token of ours that was issued to this client or another of its project and has not expired. It only
 * identifies a user. It may be exchanged for what its grant includes, while the grant is valid. It therefore also ends
 * with the consent, as withdrawing that revokes the grant.
 */
async function idTokenParty(ctx: Context, client: Client, token: string): Promise<Party | { problem: string }> {
  const claims = await readIdToken(ctx, token);
  if (!claims) return { problem: "it is invalid or expired" };
  const { holder } = claims;
  const [user, grant] = await Promise.all([findExchangeUser(ctx.db, claims.userId), findActiveGrant(ctx, claims)]);
  if (!user || !grant) return { problem: "the sign-in behind it has ended" };
  const ofItself =
    user.kind === "machine" && user.userName === claims.clientId && user.organizationId === client.organizationId;
  if (!ofItself && holder?.projectId !== client.projectId) return { problem: "it is not meant for this client" };
  const scope = grant.scope.split(" ");
  return {
    userId: user.id,
    organizationId: user.organizationId,
    holder: claims.clientId,
    mayGoOffline: scope.includes("offline_access"),
    // Browsers and logs see id_tokens, so what is exchanged for one never outlives it.
    scope: scope.filter((one) => one !== "offline_access"),
    audience: [claims.clientId],
    act: readActor(grant.actor),
    authentication: claims.authentication,
    expiresAt: claims.expiresAt,
    grantId: grant.id,
    grantExpiresAt: grant.expiresAt,
    sessionId: claims.sessionId,
    actorUserId: grant.actorUserId,
    actorSessionId: grant.actorSessionId,
  };
}

/** Returns the grant of an id_token, if nothing it depends on has ended. */
async function findActiveGrant(ctx: Context, claims: IdTokenClaims): Promise<ValidGrant | undefined> {
  const grant = await findGrant(ctx.db, claims.grantId);
  if (!grant?.isValid || grant.revokedAt !== null || grant.expiresAt <= ctx.clock()) return undefined;
  if (grant.userId !== claims.userId || grant.clientId !== claims.clientId) return undefined;
  // With refresh tokens it does not depend on the session, as in findValidToken.
  if (grant.sessionId === null || grant.refreshIdleUntil !== null) return grant;
  const now = ctx.clock();
  const isValid = await isSessionValid(ctx.db, grant.sessionId, now, now - ctx.config.lifetimes.sessionIdle);
  return isValid ? grant : undefined;
}

interface IdTokenClaims {
  userId: string;
  clientId: string;
  /** The client, unless it is a machine or was deleted. */
  holder: Client | undefined;
  sessionId: string | null;
  grantId: string;
  authentication: AuthenticationFacts;
  expiresAt: number;
}

async function readIdToken(ctx: Context, token: string): Promise<IdTokenClaims | undefined> {
  if (!isCompactJws(token)) return undefined;
  try {
    const { payload } = await jwtVerify(token, (header) => ownKey(ctx, header), {
      issuer: ctx.config.baseUrl,
      typ: "JWT", // RFC 8725 §3.11: not an access token or a logout token
      algorithms: [...signingAlgorithms],
      requiredClaims: ["sub", "azp", "iat", "exp"],
      currentDate: new Date(ctx.clock()),
    });
    const { sub, azp, sid, auth_time, amr, acr, exp, [GRANT_CLAIM]: grantId } = payload;
    if (typeof sub !== "string" || typeof azp !== "string" || typeof grantId !== "string") return undefined;
    const holder = await findClient(ctx, azp);
    const { userId, sessionId = null } = await namedIn(ctx, holder, sub, sid);
    return {
      userId,
      clientId: azp,
      holder,
      sessionId,
      grantId,
      authentication: {
        authTime: typeof auth_time === "number" ? auth_time * 1000 : null,
        amr: Array.isArray(amr) ? amr.join(" ") : null,
        acr: typeof acr === "string" ? acr : null,
      },
      expiresAt: Number(exp) * 1000,
    };
  } catch {
    return undefined;
  }
}

/**
 * Reads a JWT that the client signed with a registered key; its subject is the user (rule EXCHANGE-6). The rules are
 * those of the client's own assertions (rule CLIENT-5), except that jti is optional.
 */
async function clientJwtParty(ctx: Context, client: Client, jwt: string): Promise<Party | { problem: string }> {
  if (client.jwks === null && client.jwksUri === undefined)
    return { problem: "this client has no registered key to sign it with" };
  const verified = await verifyAssertion(ctx, jwt, {
    issuer: client.clientId,
    keys: keysOf(ctx, client),
    endpoint: `${ctx.config.baseUrl}/oauth/v2/token`,
    legacyAssertionAudience: client.legacyAssertionAudience,
    needsId: false,
  });
  if (isBad(verified)) return verified;
  const party = await userParty(ctx, client, verified.subject);
  if ("problem" in party || verified.jti === undefined) return party;
  const id = usedAssertion("client", client.clientId, verified.jti);
  return { ...party, assertion: { id, expiresAt: verified.refusedFrom } };
}

/**
 * The problem of an unknown user. The response is the same as for a user whom the actor may not act for, so that it
 * does not reveal which users exist.
 */
export const UNKNOWN_USER = "unknown user";

/** Reads a user whom the client names by the subject that it knows. */
async function userParty(ctx: Context, client: Client, subject: string): Promise<Party | { problem: string }> {
  const named = await userOfSubject(ctx, client, subject);
  const user = named === undefined ? undefined : await findExchangeUser(ctx.db, named);
  if (!user?.isActive) return { problem: UNKNOWN_USER };
  const { id: userId, organizationId } = user;
  return { ...NOTHING_BEHIND, userId, organizationId, scope: undefined, audience: [], act: undefined };
}
