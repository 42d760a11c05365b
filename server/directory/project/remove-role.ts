/** Removes roles. */

import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { deleteProjectRole, readProjectRoles } from "../../storage/project/project";
import { readProjectGrants } from "../../storage/project/project-grants";
import { readGrantsWithRole } from "../../storage/user-grant/user-grant";
import { changeInProject, type ProjectRef } from "../change-project";
import { changeProjectGrantIn } from "../project-grant/project-grant";
import { changeUserGrantIn } from "../user-grant/user-grant";
import { noSuchRole } from "./roles";

/**
 * Removes a role and takes it from all users and project grants that have it, because a later role with the same key is
 * a different one.
 */
export function removeRole(
  ctx: Context,
  ref: ProjectRef,
  roleKey: string,
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (tx, project) => {
    const isKnown = (await readProjectRoles(tx, project.id)).some((stored) => stored.roleKey === roleKey);
    if (!isKnown) return noSuchRole();
    for (const grant of await readProjectGrants(tx, project.id)) {
      const roleKeys = (grant.roleKeys as string[]).filter((key) => key !== roleKey);
      await changeProjectGrantIn(ctx, tx, project, grant, { roleKeys }, origin);
    }
    for (const { user, ...grant } of await readGrantsWithRole(ctx.db, tx, project.id, roleKey)) {
      const roleKeys = (grant.roleKeys as string[]).filter((key) => key !== roleKey);
      await changeUserGrantIn(ctx, tx, user, grant, { roleKeys }, origin);
    }
    await recordIn(ctx, tx, {
      type: "project.role.removed",
      object: project,
      origin,
      async state() {
        await deleteProjectRole(tx, project.id, roleKey);
        return { payload: { roleKey } };
      },
    });
    return undefined;
  });
}
