/**
 * Grant type token-exchange (RFC 8693): exchanges a token for one with narrower rights, of another type, or for an
 * actor on behalf of the subject. The new token inherits the dependencies of the old ones: it ends with their sign-in,
 * grant and actor, and without offline_access it never outlives the tokens it was made from.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { findAudienceResources } from "../../directory/app/resources";
import { findTargetProjects } from "../../directory/app/target-projects";
import { hasAgreed } from "../../directory/user/consent";
import { firstEvent } from "../../events/first";
import { type Actor, actorSubjects } from "../../protocol/actor";
import { type Client, clientAuthenticationMethods } from "../../protocol/client";
import { tokenExchange } from "../../protocol/grant-type";
import { invalidRequest, isError, type OAuthError } from "../../protocol/oauth-error";
import { checkOneProject, meaningfulTo } from "../../protocol/resource";
import { isTellingScope } from "../../protocol/scope";
import { exchangedActor, exchangedRights, mayLast, type Presented } from "../../protocol/token-exchange";
import {
  type IdentityAssertionRequest,
  type ProviderTokenRequest,
  parseTokenExchange,
  type TokenExchangeRequest,
  tokenTypes,
} from "../../protocol/token-exchange-request";
import { refreshUntil } from "../../protocol/token-expiry";
import { type Delegation, type GrantRow, grantRow, insertExchanged } from "../../storage/grant/grant";
import { makeAccessToken } from "../access-tokens";
import { decisionOfOrganization } from "../client-decisions";
import { lifetimesFor } from "../client-lifetimes";
import { type Party, readParty, UNKNOWN_USER } from "../exchange-parties";
import { findGrounds, recordRefusal, refusalOfUnknown } from "../impersonation";
import { issueIdentityAssertion } from "../issue-identity-assertion";
import { issueProviderToken } from "../issue-provider-token";
import { refreshTokenOf } from "../refresh-token-format";
import { askedPermissions, findRequestedResources } from "../resources";
import { idTokenOfGrant, loneIdToken, type TokenResponse, tokenResponse } from "../token-response";
import { clientGrant } from "./grant";

type ExchangedGrant = GrantRow & Delegation;

export const tokenExchangeGrant = clientGrant<TokenExchangeRequest | IdentityAssertionRequest | ProviderTokenRequest>({
  grantType: tokenExchange,
  methods: clientAuthenticationMethods,
  feature: {
    name: "oidcTokenExchange",
    whileOff: "token exchange is not switched on; PUT /v2/features/instance switches it on",
  },
  parse: parseTokenExchange,
  issue(ctx, client, request, binding) {
    if ("requestedIssuer" in request) return issueProviderToken(ctx, client, request);
    return request.requestedType === tokenTypes.idJag
      ? issueIdentityAssertion(ctx, client, request, binding)
      : exchange(ctx, client, request, binding);
  },
});

async function exchange(
  ctx: Context,
  client: Client,
  request: TokenExchangeRequest,
  binding: string | undefined,
): Promise<TokenResponse | OAuthError> {
  const subject = await readParty(ctx, client, request.subject);
  if ("problem" in subject && subject.problem !== UNKNOWN_USER) {
    return invalidRequest(`subject_token is not accepted: ${subject.problem}`); // §2.2.2
  }
  const actor = request.actor && (await readParty(ctx, client, { ...request.actor, isActor: true }));
  if (actor && "problem" in actor) return invalidRequest(`actor_token is not accepted: ${actor.problem}`);
  const resources = await findRequestedResources(ctx, request.resources, request.scope ?? [], client);
  if (isError(resources)) return resources;
  const mixed = checkOneProject(resources);
  if (mixed) return mixed;
  const rightsBeside = (beside: Presented | undefined) =>
    exchangedRights({ ...request, resources }, "problem" in subject ? NOBODY : subject, beside, client);
  const permitted = rightsBeside(actor);
  if (isError(permitted)) return permitted;
  // At the same point and with the same error as for a user whom the actor may not act for.
  if ("problem" in subject) return { ...invalidRequest(await refusalOfUnknown(ctx)), cause: subject.problem };
  const unasked = await checkAgreement(ctx, client, subject, permitted);
  if (unasked) return unasked;
  const act = exchangedActor(ctx.config.baseUrl, subject, actor);
  if (isError(act)) return act;
  const grounds = await findGrounds(ctx, client, {
    subject,
    actor: act,
    isOwnToken: subject.holder === client.clientId,
  });
  if ("refusal" in grounds) {
    await recordRefusal(ctx, subject, act, client.clientId, grounds.refusal);
    return invalidRequest(grounds.refusal);
  }
  // An agent gets nothing that the user's own token does not have.
  const lender = grounds.by === "agent" ? undefined : actor;
  const rights = rightsBeside(lender);
  if (isError(rights)) return rights;

  const offline = rights.scope.includes("offline_access") && client.grantTypes.includes("refresh_token");
  const meaningful = await meaningfulAt(ctx, client, rights);
  const scope = meaningful.filter((one) => one !== "offline_access" || offline);
  const lasts = offline && mayLast(subject, lender);
  const grant = await newGrant(ctx, client, { subject, actor, offline, lasts, scope, audience: rights.audience });
  grant.actor = act ? JSON.stringify(act) : null;
  const issued = await issue(ctx, client, request, grant, { notAfter: lasts ? undefined : grant.expiresAt, binding });
  const event = exchangedEvent(ctx, request, grant, { organizationId: subject.organizationId, act });
  const { assertion } = subject;
  const written = await insertExchanged(ctx.db, { grant, accessToken: issued.row, event, assertion });
  if (!written) return invalidRequest(assertion ? "subject_token was used before" : "the sign-in behind it has ended");
  const refreshToken = offline ? { refresh_token: refreshTokenOf(ctx, { grantId: grant.id, generation: 0 }) } : {};
  return { ...issued.response, issued_token_type: request.requestedType, ...refreshToken };
}

/** The placeholder for a user that does not exist; it grants nothing. */
const NOBODY: Presented = { userId: "", scope: undefined, audience: [], act: undefined };

/**
 * Requires the consent of the user for a third-party app that presents a token of another app of its project: the user
 * was asked about the other app only.
 */
async function checkAgreement(
  ctx: Context,
  client: Client,
  { userId, organizationId, holder }: Party,
  { scope, audience }: { scope: readonly string[]; audience: readonly string[] },
): Promise<OAuthError | undefined> {
  const decision = await decisionOfOrganization(ctx, client, undefined, { organizationId });
  if (decision === "forbid") return invalidRequest("the organization of the user does not allow this application");
  const isUnasked = !client.isThirdParty || holder === undefined || holder === client.clientId;
  if (isUnasked || decision === "allow") return undefined;
  const resources = await findAudienceResources(ctx, audience, client);
  const agreement = {
    user: { userId, organizationId },
    clientId: client.clientId,
    scope: askedPermissions(scope.filter(isTellingScope), resources),
  };
  if (await hasAgreed(ctx, agreement)) return undefined;
  return invalidRequest("the user hasn't granted access to this application");
}

/** Returns the scopes that mean something to the audience of the new token. */
async function meaningfulAt(
  ctx: Context,
  client: Client,
  { scope, audience }: { scope: readonly string[]; audience: readonly string[] },
): Promise<string[]> {
  const [projects, resources] = await Promise.all([
    findTargetProjects(ctx, client, scope, audience),
    findAudienceResources(ctx, audience, client),
  ]);
  return meaningfulTo(scope, client, { projects, resources });
}

/** Returns the audit event of an exchange; its actor is the one who acts. */
function exchangedEvent(
  ctx: Context,
  request: TokenExchangeRequest,
  grant: ExchangedGrant,
  { organizationId, act }: { organizationId: string; act: Actor | undefined },
) {
  const actors = actorSubjects(act);
  return firstEvent(ctx, {
    type: "grant.exchanged",
    object: { id: grant.id, organizationId },
    origin: { actor: actors[0] ?? grant.userId },
    payload: {
      userId: grant.userId,
      clientId: grant.clientId,
      actors,
      subjectTokenType: request.subject.type,
      actorTokenType: request.actor?.type,
      requestedTokenType: request.requestedType,
      scope: grant.scope,
      audience: grant.audience,
    },
  });
}

/** Returns the response, and the row of the access token if one was issued. */
async function issue(
  ctx: Context,
  client: Client,
  { requestedType }: TokenExchangeRequest,
  grant: ExchangedGrant,
  { notAfter, binding }: { notAfter: number | undefined; binding: string | undefined },
) {
  const scope = grant.scope.split(" ");
  if (requestedType === tokenTypes.idToken) {
    // RFC 8693 §2.2.1: access_token holds whatever was issued; this one grants no access.
    const { token, expiresIn } = await loneIdToken(ctx, client, grant, { scope, notAfter });
    const response = { access_token: token, token_type: "N_A", expires_in: expiresIn, scope: grant.scope } as const;
    return { response, row: undefined };
  }
  const accessTokenFormat = requestedType === tokenTypes.jwt ? "jwt" : "opaque"; // rule EXCHANGE-3
  const subject = { ...grant, grantId: grant.id, audience: grant.audience.split(" "), notAfter, jkt: binding };
  const accessToken = await makeAccessToken(ctx, { ...client, accessTokenFormat }, subject);
  const idToken = await idTokenOfGrant(ctx, client, grant, { scope, accessToken: accessToken.token, notAfter });
  return { response: tokenResponse(accessToken, idToken, undefined), row: accessToken.row };
}

interface Exchange {
  subject: Party;
  actor: Party | undefined;
  /** Whether a refresh token is issued. */
  offline: boolean;
  /** Whether it may outlive the tokens it was made from. */
  lasts: boolean;
  scope: readonly string[];
  audience: readonly string[];
}

/**
 * Returns the user who acts, with their session. If the actor is itself represented by another user, that user is the
 * real actor; without a new actor nothing changes. A client is no user: its tokens end with its app anyway.
 */
function actingUser(subject: Party, actor: Party | undefined): Pick<Delegation, "actorUserId" | "actorSessionId"> {
  if (!actor || actor.isClient) return subject;
  return actor.actorUserId ? actor : { actorUserId: actor.userId, actorSessionId: actor.sessionId };
}

/** Returns the grant of the new tokens. */
async function newGrant(ctx: Context, client: Client, exchange: Exchange): Promise<ExchangedGrant> {
  const { subject, actor, offline, lasts, scope, audience } = exchange;
  const now = ctx.clock();
  const lifetimes = await lifetimesFor(ctx, client);
  const ends = [subject.expiresAt, actor?.expiresAt].filter((at) => at !== undefined);
  const families = [subject.grantExpiresAt, actor?.grantExpiresAt].filter((at) => typeof at === "number");
  const expiresAt = lasts
    ? Math.min(now + lifetimes.refreshToken, ...families)
    : Math.min(now + Math.max(lifetimes.accessToken, lifetimes.idToken), ...ends);
  const { authTime, amr, acr } = subject.authentication;
  const { actorUserId, actorSessionId } = actingUser(subject, actor);
  return grantRow({
    id: newId(),
    clientId: client.clientId,
    userId: subject.userId,
    sessionId: subject.sessionId,
    scope: scope.join(" "),
    audience: audience.join(" "),
    authTime: authTime ?? now,
    amr: amr ?? "", // without an authentication the tokens have no amr
    acr: acr ?? null,
    refreshIdleUntil: offline ? refreshUntil(now, expiresAt, lifetimes) : null,
    createdAt: now,
    expiresAt,
    actor: null,
    actorUserId,
    actorSessionId,
    parentId: subject.grantId ?? actor?.grantId ?? null,
  });
}
