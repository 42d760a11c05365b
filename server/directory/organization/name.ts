/** The name of an organization, for pages about it. */
import type { Context } from "../../context";
import { findOrganizationName, findPrimaryDomain } from "../../storage/organization/organization";

/** Returns the name; undefined if there is no such organization. */
export function organizationName(ctx: Context, organizationId: string): Promise<string | undefined> {
  return findOrganizationName(ctx.db, organizationId);
}

/**
 * Returns the name with the primary domain, for people who have to recognize the organization. Any organization can
 * have any name, but only a proven domain.
 */
export async function distinctName(ctx: Context, organizationId: string): Promise<string> {
  const name = (await organizationName(ctx, organizationId)) ?? organizationId;
  const domain = await findPrimaryDomain(ctx.db, organizationId);
  return domain === undefined ? name : `${name} (${domain})`;
}
