/** Projects as administrators see them. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import {
  countProjects,
  findProject,
  listProjects,
  matchProjects,
  projectsOf,
  type ShownProject,
} from "../../storage/projects";
import type { ProjectRef } from "../change-project";
import { type PagedList, pagedList, type TextWanted } from "../listing";
import { noSuchProject } from "../not-found";

export type ListedProject = ShownProject;

/** What a project must be to be listed; all that is given. */
export interface ProjectMatch {
  name?: TextWanted;
  state?: "active" | "inactive";
}

/**
 * The projects of an organization, by name.
 * @param projectIds only these; undefined for all; not empty
 */
export function listProjectsOf(
  ctx: Context,
  { organizationId, projectIds }: { organizationId: string; projectIds?: readonly string[] },
  matches: readonly ProjectMatch[],
): PagedList<ListedProject> {
  const where = projectsOf(organizationId, projectIds);
  for (const match of matches) matchProjects(where, match);
  return pagedList(ctx, { cursor: ["string", "string"], where, list: listProjects, count: countProjects });
}

/** The project; refused in the same way if it is another organization's. */
export async function requireProject(
  ctx: Context,
  { organizationId, projectId }: ProjectRef,
): Promise<ListedProject | ApiError> {
  return (await findProject(ctx.db, organizationId, projectId)) ?? noSuchProject();
}
