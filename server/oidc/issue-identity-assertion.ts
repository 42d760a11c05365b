/**
 * Issues identity assertions (ID-JAG, draft-ietf-oauth-identity-assertion-authz-grant §4.3): a JWT with which a client
 * gets a token for its user at another authorization server, without a page. The organization of the app connected it
 * to that server, which decides for the organization's own users alone (rule ASSERT-4, attack: an app that users of
 * another organization signed in to speaks for them elsewhere).
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { firstEvent } from "../events/first";
import { signJwt } from "../keys/sign-jwt";
import { signingKey } from "../keys/signing-keys";
import { subjectFor } from "../keys/subject";
import { type AssertedRights, assertedRights } from "../protocol/asserted-rights";
import { authenticationClaims } from "../protocol/authentication-claims";
import type { Client, ConnectedServer } from "../protocol/client";
import { invalidRequest, invalidTarget, isError, type OAuthError, unauthorizedClient } from "../protocol/oauth-error";
import { sectorOf } from "../protocol/sector";
import { confirmationOf, provesBinding } from "../protocol/token-binding";
import { type IdentityAssertionRequest, tokenTypes } from "../protocol/token-exchange-request";
import { expiresIn } from "../protocol/token-expiry";
import { findGrant, recordIssued } from "../storage/grant/grant";
import { checkAppAccess } from "./app-access";
import { readParty } from "./exchange-parties";
import { IDENTITY_ASSERTION } from "./provider-assertions";
import { openRefreshToken } from "./refresh-token-format";
import type { TokenResponse } from "./token-response";
import { claimsAudienceOf, claimsFor } from "./user-claims";

/** Milliseconds: the client presents it at once, and gets another one when it needs it. */
const LIFETIME = 300_000;

/** @param binding what the request proves (token-binding.ts); a key is the only one that may present the assertion */
export async function issueIdentityAssertion(
  ctx: Context,
  client: Client,
  request: IdentityAssertionRequest,
  binding: string | undefined,
): Promise<TokenResponse | OAuthError> {
  if (client.authenticationMethod === "none") {
    return unauthorizedClient("identity assertions are for clients that authenticate"); // §8.1
  }
  const server = client.connectedServers.find(({ issuer }) => issuer === request.audience);
  if (!server) return invalidTarget("this client is not connected to the audience; an administrator can connect it");
  const rights = assertedRights(request, server);
  if (isError(rights)) return rights;
  const subject = await findSubject(ctx, client, request.subject, binding);
  if ("problem" in subject) return invalidRequest(`subject_token is not accepted: ${subject.problem}`);
  const { userId, organizationId, grantId, notAfter } = subject;
  if (organizationId !== client.organizationId) {
    return invalidRequest("the user belongs to another organization than the application");
  }
  const refusal = await checkAppAccess(ctx, client, { userId, organizationId });
  if (refusal) return invalidRequest(refusal.description);

  const id = newId();
  const now = ctx.clock();
  const lifetime = expiresIn(Math.min(LIFETIME, notAfter - now));
  const iat = Math.floor(now / 1000);
  const key = await signingKey(ctx, client.idTokenSigningAlgorithm);
  const jkt = confirmationOf(binding ?? null)?.jkt;
  const token = await signJwt(key, IDENTITY_ASSERTION, {
    iss: ctx.config.baseUrl,
    aud: server.issuer,
    client_id: server.clientId,
    jti: id,
    iat,
    exp: iat + lifetime,
    ...(await userOf(ctx, client, server, subject)),
    ...namesOf(rights),
    ...(jkt === undefined ? {} : { cnf: { jkt } }),
  });
  const scope = rights.scope.join(" ");
  const event = firstEvent(ctx, {
    type: "grant.exchanged",
    object: { id, organizationId },
    origin: { actor: userId },
    payload: {
      userId,
      clientId: client.clientId,
      actors: [],
      subjectTokenType: request.subject.type,
      actorTokenType: undefined,
      requestedTokenType: tokenTypes.idJag,
      scope,
      audience: [server.issuer, ...rights.resources].join(" "),
    },
  });
  if (!(await recordIssued(ctx.db, grantId, event))) return invalidRequest("the sign-in behind it has ended");
  const answer = { access_token: token, issued_token_type: tokenTypes.idJag, token_type: "N_A" } as const;
  return { ...answer, expires_in: lifetime, scope };
}

interface Subject {
  userId: string;
  organizationId: string;
  grantId: string;
  scope: readonly string[];
  authTime?: number | null;
  amr?: string | null;
  acr?: string | null;
  /** Epoch milliseconds. */
  notAfter: number;
}

/** Returns the user behind an ID token or a refresh token of this client itself (§4.3.1), or the problem. */
async function findSubject(
  ctx: Context,
  client: Client,
  { token, type }: IdentityAssertionRequest["subject"],
  binding: string | undefined,
): Promise<Subject | { problem: string }> {
  if (type === tokenTypes.refreshToken) return findRefreshable(ctx, client, token, binding);
  const party = await readParty(ctx, client, { token, type });
  if ("problem" in party) return party;
  const { holder, act, grantId, scope = [], expiresAt = 0 } = party;
  if (holder !== client.clientId || grantId === null) return { problem: "it was issued to another client" };
  if (act) return { problem: "it has an actor" };
  const { userId, organizationId } = party;
  return { userId, organizationId, grantId, scope, ...party.authentication, notAfter: expiresAt };
}

/** Checks a refresh token as the grant does that uses it, but leaves it as it is. */
async function findRefreshable(
  ctx: Context,
  client: Client,
  token: string,
  binding: string | undefined,
): Promise<Subject | { problem: string }> {
  const presented = openRefreshToken(ctx, token);
  const grant = presented && (await findGrant(ctx.db, presented.grantId));
  const now = ctx.clock();
  if (!grant || grant.expiresAt <= now || (grant.refreshIdleUntil ?? 0) <= now) return { problem: "it has expired" };
  if (grant.clientId !== client.clientId) return { problem: "it was issued to another client" };
  if (grant.revokedAt !== null || !grant.isValid) return { problem: "the sign-in behind it has ended" };
  if (presented.generation !== grant.refreshGeneration) return { problem: "it was used before" };
  if (!provesBinding(grant.jkt, binding)) return { problem: "it is bound to another key" };
  if (grant.actor !== null) return { problem: "it has an actor" };
  return { ...grant, grantId: grant.id, scope: grant.scope.split(" "), notAfter: grant.expiresAt };
}

/**
 * Returns the claims about the user: the subject that the other server knows from its own sign-ins, never the id if the
 * client itself sees pairwise subjects, and the address if the client may see it.
 */
async function userOf(ctx: Context, client: Client, { issuer, sector }: ConnectedServer, subject: Subject) {
  const named = sector ?? (client.sector === undefined ? undefined : (sectorOf({ redirectUris: [issuer] }) ?? ""));
  const about = claimsAudienceOf(client, [client.clientId], undefined);
  const scope = subject.scope.filter((one) => one === "email");
  const address = await claimsFor(ctx, subject.userId, { scope, claimsRequest: null, target: "idToken", about });
  return {
    sub: await subjectFor(ctx, { sector: named }, subject.userId),
    ...authenticationClaims(subject),
    ...(scope.length > 0 ? { email: address?.email, email_verified: address?.email_verified } : {}),
  };
}

/** A member with one value is a string, as the examples of the draft have it. */
function namesOf({ scope, resources }: AssertedRights) {
  const [only, another] = resources;
  return {
    ...(scope.length > 0 ? { scope: scope.join(" ") } : {}),
    ...(only === undefined ? {} : { resource: another === undefined ? only : resources }),
  };
}
