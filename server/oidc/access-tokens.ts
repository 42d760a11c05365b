/**
 * Access tokens: opaque (256 random bits, stored as SHA-256) or a JWT in the profile of RFC 9068, depending on the
 * app's setting. A JWT has a row too, so both kinds end immediately with logout, revocation or a password change.
 */
import { importJWK, type JWTHeaderParameters, jwtVerify } from "jose";
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { newId, randomSecret } from "../crypto/random";
import { findAudienceResources } from "../directory/app/resources";
import { findTargetProjects } from "../directory/app/target-projects";
import { signJwt } from "../keys/sign-jwt";
import { publicKey, signingKey } from "../keys/signing-keys";
import { actorFor, subjectFor } from "../keys/subject";
import { readActor } from "../protocol/actor";
import { authenticationClaims } from "../protocol/authentication-claims";
import { type Client, signingAlgorithms, type TokenClient } from "../protocol/client";
import { isCompactJws } from "../protocol/compact-jws";
import { manageableAudience, manageableScope } from "../protocol/management";
import { meaningfulScope } from "../protocol/project-scope";
import type { ClaimsAudience } from "../protocol/reserved-claims";
import { scopeAtResources } from "../protocol/resource";
import { accessTokenFlatRoles } from "../protocol/roles-claim";
import { scopeAudience } from "../protocol/scope";
import { confirmationOf } from "../protocol/token-binding";
import { expiresIn } from "../protocol/token-expiry";
import {
  type AccessTokenRow,
  findValidToken,
  findValidTokenAndUser,
  type ValidToken,
  type ValidTokenAndUser,
} from "../storage/grant/access-tokens";
import { lifetimesFor } from "./client-lifetimes";
import { reservedClaimsFor, tokenClaimsAudience } from "./user-claims";

/** The maximum length in characters: enough for a JWT with many role claims, and about the limit of a header. */
const MAX_TOKEN_LENGTH = 16 * 1024;

/** The content of a new access token. */
export interface TokenSubject {
  userId: string | null;
  grantId: string | null;
  scope: string;
  audience: readonly string[];
  /** When (epoch milliseconds) and how the user authenticated; undefined for machines. */
  authTime?: number;
  amr?: string;
  acr?: string | null;
  /** The act claim of the actor, in JSON. */
  actor?: string | null;
  /** What the token is bound to (token-binding.ts). */
  jkt?: string | null;
  /** The latest time of expiry, in epoch milliseconds. */
  notAfter?: number;
}

export interface IssuedAccessToken {
  /** The token for the client. */
  token: string;
  /** The row to store. The caller writes it in the transaction that decides on the grant. */
  row: AccessTokenRow;
  /** The lifetime in seconds. */
  expiresIn: number;
}

/**
 * Returns the latest expiry of a grant's tokens, in epoch milliseconds: the end of the session, unless the grant has
 * offline access (OIDC Core §11: only offline access is meant to outlive it).
 */
export function endOfSession(
  { sessionExpiresAt }: { sessionExpiresAt: number | null },
  offline: boolean,
): number | undefined {
  return offline || sessionExpiresAt === null ? undefined : sessionExpiresAt;
}

/**
 * Returns what refresh tokens are bound to: the key or certificate of a client without credentials (RFC 9449 §5, RFC
 * 8705 §4). Those of a confidential client are bound to the client, which may change its key.
 */
export const refreshKey = ({ authenticationMethod }: Client, binding: string | undefined): string | null =>
  authenticationMethod === "none" ? (binding ?? null) : null;

/** Makes an access token, without storing it. */
export async function makeAccessToken(
  ctx: Context,
  client: TokenClient,
  subject: TokenSubject,
): Promise<IssuedAccessToken> {
  const now = ctx.clock();
  const { accessToken } = await lifetimesFor(ctx, client);
  const lifetime = Math.min(accessToken, (subject.notAfter ?? Number.POSITIVE_INFINITY) - now);
  const { scope, audience, about } = await rightsOf(ctx, client, subject);
  const opaque = client.accessTokenFormat === "opaque" ? randomSecret() : undefined;
  const row: AccessTokenRow = {
    id: opaque === undefined ? newId() : digest(opaque),
    grantId: subject.grantId,
    clientId: client.clientId,
    userId: subject.userId,
    scope,
    audience: audience.join(" "),
    createdAt: now,
    expiresAt: now + lifetime,
    jkt: subject.jkt ?? null,
  };
  const issued = { row, expiresIn: expiresIn(lifetime) };
  if (opaque !== undefined) return { ...issued, token: opaque };
  const claims = subject.userId === null ? {} : await reservedClaimsFor(ctx, subject.userId, scope.split(" "), about);
  return { ...issued, token: await signAccessToken(ctx, row, client, subject, claims) };
}

interface TokenRights {
  scope: string;
  audience: string[];
  /** Whose claims a JWT has: those of reserved scopes (RFC 9068 §2.2.3), and roles if the app wants them in it. */
  about: ClaimsAudience;
}

/**
 * Returns what a new token grants. Every grant gets its tokens here: an app that may not (or no longer) manage the
 * service gets no token that could. No token has scopes that its project has since removed, or audiences that are not
 * (or no longer) projects. A token for resources has the scopes and roles of their project alone.
 */
async function rightsOf(ctx: Context, client: TokenClient, subject: TokenSubject): Promise<TokenRights> {
  const asked = subject.scope.split(" ");
  const { accessTokenRoleAssertion } = client;
  const resources = await findAudienceResources(ctx, subject.audience, client);
  const [first] = resources;
  if (first) {
    const { id: projectId, rolesClaim } = first.project;
    const flatRoles = rolesClaim === undefined ? undefined : { projectId, claim: rolesClaim };
    return {
      scope: scopeAtResources(asked, resources).join(" "),
      audience: resources.map(({ uri }) => uri),
      about: tokenClaimsAudience({ ...client, projectId }, [projectId], accessTokenRoleAssertion, flatRoles),
    };
  }
  const targets = await findTargetProjects(ctx, client, asked, subject.audience);
  const granted = meaningfulScope(asked, client, targets);
  const gone = scopeAudience(asked.filter((one) => !granted.includes(one)));
  const audience = manageableAudience(subject.audience, client).filter((one) => !gone.includes(one));
  const flatRoles = accessTokenFlatRoles(client, audience, targets);
  return {
    scope: manageableScope(granted, client).join(" "),
    audience,
    about: tokenClaimsAudience(client, audience, accessTokenRoleAssertion, flatRoles),
  };
}

/** Signs the claims of a JWT access token (RFC 9068 §2.2). */
async function signAccessToken(
  ctx: Context,
  row: AccessTokenRow,
  client: TokenClient,
  subject: TokenSubject,
  claims: Record<string, unknown>,
): Promise<string> {
  const key = await signingKey(ctx);
  const issuedAt = Math.floor(row.createdAt / 1000);
  const { auth_time, acr } = authenticationClaims(subject);
  const act = await actorFor(ctx, client, readActor(subject.actor));
  return signJwt(key, client.accessTokenJwtType, {
    ...claims,
    iss: ctx.config.baseUrl,
    sub: row.userId === null ? row.clientId : await subjectFor(ctx, client, row.userId),
    aud: row.audience.split(" "),
    exp: Math.floor(row.expiresAt / 1000),
    iat: issuedAt,
    nbf: issuedAt,
    jti: row.id,
    client_id: row.clientId,
    ...(row.scope === "" ? {} : { scope: row.scope }),
    ...(auth_time === undefined ? {} : { auth_time }),
    ...(acr === undefined ? {} : { acr }), // RFC 9068 §2.2.1, RFC 9470 §6.1
    ...(act === undefined ? {} : { act }), // RFC 8693 §4.1
    cnf: confirmationOf(row.jkt), // RFC 9449 §6.1, RFC 8705 §3.1
  });
}

/** Returns our signing key with the `kid` of a JWT's header. Throws if there is no such key, as jose expects. */
export async function ownKey(ctx: Context, header: JWTHeaderParameters) {
  const key = header.kid === undefined ? undefined : await publicKey(ctx, header.kid);
  if (!key) throw new Error("not a key of this service");
  return importJWK(key, key.alg);
}

/**
 * Returns the stored token of a bearer token, or undefined if it is not ours, was tampered with, has expired or been
 * revoked, or if anything it depends on (session, grant, user, app, organization) has ended.
 */
export async function verifyAccessToken(ctx: Context, token: string): Promise<ValidToken | undefined> {
  const id = await accessTokenId(ctx, token);
  if (id === undefined) return undefined;
  const now = ctx.clock();
  return findValidToken(ctx.db, id, now, now - ctx.config.lifetimes.sessionIdle);
}

/** Like `verifyAccessToken`, together with the token's user, for endpoints that return claims. */
export async function verifyTokenOfUser(ctx: Context, token: string): Promise<ValidTokenAndUser | undefined> {
  const id = await accessTokenId(ctx, token);
  if (id === undefined) return undefined;
  const now = ctx.clock();
  return findValidTokenAndUser(ctx.db, id, now, now - ctx.config.lifetimes.sessionIdle);
}

/**
 * Returns the id of a token's row if the token is ours, intact and (for a JWT) not expired. Does not use the database.
 */
export async function accessTokenId(ctx: Context, token: string): Promise<string | undefined> {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  if (!token.includes(".")) return digest(token);
  if (!isCompactJws(token)) return undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => ownKey(ctx, header), {
      issuer: ctx.config.baseUrl,
      algorithms: [...signingAlgorithms],
      currentDate: new Date(ctx.clock()),
    });
    // An id_token is not an access token (RFC 9068 §4). If both are of type JWT, only an access token has a client_id.
    const isAccessToken =
      protectedHeader.typ === "at+jwt" || (protectedHeader.typ === "JWT" && typeof payload.client_id === "string");
    return isAccessToken ? payload.jti : undefined;
  } catch {
    return undefined;
  }
}
