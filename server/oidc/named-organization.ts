/**
 * The organization whose registration, texts, branding and links apply to a request. Anyone can write an organization
 * into the scopes of a link to another tenant's app (attack: account pre-hijacking, users register in the attacker's
 * organization). So a named organization counts only if the app's organization is related to it; otherwise the app's
 * own applies (rule TRUST-4). For who may sign in, see app-access.ts.
 */
import type { Context } from "../context";
import type { Client } from "../protocol/client";
import { isError } from "../protocol/oauth-error";
import { withOrganization } from "../protocol/scope";
import { isProjectGranted } from "../storage/project/project-grants";
import { requiredOrganization } from "./app-access";
import { type SignInFlow, scopeOf, withScope } from "./flow";

/** Returns the organization that the scopes name, if it counts for the app. */
export async function relatedOrganization(
  ctx: Context,
  client: Client | undefined,
  scope: readonly string[],
): Promise<string | undefined> {
  const named = client && (await requiredOrganization(ctx, scope));
  if (!client || named === undefined || isError(named)) return undefined;
  return (await isRelated(ctx, client, named)) ? named : undefined;
}

/** Project grants are read from the database each time, so that a change counts at the next request on every node. */
async function isRelated(ctx: Context, client: Client, organizationId: string): Promise<boolean> {
  if (client.standing === "service") return false; // the console belongs to all organizations
  if (client.allowedOrganizations === "all" || client.organizationId === organizationId) return true;
  return isProjectGranted(ctx.db, { projectId: client.projectId, organizationId });
}

/**
 * Returns the flow for a user who has just registered. If the request names an organization that does not count, they
 * became a member of the app's. The request is changed to name that one, so that they are admitted, and the app sees
 * their organization in the granted scope and in the claims.
 */
export async function forMemberOf(ctx: Context, organizationId: string, flow: SignInFlow): Promise<SignInFlow> {
  const named = await requiredOrganization(ctx, scopeOf(flow));
  if (named === undefined || named === organizationId || isError(named)) return flow;
  return withScope(flow, withOrganization(scopeOf(flow), organizationId));
}

/** Whether a page that belongs to another organization has the look of the application's (rule PAGE-7). */
export async function keepsLookOfApp(
  ctx: Context,
  { project, projectId, organizationId }: Client,
  shown: string | undefined,
): Promise<boolean> {
  if (!project.keepsLook || shown === undefined || shown === organizationId) return false;
  return isProjectGranted(ctx.db, { projectId, organizationId: shown });
}
