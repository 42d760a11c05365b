/**
 * Which organization's registration, words, look and links a request gets. Anybody can write an organization into the
 * scopes of a link to somebody else's app (attack: account pre-hijacking, people register in the organization of whoever
 * wrote the link). So a named organization counts only if the app's organization has a relation to it; otherwise the
 * app's own takes its place (rule TRUST-4). Who may sign in is another question: see admission.ts.
 */
import type { Context } from "../context";
import type { Client } from "../protocol/client";
import { isError } from "../protocol/oauth-error";
import { withOrganization } from "../protocol/scope";
import { requiredOrganization } from "./admission";
import { type SignInFlow, scopeOf, withScope } from "./flow";

/** The organization that the scopes name, if it counts for the app. */
export async function relatedOrganization(
  ctx: Context,
  client: Client | undefined,
  scope: readonly string[],
): Promise<string | undefined> {
  const named = client && (await requiredOrganization(ctx, scope));
  if (!client || named === undefined || isError(named)) return undefined;
  return isRelated(client, named) ? named : undefined;
}

function isRelated(client: Client, organizationId: string): boolean {
  if (client.standing === "service") return false; // the console is everybody's
  return client.allowedOrganizations === "all" || client.organizationId === organizationId;
}

/**
 * The flow as a person who has just registered continues it. Where the request names an organization that does not count,
 * they became a member of the app's: the request now names that one, so that they get in, and the app reads in the
 * granted scope and in the claims whose member it is.
 */
export async function forMemberOf(ctx: Context, organizationId: string, flow: SignInFlow): Promise<SignInFlow> {
  const named = await requiredOrganization(ctx, scopeOf(flow));
  if (named === undefined || named === organizationId || isError(named)) return flow;
  return withScope(flow, withOrganization(scopeOf(flow), organizationId));
}
