/**
 * The successful end of the authorization endpoint (OIDC Core §3.1.2.5, §3.2.2.5): a code, or tokens in the implicit
 * flow, stored together with their grant. Every answer carries `iss` (RFC 9207, against mix-up).
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { newId, randomSecret } from "../crypto/random";
import { audienceOf } from "../protocol/audience";
import { acrOf } from "../protocol/authentication-context";
import type { AuthorizationRequest, RedirectTarget } from "../protocol/authorization-request";
import { errorValues, type ResponseValues } from "../protocol/authorization-response";
import { idTokenScopeClaims } from "../protocol/claims";
import type { Client } from "../protocol/client";
import type { OAuthError } from "../protocol/oauth-error";
import type { ResponseMode } from "../protocol/response-type";
import { ownFlatRoles } from "../protocol/roles-claim";
import type { UnstoredSession } from "../sessions/session";
import type { Insert } from "../storage/database";
import { type GrantRow, grantInserts, grantRow } from "../storage/grants";
import type { SessionRow } from "../storage/sessions";
import { makeAccessToken } from "./access-tokens";
import { noteForLogout } from "./backchannel/deliver";
import { lifetimesFor } from "./client-lifetimes";
import { issueIdToken } from "./id-token";
import { claimsAudienceOf, claimsFor, tokenClaimsAudience } from "./user-claims";

/** What goes to the redirect URI, and how. */
export interface AuthorizationResponse {
  kind: "response";
  redirectUri: string;
  mode: ResponseMode;
  values: ResponseValues;
}

/** An error for the client, in the response mode it asked for. */
export function errorResponse(
  ctx: Context,
  { redirectUri, responseMode, state }: Pick<RedirectTarget, "redirectUri" | "responseMode" | "state">,
  error: OAuthError,
): AuthorizationResponse {
  return respond(ctx, redirectUri, responseMode, errorValues(error, state));
}

function respond(ctx: Context, redirectUri: string, mode: ResponseMode, values: ResponseValues): AuthorizationResponse {
  return { kind: "response", redirectUri, mode, values: { ...values, iss: ctx.config.baseUrl } };
}

/**
 * Stores what the session's user grants the client, and answers with a code or tokens.
 * @param unstored the session, where it is not stored yet: then it is stored in the same unit
 */
export async function grantAuthorization(
  ctx: Context,
  client: Client,
  request: AuthorizationRequest,
  session: SessionRow,
  unstored?: UnstoredSession,
): Promise<AuthorizationResponse> {
  const grant = await newGrant(ctx, client, request, session);
  const { inserts, values } =
    request.responseType === "code"
      ? await byCode(ctx, client, grant)
      : await implicit(ctx, client, request, session, grant);
  await (unstored ? unstored.store(inserts) : ctx.db.commit({ inserts }));
  // Behind the session, or it would count as one that has ended.
  await noteForLogout(ctx, client, session);
  return respond(ctx, request.redirectUri, request.responseMode, { ...values, state: request.state });
}

/** What is stored for an answer, and what the client gets once it is. */
interface Prepared {
  inserts: Insert[];
  values: ResponseValues;
}

async function byCode(ctx: Context, client: Client, grant: GrantRow): Promise<Prepared> {
  const code = randomSecret();
  const codeExpiresAt = grant.createdAt + ctx.config.lifetimes.code;
  const expiresAt = await endOfCodeGrant(ctx, client, grant);
  return { inserts: grantInserts({ ...grant, codeDigest: digest(code), codeExpiresAt, expiresAt }), values: { code } };
}

/** Whether a code of this grant is redeemed for a refresh token, too. */
export const isOffline = (client: Client, { scope }: Pick<GrantRow, "scope">): boolean =>
  scope.split(" ").includes("offline_access") && client.grantTypes.includes("refresh_token");

/**
 * When nothing of a grant with a code is valid any more. It is the same before the code is redeemed and after, as the time
 * is in an index: redeeming then changes the row in place. Codes that nobody redeems are deleted earlier (`sweepExpired`).
 */
export async function endOfCodeGrant(
  ctx: Context,
  client: Client,
  grant: Pick<GrantRow, "scope" | "createdAt">,
): Promise<number> {
  const { refreshToken, accessToken } = await lifetimesFor(ctx, client);
  return grant.createdAt + (isOffline(client, grant) ? refreshToken : ctx.config.lifetimes.code + accessToken);
}

/**
 * Implicit flow, OIDC Core §3.2: the id_token is issued at once, either with an access token or containing the claims
 * itself.
 */
async function implicit(
  ctx: Context,
  client: Client,
  request: AuthorizationRequest,
  session: SessionRow,
  grant: GrantRow,
): Promise<Prepared> {
  const notAfter = session.expiresAt;
  const subject = { ...grant, grantId: grant.id, audience: grant.audience.split(" "), notAfter };
  const accessToken =
    request.responseType === "id_token token" ? await makeAccessToken(ctx, client, subject) : undefined;
  const scope = idTokenScopeClaims(grant.scope.split(" "), accessToken !== undefined, client);
  const audience = grant.audience.split(" ");
  const { idTokenRoleAssertion } = client;
  // Without an access token the client cannot call userinfo: the requested claims go here or nowhere.
  const about =
    accessToken || idTokenRoleAssertion
      ? tokenClaimsAudience(client, audience, idTokenRoleAssertion, ownFlatRoles(client))
      : claimsAudienceOf(client, audience, ownFlatRoles(client));
  const userClaims = await claimsFor(ctx, session.userId, {
    scope,
    claimsRequest: grant.claimsRequest,
    target: "idToken",
    about,
  });
  const authentication = { ...grant, grantId: grant.id, sessionId: session.id };
  const idToken = await issueIdToken(ctx, client, authentication, {
    nonce: request.nonce,
    accessToken: accessToken?.token,
    userClaims,
    notAfter,
  });
  const values: ResponseValues = {
    ...(accessToken && { access_token: accessToken.token, expires_in: accessToken.expiresIn, scope: grant.scope }),
    token_type: "Bearer", // Rule AUTHORIZE-10: always, though nothing bears it beside an id_token alone
    id_token: idToken,
  };
  return { inserts: grantInserts(grant, accessToken?.row), values };
}

/**
 * The grant of the session's user to the client, not stored yet.
 * @param redeemWithin milliseconds until the tokens must have been requested
 */
export async function newGrant(
  ctx: Context,
  client: Client,
  request: Pick<AuthorizationRequest, "scope" | "nonce" | "claimsRequest" | "codeChallenge"> & { redirectUri?: string },
  session: SessionRow,
  redeemWithin = ctx.config.lifetimes.code,
): Promise<GrantRow> {
  const now = ctx.clock();
  const lifetime = redeemWithin + (await lifetimesFor(ctx, client)).accessToken;
  return grantRow({
    id: newId(),
    clientId: client.clientId,
    userId: session.userId,
    sessionId: session.id,
    scope: request.scope.join(" "),
    audience: audienceOf(client, request.scope).join(" "),
    nonce: request.nonce ?? null,
    claimsRequest: request.claimsRequest ? JSON.stringify(request.claimsRequest) : null,
    authTime: session.authTime,
    amr: session.amr,
    acr: acrOf(session.amr),
    redirectUri: request.redirectUri ?? null,
    codeChallenge: request.codeChallenge ?? null,
    createdAt: now,
    expiresAt: now + lifetime,
  });
}
