/**
 * The rights of an exchanged token (RFC 8693 §2.1): never more scope or audience than the tokens it is made from
 * (attack: a narrow token exchanged for a wide one). Pure functions; the parties were authenticated before.
 */
import { type Actor, actorClaim, actorSubjects, MAX_ACTORS } from "./actor";
import { isInAudience } from "./audience";
import type { Client } from "./client";
import { manageableAudience } from "./management";
import { invalidRequest, invalidScope, invalidTarget, type OAuthError } from "./oauth-error";
import type { Resource } from "./resource";
import { scopeAudience, standardScopes } from "./scope";

/** What a presented token grants. */
export interface Presented {
  userId: string;
  /** Undefined if it has no scopes: a user id, a JWT of the client. */
  scope: readonly string[] | undefined;
  audience: readonly string[];
  /** False if a refresh token must not be issued, not even a short-lived one. */
  mayGoOffline?: boolean;
  /** The actors of the token. */
  act: Actor | undefined;
}

/**
 * Returns the scopes that a token can be exchanged for. Choice: a token without scopes can be exchanged for the
 * standard ones, which reveal the user's claims and give no access to this service's APIs; reserved scopes must come
 * from a token that has them.
 */
function available({ scope }: Presented): readonly string[] {
  return scope ?? standardScopes;
}

/**
 * Returns the scopes and the audience of the new token.
 * @param requested if its scope is undefined, the subject's is used, else the actor's, without offline_access
 * @param subject the subject token
 * @param actor the actor token, if any
 * @param client the client that exchanges them
 */
export function exchangedRights(
  requested: { scope: readonly string[] | undefined; audience: readonly string[]; resources?: readonly Resource[] },
  subject: Presented,
  actor: Presented | undefined,
  client: Pick<Client, "mayManage">,
): { scope: string[]; audience: string[] } | OAuthError {
  // Independent of the holders of the tokens: the right to manage is the client's and cannot be passed on.
  const audiences = [subject.audience, actor?.audience ?? []].map((one) => manageableAudience(one, client));
  const reachable = new Set(audiences.flat());
  if (!requested.audience.every((one) => reachable.has(one))) {
    return invalidTarget("audience must be within the audiences of the presented tokens"); // rule EXCHANGE-4
  }
  // Rule EXCHANGE-5: a token for a project is narrowed to one of its resources; one for a resource opens no other.
  const resources = requested.resources ?? [];
  if (!resources.every(({ uri, project }) => reachable.has(uri) || reachable.has(project.id))) {
    return invalidTarget("resource must be within the audiences of the presented tokens");
  }
  // Rule TOKEN-4: a refresh token is issued if offline_access was requested; see mayLast for its lifetime.
  const offline = subject.mayGoOffline === false ? [] : ["offline_access"];
  const allowed = new Set([...available(subject), ...(actor?.scope ?? []), ...offline]);
  if (!(requested.scope ?? []).every((one) => allowed.has(one))) {
    return invalidScope("scope exceeds that of the presented tokens");
  }
  const targets = resources.length > 0 ? resources.map(({ uri }) => uri) : requested.audience;
  const audience = [targets, ...audiences].find((one) => one.length > 0) ?? [];
  const scope =
    requested.scope ?? (subject.scope ?? actor?.scope ?? ["openid"]).filter((one) => one !== "offline_access");
  // A scope for an audience that the token does not have would mislead resource servers.
  const fitting = scope.filter((one) => scopeAudience([one]).every((project) => audience.includes(project)));
  return { scope: fitting, audience: [...audience] };
}

/**
 * Whether a refresh token may outlive the presented tokens: only if one of them has offline_access itself. Otherwise a
 * token of one hour could be turned into access for months.
 */
export function mayLast(subject: Presented, actor: Presented | undefined): boolean {
  return [...(subject.scope ?? []), ...(actor?.scope ?? [])].includes("offline_access");
}

/**
 * Returns the actors of the new token, the current actor first. Earlier actors remain in the chain, whatever the
 * request contains.
 */
export function exchangedActor(
  issuer: string,
  subject: Presented,
  actor: Presented | undefined,
): Actor | undefined | OAuthError {
  const now = actor ? [actor.userId, ...actorSubjects(actor.act)] : [];
  const chain = actorClaim(issuer, [...now, ...actorSubjects(subject.act)]);
  return actorSubjects(chain).length > MAX_ACTORS ? invalidRequest("too many have acted one for another") : chain;
}

/**
 * Whether a client may exchange a token: one that is meant for it or its project, or, within an organization, for its
 * own holder only. A token that was stolen from another API, or was passed on to it, cannot be exchanged here.
 * @param audience the audience of the token
 * @param holder the client the token was issued to, and the organization of its user
 * @param client the client that exchanges it
 */
export function mayExchange(
  audience: readonly string[],
  holder: { clientId: string; organizationId: string },
  client: Pick<Client, "clientId" | "projectId" | "organizationId" | "origin">,
): boolean {
  if (isInAudience(audience, client)) return true;
  return holder.organizationId === client.organizationId && audience.every((one) => one === holder.clientId);
}
