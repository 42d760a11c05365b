/**
 * The successful end of the authorization endpoint (OIDC Core §3.1.2.5, §3.2.2.5, §3.3.2.5): a code, tokens, or
 * both, stored together with their grant. Every response contains `iss` (RFC 9207, against mix-up attacks).
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { newId, randomSecret } from "../crypto/random";
import { findClient } from "../directory/app/app";
import { keepDocumentClient } from "../directory/app/document-client";
import { noteClientUse } from "../directory/app/registration-use";
import { signJwt } from "../keys/sign-jwt";
import { signingKey } from "../keys/signing-keys";
import { audienceOf } from "../protocol/audience";
import { acrOf } from "../protocol/authentication-context";
import type { AuthorizationRequest, RedirectTarget } from "../protocol/authorization-request";
import { errorValues, type ResponseValues } from "../protocol/authorization-response";
import { idTokenScopeClaims } from "../protocol/claims";
import type { Client } from "../protocol/client";
import type { OAuthError } from "../protocol/oauth-error";
import {
  isFrontChannel,
  isSignedMode,
  type ResponseMode,
  returnsAccessToken,
  returnsCode,
  returnsIdToken,
} from "../protocol/response-type";
import { ownFlatRoles } from "../protocol/roles-claim";
import type { Insert } from "../storage/database";
import { type GrantRow, grantInserts, grantRow } from "../storage/grant/grant";
import type { SessionRow } from "../storage/session/session";
import { makeAccessToken } from "./access-tokens";
import { noteForLogout } from "./backchannel/deliver";
import { lifetimesFor } from "./client-lifetimes";
import { issueIdToken } from "./id-token";
import { claimsAudienceOf, claimsFor, tokenClaimsAudience } from "./user-claims";

/** The parameters for the redirect URI and the response mode. */
export interface AuthorizationResponse {
  kind: "response";
  clientId: string;
  redirectUri: string;
  mode: ResponseMode;
  values: ResponseValues;
}

/** Returns an error for the client in the response mode that it requested. */
export function errorResponse(ctx: Context, request: RedirectTarget, error: OAuthError): AuthorizationResponse {
  return respond(ctx, request, errorValues(error, request.state));
}

function respond(
  ctx: Context,
  { clientId, redirectUri, responseMode }: RedirectTarget,
  values: ResponseValues,
): AuthorizationResponse {
  return {
    kind: "response",
    clientId,
    redirectUri,
    mode: responseMode,
    values: { ...values, iss: ctx.config.baseUrl },
  };
}

/** How long a signed response is valid, in seconds. */
const SIGNED_RESPONSE_LIFETIME = 600;

/**
 * Returns the parameters as they are sent: in a JWT if the mode is a signed one (JARM §2.1).
 */
export async function signResponse(
  ctx: Context,
  { clientId, mode, values }: AuthorizationResponse,
): Promise<ResponseValues> {
  const algorithm = isSignedMode(mode) ? (await findClient(ctx, clientId))?.authorizationSigningAlgorithm : undefined;
  if (algorithm === undefined) return values;
  const exp = Math.floor(ctx.clock() / 1000) + SIGNED_RESPONSE_LIFETIME;
  return { response: await signJwt(await signingKey(ctx, algorithm), "JWT", { ...values, aud: clientId, exp }) };
}

/** Stores what the session's user grants the client, and returns a code or tokens. */
export async function grantAuthorization(
  ctx: Context,
  client: Client,
  request: AuthorizationRequest,
  session: SessionRow,
): Promise<AuthorizationResponse> {
  const grant = await newGrant(ctx, client, request, session);
  const { inserts, values } = await prepareResponse(ctx, client, request, session, grant);
  await ctx.db.commit({ inserts });
  await noteForLogout(ctx, client, session);
  return respond(ctx, request, { ...values, state: request.state });
}

/** The rows to store for a response, and the values for the client after that. */
interface Prepared {
  inserts: Insert[];
  values: ResponseValues;
}

/**
 * Prepares what the response type asks for: a code, tokens (OIDC Core §3.2), or both (§3.3), all of one grant. So a
 * code that is presented twice also ends the access token of the same response.
 */
async function prepareResponse(
  ctx: Context,
  client: Client,
  request: AuthorizationRequest,
  session: SessionRow,
  issued: GrantRow,
): Promise<Prepared> {
  const { responseType } = request;
  const coded = returnsCode(responseType) ? await withCode(ctx, client, issued) : undefined;
  const grant = coded?.grant ?? issued;
  if (!isFrontChannel(responseType)) return { inserts: grantInserts(grant), values: { code: coded?.code } };
  const tokens = await frontChannelTokens(ctx, client, request, session, { grant, code: coded?.code });
  return { ...tokens, values: { code: coded?.code, ...tokens.values } };
}

async function withCode(ctx: Context, client: Client, grant: GrantRow): Promise<{ code: string; grant: GrantRow }> {
  const code = randomSecret();
  const codeExpiresAt = grant.createdAt + ctx.config.lifetimes.code;
  const expiresAt = await endOfCodeGrant(ctx, client, grant);
  return { code, grant: { ...grant, codeDigest: digest(code), codeExpiresAt, expiresAt } };
}

/** Whether the code of this grant is also redeemed for a refresh token. */
export const isOffline = (client: Client, { scope }: Pick<GrantRow, "scope">): boolean =>
  scope.split(" ").includes("offline_access") && client.grantTypes.includes("refresh_token");

/**
 * Returns the time at which everything issued for the code has expired. It is the same before and after redemption: the
 * column is indexed, and redeeming can then update the row in place. Codes that are never redeemed are deleted earlier
 * (`sweepExpired`).
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
 * Prepares the tokens of a response through the browser (OIDC Core §3.2.2.5, §3.3.2.5).
 * @param issued.code the code of the same response, if any
 */
async function frontChannelTokens(
  ctx: Context,
  client: Client,
  request: AuthorizationRequest,
  session: SessionRow,
  { grant, code }: { grant: GrantRow; code: string | undefined },
): Promise<Prepared> {
  const { responseType } = request;
  const notAfter = session.expiresAt;
  const audience = grant.audience.split(" ");
  // Only the code is bound to the key of the request: no proof comes with this response.
  const subject = { ...grant, grantId: grant.id, audience, notAfter, jkt: null };
  const accessToken = returnsAccessToken(responseType) ? await makeAccessToken(ctx, client, subject) : undefined;
  const issuesAccessToken = accessToken !== undefined || code !== undefined;
  const idToken = returnsIdToken(responseType)
    ? await issueIdToken(
        ctx,
        client,
        { ...grant, grantId: grant.id, sessionId: session.id },
        {
          nonce: request.nonce,
          accessToken: accessToken?.token,
          code,
          userClaims: await frontChannelClaims(ctx, client, grant, issuesAccessToken),
          notAfter,
        },
      )
    : undefined;
  const values: ResponseValues = {
    ...(accessToken && { access_token: accessToken.token, expires_in: accessToken.expiresIn, scope: grant.scope }),
    // Rule AUTHORIZE-10: without a code always, even with an id_token alone
    ...((accessToken || code === undefined) && { token_type: "Bearer" }),
    ...(idToken !== undefined && { id_token: idToken }),
  };
  return { inserts: grantInserts(grant, accessToken?.row), values };
}

/**
 * Returns the claims about the user in an ID token that is sent through the browser. If the client gets no access
 * token, it cannot call userinfo, so all requested claims must be in it.
 */
function frontChannelClaims(ctx: Context, client: Client, grant: GrantRow, issuesAccessToken: boolean) {
  const { idTokenRoleAssertion } = client;
  const audience = grant.audience.split(" ");
  const about =
    issuesAccessToken || idTokenRoleAssertion
      ? tokenClaimsAudience(client, audience, idTokenRoleAssertion, ownFlatRoles(client))
      : claimsAudienceOf(client, audience, ownFlatRoles(client));
  const scope = idTokenScopeClaims(grant.scope.split(" "), issuesAccessToken, client);
  return claimsFor(ctx, grant.userId, { scope, claimsRequest: grant.claimsRequest, target: "idToken", about });
}

/**
 * Returns the grant of the session's user to the client, not stored yet.
 * @param redeemWithin milliseconds until the tokens must have been requested
 */
export async function newGrant(
  ctx: Context,
  client: Client,
  request: Pick<
    AuthorizationRequest,
    "scope" | "nonce" | "claimsRequest" | "codeChallenge" | "dpopJkt" | "resources"
  > & {
    redirectUri?: string;
  },
  session: SessionRow,
  redeemWithin = ctx.config.lifetimes.code,
): Promise<GrantRow> {
  await keepDocumentClient(ctx, client);
  noteClientUse(ctx, client);
  const now = ctx.clock();
  const lifetime = redeemWithin + (await lifetimesFor(ctx, client)).accessToken;
  return grantRow({
    id: newId(),
    clientId: client.clientId,
    userId: session.userId,
    sessionId: session.id,
    scope: request.scope.join(" "),
    audience: (request.resources ?? audienceOf(client, request.scope)).join(" "),
    nonce: request.nonce ?? null,
    claimsRequest: request.claimsRequest ? JSON.stringify(request.claimsRequest) : null,
    authTime: session.authTime,
    amr: session.amr,
    acr: acrOf(session.amr),
    redirectUri: request.redirectUri ?? null,
    codeChallenge: request.codeChallenge ?? null,
    jkt: request.dpopJkt ?? null,
    createdAt: now,
    expiresAt: now + lifetime,
  });
}
