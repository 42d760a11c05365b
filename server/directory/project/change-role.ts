/** Sets the display name and the group of a role. */

import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { readProjectRoles } from "../../storage/project/project";
import { changeInProject, type ProjectRef } from "../change-project";
import { changeProjectRole, noSuchRole } from "./roles";

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
  ctx: Context,
  ref: ProjectRef,
  { roleKey, displayName = roleKey, group }: RoleChange,
  origin: Origin,
): Promise<boolean | ApiError> {
  return changeInProject(ctx, ref, async (tx, project) => {
    const stored = (await readProjectRoles(tx, project.id)).find((known) => known.roleKey === roleKey);
    if (!stored) return noSuchRole();
    return changeProjectRole(ctx, tx, project, stored, { displayName, group: group ?? null }, origin);
  });
}
