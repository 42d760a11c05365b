/** Roles of projects, which an organization can grant to users of the project's apps. */

import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type Origin, recordIn } from "../../events/record";
import { notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { insertProjectRole, type ProjectRoleRow, updateProjectRole } from "../../storage/project/project";

export interface ProjectRoleFields {
  displayName?: string;
  group?: string | null;
}

export async function addProjectRole(
  ctx: Context,
  tx: Transaction,
  project: { id: string; organizationId: string },
  role: ProjectRoleFields & { roleKey: string },
  origin: Origin,
): Promise<void> {
  const { roleKey, displayName = roleKey, group = null } = role;
  await recordIn(ctx, tx, {
    type: "project.role.added",
    object: project,
    origin,
    async state(_, now) {
      await insertProjectRole(tx, {
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
  ctx: Context,
  tx: Transaction,
  project: { id: string; organizationId: string },
  stored: ProjectRoleRow,
  wanted: ProjectRoleFields,
  origin: Origin,
): Promise<boolean> {
  const changes = difference(stored, wanted);
  if (!changes) return false;
  await recordIn(ctx, tx, {
    type: "project.role.changed",
    object: project,
    origin,
    async state(_, now) {
      await updateProjectRole(tx, project.id, stored.roleKey, { ...changes.data, changedAt: now });
      return { payload: { roleKey: stored.roleKey, ...changes.payload } };
    },
  });
  return true;
}

export const noSuchRole = () => notFound("project_role.not_found", "The project has no such role. Check its key.");
