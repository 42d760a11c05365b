/** Roles of projects, which an organization can grant to users of the project's apps. */
import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type ChangeContext, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, alreadyExists, isApiError, notFound } from "../../protocol/api-error";
import { matchRoles, projectRoleList, rolesOfProject, type ShownRole } from "../../storage/project/list";
import {
  deleteProjectRole,
  insertProjectRole,
  type ProjectRoleRow,
  readProjectRoles,
  updateProjectRole,
} from "../../storage/project/project";
import { readProjectGrants } from "../../storage/project/project-grants";
import { readGrantsWithRole } from "../../storage/user-grant/user-grant";
import { changeInProject, type ProjectRef } from "../change-project";
import { type PagedList, pagedList, type TextWanted } from "../listing";
import { changeProjectGrantIn } from "../project-grant/project-grant";
import { changeUserGrantIn } from "../user-grant/user-grant";
import { requireProject } from "./list";

export interface ProjectRoleFields {
  displayName?: string;
  group?: string | null;
}

export async function addProjectRole(
  ctx: ChangeContext,
  project: { id: string; organizationId: string },
  role: ProjectRoleFields & { roleKey: string },
): Promise<void> {
  const { roleKey, displayName = roleKey, group = null } = role;
  await recordIn(ctx, {
    type: "project.role.added",
    object: project,
    async state(_, now) {
      await insertProjectRole(ctx.tx, {
        projectId: project.id,
        roleKey,
        displayName,
        group,
        createdAt: now,
        changedAt: now,
      });
      return { payload: { roleKey, displayName, group } };
    },
  });
}

/**
 * Changes a role.
 * @returns whether anything changed
 */
export async function changeProjectRole(
  ctx: ChangeContext,
  project: { id: string; organizationId: string },
  stored: ProjectRoleRow,
  wanted: ProjectRoleFields,
): Promise<boolean> {
  const changes = difference(stored, wanted);
  if (!changes) return false;
  await recordIn(ctx, {
    type: "project.role.changed",
    object: project,
    async state(_, now) {
      await updateProjectRole(ctx.tx, project.id, stored.roleKey, { ...changes.data, changedAt: now });
      return { payload: { roleKey: stored.roleKey, ...changes.payload } };
    },
  });
  return true;
}

export const noSuchRole = () => notFound("project_role.not_found", "The project has no such role. Check its key.");

/**
 * Adds roles.
 * @param roles if the key of one is taken, by a role of the project or an earlier one of these, the error names it
 */
export function addRoles(
  ctx: OriginContext,
  ref: ProjectRef,
  roles: readonly (ProjectRoleFields & { roleKey: string })[],
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (ctx, project) => {
    const known = new Set((await readProjectRoles(ctx.tx, project.id)).map(({ roleKey }) => roleKey));
    for (const [index, { roleKey }] of roles.entries()) {
      if (known.has(roleKey)) return taken(roles.length > 1 ? `roles[${index}].roleKey` : "roleKey");
      known.add(roleKey);
    }
    for (const role of roles) await addProjectRole(ctx, project, role);
    return undefined;
  });
}

const taken = (field: string): ApiError =>
  alreadyExists("project_role.already_exists", "The project has a role with this key already. Choose another key.", {
    field,
  });

export interface RoleChange {
  roleKey: string;
  /** The key if omitted. */
  displayName?: string;
  /** No group if omitted. */
  group?: string;
}

/**
 * Changes a role.
 * @returns whether anything changed
 */
export function changeRole(
  ctx: OriginContext,
  ref: ProjectRef,
  { roleKey, displayName = roleKey, group }: RoleChange,
): Promise<boolean | ApiError> {
  return changeInProject(ctx, ref, async (ctx, project) => {
    const stored = (await readProjectRoles(ctx.tx, project.id)).find((known) => known.roleKey === roleKey);
    if (!stored) return noSuchRole();
    return changeProjectRole(ctx, project, stored, { displayName, group: group ?? null });
  });
}

export type ListedRole = ShownRole;

/** Filter for a list of roles; a role must match all given fields. */
export interface RoleMatch {
  roleKey?: TextWanted;
  displayName?: TextWanted;
}

/** Lists the roles by key. */
export async function listRolesOf(
  ctx: Context,
  ref: ProjectRef,
  matches: readonly RoleMatch[],
): Promise<PagedList<ListedRole> | ApiError> {
  const project = await requireProject(ctx, ref);
  if (isApiError(project)) return project;
  const where = rolesOfProject(project.id);
  for (const { roleKey, displayName } of matches) {
    if (roleKey) matchRoles(where, "roleKey", roleKey);
    if (displayName) matchRoles(where, "displayName", displayName);
  }
  return pagedList(ctx, where, projectRoleList);
}

/**
 * Removes a role and takes it from all users and project grants that have it, because a later role with the same key is
 * a different one.
 */
export function removeRole(ctx: OriginContext, ref: ProjectRef, roleKey: string): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (ctx, project) => {
    const isKnown = (await readProjectRoles(ctx.tx, project.id)).some((stored) => stored.roleKey === roleKey);
    if (!isKnown) return noSuchRole();
    for (const grant of await readProjectGrants(ctx.tx, project.id)) {
      const roleKeys = (grant.roleKeys as string[]).filter((key) => key !== roleKey);
      await changeProjectGrantIn(ctx, project, grant, { roleKeys });
    }
    for (const { user, ...grant } of await readGrantsWithRole(ctx.db, ctx.tx, project.id, roleKey)) {
      const roleKeys = (grant.roleKeys as string[]).filter((key) => key !== roleKey);
      await changeUserGrantIn(ctx, user, grant, { roleKeys });
    }
    await recordIn(ctx, {
      type: "project.role.removed",
      object: project,
      async state() {
        await deleteProjectRole(ctx.tx, project.id, roleKey);
        return { payload: { roleKey } };
      },
    });
    return undefined;
  });
}
