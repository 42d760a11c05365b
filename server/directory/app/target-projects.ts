/** The projects that a token may be for: what they define decides what its scope means (protocol/project-scope). */
import type { Context } from "../../context";
import { serviceAudience } from "../../protocol/management";
import type { Asking, TargetProject } from "../../protocol/project-scope";
import { isKnownScope, scopeAudience } from "../../protocol/scope";
import { listTargetProjects } from "../../storage/apps";

/**
 * The client's own project and those that the scope or the audience names, as far as they exist. Most requests are for
 * the client's own project and name no scope of a project; then nothing is read, and there are none.
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
  return ids.size === 0 ? [] : listTargetProjects(ctx.db, [...ids]);
}
