/** Lists the roles of a project. */
import type { Context } from "../../context";
import { type ApiError, isApiError } from "../../protocol/api-error";
import {
  countProjectRoles,
  listProjectRoles,
  matchRoles,
  rolesOfProject,
  type ShownRole,
} from "../../storage/project/list";
import type { ProjectRef } from "../change-project";
import { type PagedList, pagedList, type TextWanted } from "../listing";
import { requireProject } from "./list";

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
  return pagedList(ctx, { cursor: ["string", "string"], where, list: listProjectRoles, count: countProjectRoles });
}
