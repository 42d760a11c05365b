/**
 * ID tokens (OIDC Core §2): signed statements about an authentication. They contain scope claims only if no access
 * token is issued with them, or if the app is set to include them (rule AUTHORIZE-11).
 */

import { hash } from "node:crypto";
import { jwtVerify } from "jose";
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import type { SigningKey } from "../keys/key-ring";
import { jwtHeader, signJwt } from "../keys/sign-jwt";
import { signingKey } from "../keys/signing-keys";
import { actorFor, sessionFor, sessionOfSid, subjectFor, userOfSubject } from "../keys/subject";
import { readActor } from "../protocol/actor";
import { authenticationClaims } from "../protocol/authentication-claims";
import { type Client, type SigningAlgorithm, signingAlgorithms, type TokenClient } from "../protocol/client";
import { isCompactJws } from "../protocol/compact-jws";
import { expiresIn } from "../protocol/token-expiry";
import { ownKey } from "./access-tokens";
import { lifetimesFor } from "./client-lifetimes";

/**
 * The claim with the grant of an ID token, which an exchange of the token needs (RFC 8693 §2.1): the registered
 * transaction identifier (RFC 8417 §2.2). A private claim would be one that no client requested.
 */
export const GRANT_CLAIM = "txn";

/** The authentication that an ID token describes. Times are epoch milliseconds. */
export interface Authentication {
  userId: string;
  grantId: string;
  sessionId: string | null;
  authTime: number;
  /** Space-delimited RFC 8176 values. */
  amr: string;
  acr: string | null;
  /** The act claim of the actor, in JSON. */
  actor?: string | null;
}

export interface IdTokenOptions {
  nonce?: string | null;
  /** The access token issued with it, for at_hash (OIDC Core §3.1.3.6). */
  accessToken?: string;
  /** The code issued with it, for c_hash (OIDC Core §3.3.2.11). */
  code?: string;
  /** Claims about the user, already filtered by scope and rule. */
  userClaims?: Record<string, unknown>;
  /** The latest time of expiry, in epoch milliseconds. */
  notAfter?: number;
}

/**
 * Returns the left half of the hash that belongs to the signature algorithm (OIDC Core §3.2.2.9): for EdDSA SHA-512,
 * which Ed25519 itself uses (RFC 8032 §5.1), for the others SHA-256.
 */
function halfHash(value: string, algorithm: SigningAlgorithm): string {
  const digest = hash(algorithm === "EdDSA" ? "sha512" : "sha256", value, "buffer");
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

/** The content of an ID token, without a signature. */
export interface ShownIdToken {
  header: { alg: string; kid: string; typ: string };
  payload: Readonly<Record<string, unknown>>;
}

type Described = [ctx: Context, client: TokenClient, authentication: Authentication, options: IdTokenOptions];

/** Signs an ID token for the client. */
export async function issueIdToken(...described: Described): Promise<string> {
  const { key, claims } = await contentOf(...described);
  return signJwt(key, "JWT", claims);
}

/** Returns the content of an ID token for display. Unsigned, so it is not accepted anywhere. */
export async function showIdToken(...described: Described): Promise<ShownIdToken> {
  const { key, claims } = await contentOf(...described);
  return { header: jwtHeader(key, "JWT"), payload: claims };
}

async function contentOf(
  ...[ctx, client, authentication, options]: Described
): Promise<{ key: SigningKey; claims: Record<string, unknown> }> {
  const key = await signingKey(ctx, client.idTokenSigningAlgorithm);
  const now = ctx.clock();
  const { idToken } = await lifetimesFor(ctx, client);
  const { clockSkew = 0 } = client;
  const lifetime = Math.min(idToken + clockSkew, (options.notAfter ?? Number.POSITIVE_INFINITY) - now);
  const authTime = authentication.authTime - clockSkew;
  const act = await actorFor(ctx, client, readActor(authentication.actor));
  const { sessionId } = authentication;
  const claims = {
    ...options.userClaims,
    iss: ctx.config.baseUrl,
    sub: await subjectFor(ctx, client, authentication.userId),
    aud: client.clientId,
    azp: client.clientId,
    exp: Math.floor(now / 1000) + expiresIn(lifetime),
    iat: Math.floor((now - clockSkew) / 1000),
    ...authenticationClaims({ ...authentication, authTime }),
    ...(act ? { act } : {}), // RFC 8693 §4.1: exchanging the token again cannot hide the actor
    ...(sessionId ? { sid: await sessionFor(ctx, client, sessionId) } : {}),
    [GRANT_CLAIM]: authentication.grantId,
    ...(options.nonce ? { nonce: options.nonce } : {}),
    ...(options.accessToken ? { at_hash: halfHash(options.accessToken, key.algorithm) } : {}),
    ...(options.code ? { c_hash: halfHash(options.code, key.algorithm) } : {}),
  };
  return { key, claims };
}

export interface IdTokenHint {
  userId: string;
  clientId: string;
  /** That of the client. */
  sector: string | undefined;
  sessionId: string | undefined;
  grantId: string | undefined;
}

/**
 * Reads an id_token that is sent as a hint. It may have expired (OIDC RP-Initiated Logout §2), but must be ours.
 * @returns undefined if it is not an id_token of this service
 */
export async function readIdTokenHint(ctx: Context, hint: string): Promise<IdTokenHint | undefined> {
  if (!isCompactJws(hint)) return undefined;
  try {
    const { payload } = await jwtVerify(hint, (header) => ownKey(ctx, header), {
      issuer: ctx.config.baseUrl,
      typ: "JWT",
      algorithms: [...signingAlgorithms],
      currentDate: new Date(0), // expiry does not matter for a hint
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    if (typeof payload.sub !== "string" || typeof payload.azp !== "string") return undefined;
    const client = await findClient(ctx, payload.azp);
    const grantId = payload[GRANT_CLAIM];
    return {
      ...(await namedIn(ctx, client, payload.sub, payload.sid)),
      clientId: payload.azp,
      sector: client?.sector,
      grantId: typeof grantId === "string" ? grantId : undefined,
    };
  } catch {
    return undefined;
  }
}

/**
 * Returns the user and the session of an ID token of ours. It names them by their own ids if it was issued before the
 * client got pairwise subjects.
 */
export async function namedIn(
  ctx: Context,
  client: Client | undefined,
  sub: string,
  sid: unknown,
): Promise<{ userId: string; sessionId: string | undefined }> {
  const userId = (await userOfSubject(ctx, client, sub)) ?? sub;
  if (typeof sid !== "string") return { userId, sessionId: undefined };
  return { userId, sessionId: (await sessionOfSid(ctx, client, sid)) ?? sid };
}
