/** The name of an organization, for pages about it. */
import type { Context } from "../../context";
import { findOrganizationName } from "../../storage/organizations";

/** Undefined if there is no such organization. */
export function organizationName(ctx: Context, organizationId: string): Promise<string | undefined> {
  return findOrganizationName(ctx.db, organizationId);
}
