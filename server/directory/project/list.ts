/** Lists projects for administrators. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import {
  findProject,
  matchProjects,
  type ProjectsWanted,
  projectList,
  projectsOf,
  type ShownProject,
} from "../../storage/project/list";
import type { ProjectRef } from "../change-project";
import { type PagedList, pagedList } from "../listing";
import { noSuchProject } from "../not-found";

export type ListedProject = ShownProject;

/** Filter for a list of projects; a project must match all given fields. */
export type ProjectMatch = ProjectsWanted;

/**
 * Lists the projects of an organization by name.
 * @param projectIds only these; undefined for all; must not be empty
 */
export function listProjectsOf(
  ctx: Context,
  { organizationId, projectIds }: { organizationId: string; projectIds?: readonly string[] },
  matches: readonly ProjectMatch[],
): PagedList<ListedProject> {
  const where = projectsOf(organizationId, projectIds);
  for (const match of matches) matchProjects(where, match);
  return pagedList(ctx, where, projectList);
}

/** Returns the project; the error is the same if it does not exist or belongs to another organization. */
export async function requireProject(
  ctx: Context,
  { organizationId, projectId }: ProjectRef,
): Promise<ListedProject | ApiError> {
  return (await findProject(ctx.db, organizationId, projectId)) ?? noSuchProject();
}
