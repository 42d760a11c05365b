/** Whose the projects are that an app asks about: an app of one organization may reach for another's (protocol/trust). */
import type { Context } from "../../context";
import type { Client } from "../../protocol/client";
import { serviceAudience } from "../../protocol/management";
import { scopeAudience } from "../../protocol/scope";
import type { ProjectOwners } from "../../protocol/trust";
import { listProjectOwners } from "../../storage/apps";

/** The owners of the projects that the scope names, but for the app's own and the service itself. */
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
