/**
 * The owners of the projects that an app requests: an app of one organization may request another's (protocol/trust).
 */

import type { Context } from "../../context";
import type { Client } from "../../protocol/client";
import { serviceAudience } from "../../protocol/management";
import { scopeAudience } from "../../protocol/scope";
import type { ProjectOwners } from "../../protocol/trust";
import { listProjectOwners } from "../../storage/project/project";

/** Returns the owners of the projects in the scope, except the app's own project and the service itself. */
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
