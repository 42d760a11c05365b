/**
 * The projects that a token may be for. Their definitions determine what the token's scope means
 * (protocol/project-scope).
 */
import type { Context } from "../../context";
import type { Client } from "../../protocol/client";
import { serviceAudience } from "../../protocol/management";
import type { Asking, TargetProject } from "../../protocol/project-scope";
import { isKnownScope, scopeAudience } from "../../protocol/scope";
import type { ProjectOwners } from "../../protocol/trust";
import { listProjectOwners, listTargetProjects } from "../../storage/project/project";
import { createCache } from "../cache";

/** Cached, because machines request the same few projects repeatedly, and issuing one token needs them twice. */
const projects = createCache<TargetProject>("targetProjects", (id, { organizationId }) => [id, organizationId]);

/**
 * Returns the existing projects among the client's own one and those that the scope or the audience names. Most
 * requests name no scope of a project; then nothing is read, and the result is empty. The result can be up to five
 * seconds old, like that of clients.
 * @param audience the token's audience, if already known; client ids in it are ignored
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

/**
 * Returns the owners of the projects in the scope: an app of one organization may request another's (protocol/trust).
 * Leaves out the app's own project and the service itself.
 */
export async function findProjectOwners(
  ctx: Context,
  client: Pick<Client, "projectId">,
  scope: readonly string[],
): Promise<ProjectOwners> {
  const named = scopeAudience(scope).filter((id) => id !== serviceAudience && id !== client.projectId);
  if (named.length === 0) return new Map();
  const found = await listProjectOwners(ctx.db, named);
  return new Map(named.map((id) => [id, found.get(id)]));
}
