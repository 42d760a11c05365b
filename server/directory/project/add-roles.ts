/** Adds roles to a project, all or none. */

import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, alreadyExists } from "../../protocol/api-error";
import { readProjectRoles } from "../../storage/project/project";
import { changeInProject, type ProjectRef } from "../change-project";
import { addProjectRole, type ProjectRoleFields } from "./roles";

/**
 * Adds roles.
 * @param roles if the key of one is taken, by a role of the project or an earlier one of these, the error names it
 */
export function addRoles(
  ctx: Context,
  ref: ProjectRef,
  roles: readonly (ProjectRoleFields & { roleKey: string })[],
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (tx, project) => {
    const known = new Set((await readProjectRoles(tx, project.id)).map(({ roleKey }) => roleKey));
    for (const [index, { roleKey }] of roles.entries()) {
      if (known.has(roleKey)) return taken(roles.length > 1 ? `roles[${index}].roleKey` : "roleKey");
      known.add(roleKey);
    }
    for (const role of roles) await addProjectRole(ctx, tx, project, role, origin);
    return undefined;
  });
}

const taken = (field: string): ApiError =>
  alreadyExists("project_role.already_exists", "The project has a role with this key already. Choose another key.", {
    field,
  });
