/** The access of users, for themselves to read: their roles in projects, and what they manage. */
import type { Context } from "../../context";
import { listManagedOrganizations, type ManagedOrganization } from "../../storage/organization/managed-organizations";
import {
  countOwnGrants,
  findProjectOfClient,
  grantsTo,
  listOwnGrants,
  listOwnRoles,
  type OwnGrant,
  type OwnRole,
} from "../../storage/user-grant/own-access";
import { type PagedList, pagedList } from "../listing";
import { hasPermission } from "./permissions";

export type ListedOwnGrant = OwnGrant;

/** All roles that are held on one object. */
export interface OwnMembership extends Pick<OwnRole, "level" | "levelId" | "name" | "createdAt"> {
  roles: readonly string[];
}

interface OwnUser {
  userId: string;
  /** The client that asks on behalf of the user. */
  clientId: string;
}

/** More organizations than any user has grants in. */
const MAX_GRANTS = 1_000;

/** Lists the active role grants of the user, newest first. */
export function listGrantsTo(ctx: Context, userId: string, projectId?: string): PagedList<ListedOwnGrant> {
  return pagedList(ctx, {
    cursor: ["string", "string"],
    where: grantsTo(userId, projectId),
    isDescending: true,
    list: listOwnGrants,
    count: countOwnGrants,
  });
}

/** Returns the keys of the roles that the user has in the client's project; empty if the client is not an app. */
export async function listRolesInProject(ctx: Context, user: OwnUser): Promise<string[]> {
  const grants = await grantsInProject(ctx, user);
  return [...new Set((grants ?? []).flatMap(({ roleKeys }) => roleKeys))].sort();
}

/** Returns the user's manager roles, grouped by the object on which they are held. */
export async function listMemberships(ctx: Context, userId: string): Promise<OwnMembership[]> {
  const held = await listOwnRoles(ctx.db, userId);
  const found = new Map<string, OwnMembership & { roles: string[] }>();
  for (const { role, ...on } of held) {
    const key = `${on.level} ${on.levelId}`;
    const known = found.get(key);
    if (known) known.roles.push(role);
    else found.set(key, { ...on, roles: [role] });
  }
  return [...found.values()];
}

/**
 * Returns the organizations among which the user may choose in the client: for an app, those that gave them a role in
 * its project; for the console and machines, those that they manage.
 * @returns undefined for all organizations
 */
export async function listOwnOrganizations(ctx: Context, user: OwnUser): Promise<string[] | undefined> {
  const grants = await grantsInProject(ctx, user);
  if (grants) return [...new Set(grants.map(({ organizationId }) => organizationId))];
  if (await hasPermission(ctx, user.userId, "org.read")) return undefined;
  const held = await listOwnRoles(ctx.db, user.userId);
  return held.filter(({ level }) => level === "organization").map(({ levelId }) => levelId);
}

/** Returns the user's grants in the client's project; undefined if the client is not an app. */
async function grantsInProject(ctx: Context, { userId, clientId }: OwnUser): Promise<OwnGrant[] | undefined> {
  const projectId = await findProjectOfClient(ctx.db, clientId);
  if (projectId === undefined) return undefined;
  const list = listGrantsTo(ctx, userId, projectId);
  return (await list.page({ after: undefined, offset: 0, limit: MAX_GRANTS, ascending: undefined })).rows;
}

export type { ManagedOrganization };

/**
 * Returns the organizations in which the user has a role, or a role on one of their projects, by name. Roles on the
 * instance do not count.
 * @param limit the maximum number of organizations
 */
export function managedOrganizations(ctx: Context, userId: string, limit: number): Promise<ManagedOrganization[]> {
  return listManagedOrganizations(ctx.db, userId, limit);
}
