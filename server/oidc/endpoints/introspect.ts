/**
 * Introspection endpoint (RFC 7662, rule INTROSPECT-1): tells an API whether an access token is valid right now. A
 * caller learns only about tokens meant for it. Every invalid token gets the same response, so that callers cannot
 * probe for tokens or their state (§4).
 */
import type { Context } from "../../context";
import { findClient } from "../../directory/app/app";
import { actorFor, subjectFor } from "../../keys/subject";
import { type Actor, readActor } from "../../protocol/actor";
import { isInAudience } from "../../protocol/audience";
import { authenticationClaims } from "../../protocol/authentication-claims";
import type { Client } from "../../protocol/client";
import { introspectionMethods } from "../../protocol/client-credentials";
import { invalidRequest, isError, type OAuthError } from "../../protocol/oauth-error";
import { ownFlatRoles } from "../../protocol/roles-claim";
import { type Confirmation, confirmationOf, tokenTypeOf } from "../../protocol/token-binding";
import type { ValidToken } from "../../storage/grant/access-tokens";
import type { ClaimsRow } from "../../storage/user/claims";
import { verifyTokenOfUser } from "../access-tokens";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { audienceWithProjects } from "../resources";
import { type SignedAnswer, signAnswer } from "../signed-answer";
import { claimsAudienceOf, claimsOf } from "../user-claims";
import { noteWrongAudience } from "../wrong-audience";

/** The response (RFC 7662 §2.2). Times are epoch seconds. */
export type Introspection = { active: false } | ActiveToken;

export interface ActiveToken {
  active: true;
  iss: string;
  sub: string;
  aud: string[];
  client_id: string;
  exp: number;
  iat: number;
  nbf: number;
  jti: string;
  token_type: "Bearer" | "DPoP";
  /** What the token is bound to (RFC 9449 §6.2, RFC 8705 §3.2). */
  cnf?: Confirmation;
  scope?: string;
  username?: string;
  /** The actor (RFC 8693 §4.1). */
  act?: Actor;
  /** Claims of the user by scope. */
  [claim: string]: unknown;
}

const INACTIVE: Introspection = { active: false };

/** The media type of a signed response (RFC 9701 §4). */
const SIGNED_TYPE = "application/token-introspection+jwt";

/**
 * Describes the presented token to an authenticated client.
 * @param accept the header `Accept`, which may ask for a signed response (RFC 9701)
 */
export async function introspect(
  ctx: Context,
  http: OAuthHttpRequest,
  accept = "",
): Promise<Introspection | SignedAnswer | OAuthError> {
  const caller = await authenticateClient(ctx, http, introspectionMethods);
  if (isError(caller)) return caller;
  const answer = await describe(ctx, caller, http);
  if (isError(answer) || !accept.includes(SIGNED_TYPE)) return answer;
  const iat = Math.floor(ctx.clock() / 1000);
  const claims = { aud: caller.clientId, iat, token_introspection: answer };
  const signed = { typ: "token-introspection+jwt", contentType: SIGNED_TYPE, claims };
  return signAnswer(ctx, caller.introspectionSigningAlgorithm, signed);
}

async function describe(ctx: Context, caller: Client, http: OAuthHttpRequest): Promise<Introspection | OAuthError> {
  const presented = http.form.get("token");
  if (presented === undefined) return invalidRequest("token is missing"); // RFC 7662 §2.1
  const verified = await verifyTokenOfUser(ctx, presented);
  if (!verified) return INACTIVE;
  const { token, user } = verified;
  const audience = await audienceWithProjects(ctx, token);
  if (!isInAudience(audience, caller)) {
    noteWrongAudience(ctx, caller, token);
    return INACTIVE;
  }
  const properties =
    user && token.userId !== null
      ? await userProperties(ctx, caller, { ...token, userId: token.userId, audience }, user)
      : {};
  return { ...properties, ...(await tokenProperties(ctx, token)) };
}

/** The user is named as in a JWT of the same client (RFC 7662 §2.2, RFC 9068 §2.2). */
async function tokenProperties(ctx: Context, token: ValidToken): Promise<ActiveToken> {
  const issuedAt = Math.floor(token.createdAt / 1000);
  const client = await findClient(ctx, token.clientId);
  const act = await actorFor(ctx, client, readActor(token.actor));
  return {
    active: true,
    iss: ctx.config.baseUrl,
    sub: token.userId === null ? token.clientId : await subjectFor(ctx, client, token.userId),
    aud: token.audience.split(" "),
    client_id: token.clientId,
    exp: Math.floor(token.expiresAt / 1000),
    iat: issuedAt,
    nbf: issuedAt,
    jti: token.id,
    token_type: tokenTypeOf(token.jkt),
    ...(token.jkt === null ? {} : { cnf: confirmationOf(token.jkt) }),
    ...(token.scope === "" ? {} : { scope: token.scope }),
    ...authenticationClaims(token),
    ...(act ? { act } : {}),
  };
}

/** Returns the login name and the claims of the scopes; roles are those of the caller's project. */
async function userProperties(
  ctx: Context,
  caller: Client,
  { scope, userId, audience }: { scope: string; userId: string; audience: readonly string[] },
  row: ClaimsRow,
) {
  const about = claimsAudienceOf(caller, audience, ownFlatRoles(caller));
  const wanted = { scope: scope.split(" "), claimsRequest: null, target: "userinfo", about } as const;
  return { ...(await claimsOf(ctx, userId, row, wanted)), username: row.loginName };
}
