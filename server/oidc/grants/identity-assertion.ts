/**
 * The jwt-bearer grant with an identity assertion (ID-JAG, draft-ietf-oauth-identity-assertion-authz-grant): a
 * confidential client gets an access token for a user for whom a trusted identity provider vouches, without a page.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { firstEvent } from "../../events/first";
import { audienceOf } from "../../protocol/audience";
import { FEDERATED } from "../../protocol/authentication-context";
import { type Client, type ClientAuthenticationMethod, clientAuthenticationMethods } from "../../protocol/client";
import { type JwtBearerRequest, jwtBearer, parseJwtBearer } from "../../protocol/grant-type";
import { invalidGrant, invalidScope, invalidTarget, isError, type OAuthError } from "../../protocol/oauth-error";
import { checkOneProject, meaningfulTo } from "../../protocol/resource";
import { isSubset, scopeAudience, withinRegistered } from "../../protocol/scope";
import { type Confirmation, provesBinding } from "../../protocol/token-binding";
import { tokenTypes } from "../../protocol/token-exchange-request";
import { relationTo } from "../../protocol/trust";
import { grantRow, insertByAssertion } from "../../storage/grant/grant";
import { makeAccessToken } from "../access-tokens";
import { checkAppAccess } from "../app-access";
import { authenticateClient } from "../client-authentication";
import { decisionOfOrganization } from "../client-decisions";
import { lifetimesFor } from "../client-lifetimes";
import { type AssertedIdentity, readIdentityAssertion } from "../provider-assertions";
import { checkResourceAccess, findRequestedResources } from "../resources";
import { type TokenResponse, tokenResponse } from "../token-response";
import { authenticatedGrant } from "./grant";

/** A client without credentials sends its users to the authorization endpoint instead (§9.1 of the draft). */
const methods: readonly ClientAuthenticationMethod[] = clientAuthenticationMethods.filter((one) => one !== "none");

export const identityAssertionGrant = authenticatedGrant<Client, JwtBearerRequest>({
  grantType: jwtBearer,
  methods,
  authenticate: (ctx, http) => authenticateClient(ctx, http, methods),
  mayUse: () => true, // the trust of the organization in the provider permits it
  parse: parseJwtBearer,
  appOf: (client) => client,
  needsProof: (client) => client.dpopBoundAccessTokens,
  needsCertificate: (client) => client.tlsClientCertificateBoundAccessTokens,
  issue,
});

async function issue(
  ctx: Context,
  client: Client,
  request: JwtBearerRequest,
  binding: string | undefined,
): Promise<TokenResponse | OAuthError> {
  const asserted = await readIdentityAssertion(ctx, client, request.assertion);
  if ("problem" in asserted) {
    return { ...invalidGrant(`the assertion is not valid: ${asserted.problem}`), cause: asserted.cause };
  }
  const { user, claims } = asserted;
  const { jkt } = (claims.cnf ?? {}) as Confirmation; // the one key that may present it (RFC 7800 §3.1)
  if (!provesBinding(jkt ?? null, binding)) return invalidGrant("the assertion is bound to another key");
  const person = { userId: user.id, organizationId: user.organizationId };
  const refusal = (await checkAppAccess(ctx, client, person)) ?? (await checkApproval(ctx, client, person));
  if (refusal) return invalidGrant(refusal.description);
  const rights = await rightsOf(ctx, client, request, asserted);
  if (isError(rights)) return rights;

  const now = ctx.clock();
  const { accessToken: lifetime } = await lifetimesFor(ctx, client);
  const authTime = authenticatedAt(asserted, now);
  const grant = grantRow({
    id: newId(),
    clientId: client.clientId,
    userId: user.id,
    sessionId: null,
    scope: rights.scope.join(" "),
    audience: rights.audience.join(" "),
    authTime: authTime ?? now,
    amr: authTime === undefined ? "" : FEDERATED,
    acr: null,
    createdAt: now,
    expiresAt: now + lifetime,
  });
  const subject = { ...grant, grantId: grant.id, audience: rights.audience, jkt: binding };
  const accessToken = await makeAccessToken(ctx, client, subject);
  const event = firstEvent(ctx, {
    type: "grant.exchanged",
    object: { id: grant.id, organizationId: user.organizationId },
    origin: { actor: user.id },
    payload: {
      userId: user.id,
      clientId: client.clientId,
      actors: [],
      subjectTokenType: tokenTypes.idJag,
      actorTokenType: undefined,
      requestedTokenType: tokenTypes.accessToken,
      scope: grant.scope,
      audience: grant.audience,
    },
  });
  const { assertion } = asserted;
  const first = await insertByAssertion(ctx.db, { assertion, grant, accessToken: accessToken.row, event });
  return first ? tokenResponse(accessToken, undefined, undefined) : invalidGrant("the assertion was used before");
}

/** Requires that the organization of the user answers for the app: there is no page that could ask the user. */
async function checkApproval(
  ctx: Context,
  client: Client,
  person: { organizationId: string },
): Promise<OAuthError | undefined> {
  const isKnown = relationTo(client, person) !== "foreign" && !client.isThirdParty;
  if (isKnown || (await decisionOfOrganization(ctx, client, undefined, person)) === "allow") return undefined;
  return invalidGrant("the organization of the user has not allowed this application");
}

/** Returns what the assertion grants, or the part of it that the request names (rule ASSERT-3). */
async function rightsOf(
  ctx: Context,
  client: Client,
  request: JwtBearerRequest,
  { user, claims }: AssertedIdentity,
): Promise<{ scope: string[]; audience: string[] } | OAuthError> {
  const named = [claims.resource ?? []].flat().filter((one): one is string => typeof one === "string");
  if (!request.resources.every((one) => named.includes(one))) {
    return invalidTarget("resource is not one of those in the assertion");
  }
  const granted = typeof claims.scope === "string" ? claims.scope.split(" ").filter((one) => one !== "") : [];
  if (!isSubset(request.scope, granted)) return invalidScope("scope exceeds that of the assertion");
  const wanted = request.scope.length > 0 ? request.scope : granted;
  const targets = request.resources.length > 0 ? request.resources : named;
  const resources = await findRequestedResources(ctx, targets, wanted, { mayManage: false });
  if (isError(resources)) return resources;
  const person = { userId: user.id, organizationId: user.organizationId };
  const refusal = checkOneProject(resources) ?? (await checkResourceAccess(ctx, resources, person));
  if (refusal) return refusal;
  if (scopeAudience(wanted).length > 0) return invalidScope("an assertion cannot name an audience by its scope");
  // Neither an ID token nor a refresh token: the client gets a new assertion instead.
  const allowed = withinRegistered(wanted, client, resources.length > 0);
  const scope = meaningfulTo(allowed, client, { projects: [], resources }).filter(
    (one) => one !== "openid" && one !== "offline_access",
  );
  return { scope, audience: resources.length > 0 ? resources.map(({ uri }) => uri) : audienceOf(client, []) };
}

/** Returns when the provider says that the user authenticated, in epoch milliseconds. */
function authenticatedAt({ claims: { auth_time: at } }: AssertedIdentity, now: number): number | undefined {
  return typeof at === "number" && at > 0 && at * 1000 <= now ? Math.floor(at * 1000) : undefined;
}
