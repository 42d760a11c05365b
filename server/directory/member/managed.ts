/** Lists the organizations that a user manages. */
import type { Context } from "../../context";
import { listManagedOrganizations, type ManagedOrganization } from "../../storage/organization/managed-organizations";

export type { ManagedOrganization };

/**
 * Returns the organizations in which the user has a role, or a role on one of their projects, by name. Roles on the
 * instance do not count.
 * @param limit the maximum number of organizations
 */
export function managedOrganizations(ctx: Context, userId: string, limit: number): Promise<ManagedOrganization[]> {
  return listManagedOrganizations(ctx.db, userId, limit);
}
