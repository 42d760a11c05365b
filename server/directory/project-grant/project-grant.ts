/**
 * Project grants: a project whose roles another organization may give to its own users. Here are the changes
 * themselves, within a transaction; the use cases in this folder check who may make them.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { difference } from "../../events/difference";
import { type ChangeContext, recordIn } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import {
  deleteProjectGrant,
  grantedProjectList,
  insertProjectGrant,
  matchProjectGrants,
  type ProjectGrantRow,
  type ProjectGrantState,
  type ProjectGrantsWanted,
  projectGrantsOf,
  readProjectGrant,
  type ShownProjectGrant,
  updateProjectGrant,
} from "../../storage/project/project-grants";
import { readDependentGrants } from "../../storage/user-grant/user-grant";
import type { ProjectGrantRef, ProjectRef } from "../change-project";
import { identifier } from "../fields";
import { type PagedList, pagedList } from "../listing";
import { noSuchProjectGrant } from "../not-found";
import { changeUserGrantIn, removeUserGrantIn } from "../user-grant/user-grant";

/** A project, as needed to record events about it. */
export interface OwnedProject {
  id: string;
  organizationId: string;
}

/** How many grants a project has at most. */
export const MAX_PROJECT_GRANTS = 1_000;

/** Grants the project; rejects (unique constraint) if it is granted to the organization already. */
export async function addProjectGrantIn(
  ctx: ChangeContext,
  project: OwnedProject,
  grant: { grantedOrganizationId: string; roleKeys: readonly string[] },
): Promise<string> {
  const id = newId();
  const { grantedOrganizationId } = grant;
  const roleKeys = [...new Set(grant.roleKeys)];
  await recordIn(ctx, {
    type: "project.grant.added",
    object: project,
    async state(_, now) {
      const row = { id, projectId: project.id, grantedOrganizationId, roleKeys, state: "active" };
      await insertProjectGrant(ctx.tx, { ...row, createdAt: now, changedAt: now });
      return { payload: { grantId: id, grantedOrganizationId, roleKeys } };
    },
  });
  return id;
}

/**
 * Updates what differs. Roles that the grant loses are taken from all users who have them by it.
 * @returns whether anything changed
 */
export async function changeProjectGrantIn(
  ctx: ChangeContext,
  project: OwnedProject,
  stored: ProjectGrantRow,
  wanted: { roleKeys?: readonly string[]; state?: ProjectGrantState },
): Promise<boolean> {
  const changes = difference<typeof wanted>(stored as typeof wanted, wanted);
  if (!changes) return false;
  const { roleKeys } = changes.data;
  if (roleKeys) {
    for (const { user, ...grant } of await readDependentGrants(ctx.tx, stored.id)) {
      const kept = (grant.roleKeys as string[]).filter((key) => roleKeys.includes(key));
      await changeUserGrantIn(ctx, user, grant, { roleKeys: kept });
    }
  }
  await recordIn(ctx, {
    type: "project.grant.changed",
    object: project,
    async state(_, now) {
      await updateProjectGrant(ctx.tx, stored.id, changes.data, now);
      return { payload: { ...identityOf(stored), ...changes.payload } };
    },
  });
  return true;
}

/** Removes the grant, and the roles that users have by it. */
export async function removeProjectGrantIn(
  ctx: ChangeContext,
  project: OwnedProject,
  stored: ProjectGrantRow,
): Promise<void> {
  for (const { user, ...grant } of await readDependentGrants(ctx.tx, stored.id)) {
    await removeUserGrantIn(ctx, user, grant);
  }
  await recordIn(ctx, {
    type: "project.grant.removed",
    object: project,
    async state() {
      await deleteProjectGrant(ctx.tx, stored.id);
      return { payload: { ...identityOf(stored), roleKeys: stored.roleKeys as string[] } };
    },
  });
}

const identityOf = ({ id, grantedOrganizationId }: ProjectGrantRow) => ({ grantId: id, grantedOrganizationId });

export type ListedProjectGrant = ShownProjectGrant;
export type ProjectGrantMatch = Omit<ProjectGrantsWanted, "id">;
/** Whether the organization grants the project, or has it granted. */
export type GrantSide = Parameters<typeof projectGrantsOf>[0];

/** Newest first. */
export function projectGrantList(
  ctx: Context,
  side: GrantSide,
  organizationId: string,
  matches: readonly ProjectGrantsWanted[],
): PagedList<ListedProjectGrant> {
  const where = projectGrantsOf(side, organizationId);
  for (const match of matches) matchProjectGrants(ctx.db, where, match);
  return pagedList(ctx, where, grantedProjectList);
}

/** Returns the organization that has the grant of the project; undefined if there is no such grant. */
export async function findGrantedOrganization(
  ctx: Context,
  { projectId, grantId }: Omit<ProjectGrantRef, "organizationId">,
): Promise<string | undefined> {
  return (await readProjectGrant(ctx.db.prisma, { projectId, id: grantId }))?.grantedOrganizationId;
}

/** Returns the grant of the project to the organization, if there is one. */
export async function findGrantTo(ctx: Context, ref: ProjectRef): Promise<ListedProjectGrant | undefined> {
  if (![ref.organizationId, ref.projectId].every((id) => identifier.safeParse(id).success)) return undefined;
  const list = projectGrantList(ctx, "received", ref.organizationId, [{ projectId: ref.projectId }]);
  return (await list.page({ after: undefined, offset: 0, limit: 1, ascending: undefined })).rows[0];
}

/** Returns the grant; one of other organizations is rejected like one that does not exist. */
export async function requireProjectGrant(
  ctx: Context,
  side: GrantSide,
  { organizationId, projectId, grantId }: ProjectGrantRef,
): Promise<ListedProjectGrant | ApiError> {
  const list = projectGrantList(ctx, side, organizationId, [{ id: grantId, projectId }]);
  const { rows } = await list.page({ after: undefined, offset: 0, limit: 1, ascending: undefined });
  return rows[0] ?? noSuchProjectGrant();
}
