/** The access of users, for themselves to read: their roles in projects, and what they manage. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import {
  type MemberOnObject,
  type MembersWanted,
  matchMembers,
  membersOn,
  membersOnObjects,
} from "../../storage/member/list";
import { listHeldRoles } from "../../storage/member/membership";
import { listManagedOrganizations, type ManagedOrganization } from "../../storage/organization/managed-organizations";
import { readUser } from "../../storage/user/user";
import {
  findProjectOfClient,
  grantsTo,
  listOwnRoles,
  type OwnGrant,
  type OwnRole,
  ownGrantList,
} from "../../storage/user-grant/own-access";
import { type PagedList, pagedList } from "../listing";
import { noSuchUser } from "../not-found";
import { hasPermission, type Permission, permissionsOf } from "./permissions";

export type ListedOwnGrant = OwnGrant;

/** All roles that a user holds on one object. */
export interface ListedMembership extends Omit<OwnRole, "role"> {
  roles: readonly string[];
  /** When the last of these roles was given. */
  changedAt: number;
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
  return pagedList(ctx, grantsTo(userId, projectId), ownGrantList);
}

/** Returns the keys of the roles that the user has in the client's project; empty if the client is not an app. */
export async function listRolesInProject(ctx: Context, user: OwnUser): Promise<string[]> {
  const grants = await grantsInProject(ctx, user);
  return [...new Set((grants ?? []).flatMap(({ roleKeys }) => roleKeys))].sort();
}

/** Returns the user's manager roles, grouped by the object on which they are held. */
export async function listMemberships(ctx: Context, userId: string): Promise<ListedMembership[]> {
  const held = await listOwnRoles(ctx.db, userId);
  const found = new Map<string, ListedMembership & { roles: string[] }>();
  for (const { role, ...on } of held) {
    const key = `${on.level} ${on.levelId}`;
    const known = found.get(key);
    if (!known) found.set(key, { ...on, roles: [role], changedAt: on.createdAt });
    else {
      known.roles.push(role);
      known.changedAt = Math.max(known.changedAt, on.createdAt);
      known.createdAt = Math.min(known.createdAt, on.createdAt);
    }
  }
  return [...found.values()];
}

const READS = {
  instance: "iam.member.read",
  organization: "org.member.read",
  project: "project.member.read",
  project_grant: "project.grant.member.read",
} as const satisfies Record<OwnRole["level"], Permission>;

/**
 * Returns the manager roles of another user on objects whose managers the reader may list, because the organization of
 * a user need not know what others trust the user with.
 */
export async function listMembershipsFor(
  ctx: Context,
  readerId: string,
  { userId, organizationId: home }: { userId: string; organizationId: string },
): Promise<ListedMembership[] | ApiError> {
  if ((await readUser(ctx.db.prisma, userId))?.organizationId !== home) return noSuchUser();
  const shown: ListedMembership[] = [];
  for (const one of await listMemberships(ctx, userId)) {
    const { level, organizationId, projectId } = one;
    const scope =
      level === "instance" ? {} : { organizationId: organizationId ?? "", projectId: projectId ?? undefined };
    if (await hasPermission(ctx, readerId, READS[level], scope)) shown.push(one);
  }
  return shown;
}

export type ListedAdministrator = MemberOnObject;

/** Lists the managers of all objects whose managers the reader may list, once for each object. */
export async function listAdministratorsFor(
  ctx: Context,
  readerId: string,
  matches: readonly MembersWanted[],
): Promise<PagedList<ListedAdministrator>> {
  const held = await listHeldRoles(ctx.db, readerId);
  const where = membersOn(
    (Object.keys(READS) as OwnRole["level"][]).map((level) => {
      const carrying = held.filter((one) => permissionsOf(one).includes(READS[level]));
      const heldOn = (at: OwnRole["level"]) => carrying.filter((one) => one.level === at).map(({ levelId }) => levelId);
      const isEvery = heldOn("instance").length > 0;
      return { level, isEvery, organizationIds: heldOn("organization"), levelIds: heldOn(level) };
    }),
  );
  for (const match of matches) matchMembers(where, match);
  return pagedList(ctx, where, membersOnObjects);
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
 * Returns the organizations in which the user has a role, or a role on one of their projects or of those granted to
 * them, by name. Roles on the instance do not count.
 * @param limit the maximum number of organizations
 */
export function managedOrganizations(ctx: Context, userId: string, limit: number): Promise<ManagedOrganization[]> {
  return listManagedOrganizations(ctx.db, userId, limit);
}
