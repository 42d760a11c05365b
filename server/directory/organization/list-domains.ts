/** Lists the domains of an organization. */
import type { Context } from "../../context";
import { countDomains, domainsOf, listDomains, matchDomains, type ShownDomain } from "../../storage/organization/list";
import { type PagedList, pagedList, type TextWanted } from "../listing";

export type ListedDomain = ShownDomain;

/**
 * Lists the domains of an organization by name.
 * @param names each domain must match all of them
 */
export function listDomainsOf(
  ctx: Context,
  organizationId: string,
  names: readonly TextWanted[],
): PagedList<ListedDomain> {
  const where = domainsOf(organizationId);
  for (const name of names) matchDomains(where, name);
  return pagedList(ctx, { cursor: ["string", "string"], where, list: listDomains, count: countDomains });
}
