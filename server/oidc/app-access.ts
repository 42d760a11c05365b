/**
 * Who may sign in to an app: scopes that name an organization admit only its users, and a project may require its users
 * to have a role, or to belong to the organization that owns it or that it is granted to. Sessions of other users are
 * ignored, so that an app of one tenant never receives a user of another.
 */
import type { Context } from "../context";
import type { Client } from "../protocol/client";
import { accessDenied, invalidScope, isError, type OAuthError } from "../protocol/oauth-error";
import { scopeOrganizations } from "../protocol/scope";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import { listCurrentSessions } from "../sessions/session";
import type { UserAgent } from "../sessions/user-agent";
import { findActiveOrganizations } from "../storage/organization/organization";
import { isProjectGranted } from "../storage/project/project-grants";
import type { SessionRow } from "../storage/session/session";
import { hasUserGrant } from "../storage/user-grant/user-grant";
import { isForbidden } from "./client-decisions";

/**
 * Returns the organization that the scopes restrict a sign-in to. Undefined means any; an error means that no user
 * could satisfy all scopes.
 */
export async function requiredOrganization(
  ctx: Context,
  scope: readonly string[],
): Promise<string | undefined | OAuthError> {
  const { ids, domains } = scopeOrganizations(scope);
  if (ids.length === 0 && domains.length === 0) return undefined;
  const found = await Promise.all([
    ...ids.map((id) => findActiveOrganizations(ctx.db, { id })),
    ...domains.map((domain) => findActiveOrganizations(ctx.db, { primaryDomain: domain })),
  ]);
  const organizations = new Set(found.flat());
  const [only] = organizations;
  if (found.some((some) => some.length === 0)) return invalidScope("scope names an organization that is not there");
  if (only === undefined || organizations.size > 1) return invalidScope("scope names more than one organization");
  return only;
}

/** Returns the sessions of the browser that a request with these scopes may be answered with, last used first. */
export async function listAdmittedSessions(
  ctx: Context,
  scope: readonly string[],
  userAgent: UserAgent,
): Promise<SessionRow[] | OAuthError> {
  const [organizationId, sessions] = await Promise.all([
    requiredOrganization(ctx, scope),
    listCurrentSessions(ctx, userAgent),
  ]);
  if (isError(organizationId)) return organizationId;
  return organizationId === undefined
    ? sessions
    : sessions.filter((session) => session.organizationId === organizationId);
}

/**
 * Returns undefined if the client's project admits this user, and the user's organization does not forbid the client,
 * else access_denied.
 */
export async function checkAppAccess(
  ctx: Context,
  client: Client,
  user: { userId: string; organizationId: string },
  redirectUri?: string,
): Promise<OAuthError | undefined> {
  const { roleCheck } = client.project;
  if (await isForbidden(ctx, client, redirectUri, user)) {
    return accessDenied("the organization of the user does not allow this application");
  }
  if (await isForeignTo(ctx, client, user)) {
    return accessDenied("the project is not open to the organization of the user");
  }
  if (roleCheck && !(await hasUserGrant(ctx.db, user.userId, client.projectId))) {
    return accessDenied("the user has no role in the project");
  }
  return undefined;
}

/** Returns why `checkAppAccess` rejects a user, for the administrators. */
export async function reasonOfNoAccess(
  ctx: Context,
  client: Client,
  user: { organizationId: string },
  redirectUri?: string,
): Promise<AttemptReason> {
  if (await isForbidden(ctx, client, redirectUri, user)) return "client_forbidden";
  return (await isForeignTo(ctx, client, user)) ? "other_organization" : "no_role";
}

/** Whether the project requires its users' organization to have it, and this user's does not. */
export async function isForeignTo(
  ctx: Context,
  {
    project,
    projectId,
    organizationId: owner,
  }: Pick<Client, "projectId" | "organizationId"> & {
    project: Pick<Client["project"], "organizationCheck">;
  },
  { organizationId }: { organizationId: string },
): Promise<boolean> {
  if (!project.organizationCheck || organizationId === owner) return false;
  return !(await isProjectGranted(ctx.db, { projectId, organizationId }));
}
