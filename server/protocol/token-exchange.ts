/**
 * What an exchanged token may have (RFC 8693 §2.1): never more than the tokens it is made from, neither scope nor
 * audience (attack: a narrow token exchanged for a wide one). Pure; the parties have been authenticated before.
 */
import { type Actor, actorClaim, actorSubjects, MAX_ACTORS } from "./actor";
import { isInAudience } from "./audience";
import type { Client } from "./client";
import { manageableAudience } from "./management";
import { invalidRequest, invalidScope, invalidTarget, type OAuthError } from "./oauth-error";
import { scopeAudience, standardScopes } from "./scope";

/** What a presented token grants. */
export interface Presented {
  userId: string;
  /** Undefined where it has no scopes: a user id, a JWT of the client. */
  scope: readonly string[] | undefined;
  audience: readonly string[];
  /** False where a refresh token must not be given, however short it lasts. */
  mayGoOffline?: boolean;
  /** Who already acts for its user. */
  act: Actor | undefined;
}

/**
 * Choice: a token without scopes can be exchanged for the standard ones, which reveal the user's claims and open none
 * of this service's APIs; reserved scopes must come from a token that has them.
 */
function available({ scope }: Presented): readonly string[] {
  return scope ?? standardScopes;
}

/**
 * The scopes of the new token, and its audience.
 * @param requested with an undefined scope, the subject's is used, else the actor's, without offline_access
 */
export function exchangedRights(
  requested: { scope: readonly string[] | undefined; audience: readonly string[] },
  subject: Presented,
  actor: Presented | undefined,
  client: Pick<Client, "mayManage">,
): { scope: string[]; audience: string[] } | OAuthError {
  // Whoever the tokens were issued to: the right to manage is the client's, and cannot be handed on to another.
  const audiences = [subject.audience, actor?.audience ?? []].map((one) => manageableAudience(one, client));
  const reachable = new Set(audiences.flat());
  if (!requested.audience.every((one) => reachable.has(one))) {
    return invalidTarget("audience must be within the audiences of the presented tokens"); // rule EXCHANGE-4
  }
  // Rule TOKEN-4: a refresh token is given when offline_access was requested; for how long it lasts see mayLast.
  const offline = subject.mayGoOffline === false ? [] : ["offline_access"];
  const allowed = new Set([...available(subject), ...(actor?.scope ?? []), ...offline]);
  if (!(requested.scope ?? []).every((one) => allowed.has(one))) {
    return invalidScope("scope exceeds that of the presented tokens");
  }
  const audience = [requested.audience, ...audiences].find((one) => one.length > 0) ?? [];
  const scope =
    requested.scope ?? (subject.scope ?? actor?.scope ?? ["openid"]).filter((one) => one !== "offline_access");
  // A scope that names an audience the token does not have would only mislead its reader.
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
 * Who acts for the subject of the new token, the current actor first. Earlier actors stay in the chain, whatever the
 * request leaves out.
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
 * Whether a client may exchange a token: one that is meant for it or its project, or, within an organization, for
 * nobody but its own holder. A token stolen from, or handed to, somebody else's API is useless here.
 * @param holder the client the token was issued to, and the organization of its user
 */
export function mayExchange(
  audience: readonly string[],
  holder: { clientId: string; organizationId: string },
  client: Pick<Client, "clientId" | "projectId" | "organizationId">,
): boolean {
  if (isInAudience(audience, client)) return true;
  return holder.organizationId === client.organizationId && audience.every((one) => one === holder.clientId);
}
