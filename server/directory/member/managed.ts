/** The organizations somebody manages. */
import type { Context } from "../../context";
import { listManagedOrganizations, type ManagedOrganization } from "../../storage/managed-organizations";

export type { ManagedOrganization };

/**
 * Those in which the user has a role, or a role on one of their projects, by name; roles on the instance do not count.
 * @param limit at most so many
 */
export function managedOrganizations(ctx: Context, userId: string, limit: number): Promise<ManagedOrganization[]> {
  return listManagedOrganizations(ctx.db, userId, limit);
}
