/** The projects that a token may be for: what they define decides what its scope means (protocol/project-scope). */
import type { Context } from "../../context";
import { serviceAudience } from "../../protocol/management";
import type { Asking, TargetProject } from "../../protocol/project-scope";
import { isKnownScope, scopeAudience } from "../../protocol/scope";
import { listTargetProjects } from "../../storage/apps";
import { createCache } from "../cache";

/** Machines ask for the same few projects again and again, and each token is made in two steps that need them. */
const projects = createCache<TargetProject>();

/**
 * The client's own project and those that the scope or the audience names, as far as they exist. Most requests are for
 * the client's own project and name no scope of a project; then nothing is read, and there are none. Copies are at most
 * five seconds old, as those of clients are.
 * @param audience of the token, if it is known already; client ids in it are no projects
 */
export async function findTargetProjects(
  ctx: Context,
  { clientId, projectId }: Asking,
  scope: readonly string[],
  audience: readonly string[] = [],
): Promise<TargetProject[]> {
  const ids = new Set([...scopeAudience(scope), ...audience]);
  for (const known of [serviceAudience, clientId, projectId]) if (known !== undefined) ids.delete(known);
  const ofProjects = scope.some((one) => one !== "" && !isKnownScope(one));
  if (projectId !== undefined && projectId !== serviceAudience && ofProjects) ids.add(projectId);
  if (ids.size === 0) return [];
  return projects.getAll(ctx, [...ids], async (missing) => {
    const rows = await listTargetProjects(ctx.db, missing);
    return new Map(rows.map((project) => [project.id, project]));
  });
}
