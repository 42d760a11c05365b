/** Lists organizations for administrators. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import {
  allOrganizations,
  findOrganization,
  findOrganizationByDomain,
  isOrganizationFree,
  matchOrganizations,
  type OrganizationMatch,
  organizationList,
  type ShownOrganization,
} from "../../storage/organization/list";
import { findInstance } from "../instance";
import { type PagedList, pagedList, searchedText } from "../listing";
import { comparable, comparableDomain } from "../names";
import { noSuchOrganization } from "../not-found";

export interface ListedOrganization extends ShownOrganization {
  /** Whether it is the default organization, in which login names without a domain are looked up first. */
  isDefault: boolean;
}

/** Filter for a list of organizations; an organization must match all given fields. */
export interface OrganizationWanted extends Omit<OrganizationMatch, "searched"> {
  /** The text of a search box: an id, a primary domain, or words of the name. */
  text?: string;
}

/** Lists all organizations by name; those first that a searched text names as a whole. */
export async function listAllOrganizations(
  ctx: Context,
  matches: readonly OrganizationWanted[],
): Promise<PagedList<ListedOrganization>> {
  const where = allOrganizations();
  const texts = matches.map(({ text }) => (text === undefined ? undefined : searchedText(text)));
  const closestTo = texts.find((text) => text !== undefined);
  for (const [place, { name, text: _, ...others }] of matches.entries()) {
    // Letter case and look-alike forms do not matter, as in all comparisons of names.
    const wanted = name?.ignoreCase ? { ...name, text: comparable(name.text) } : name;
    matchOrganizations(where, { ...others, name: wanted, searched: texts[place] });
  }
  const list = pagedList(ctx, where, organizationList(closestTo));
  const { defaultOrganizationId } = await findInstance(ctx);
  return {
    ...list,
    async page(wanted) {
      const page = await list.page(wanted);
      return { ...page, rows: page.rows.map((row) => ({ ...row, isDefault: row.id === defaultOrganizationId })) };
    },
  };
}

export function readListedOrganization(ctx: Context, id: string): Promise<ListedOrganization | ApiError> {
  return listed(ctx, findOrganization(ctx.db, id));
}

export async function readDefaultOrganization(ctx: Context): Promise<ListedOrganization | ApiError> {
  const { defaultOrganizationId } = await findInstance(ctx);
  return readListedOrganization(ctx, defaultOrganizationId ?? "");
}

/**
 * Returns the organization that has verified a domain.
 * @param domain in its comparable form
 */
export function readOrganizationOfDomain(ctx: Context, domain: string): Promise<ListedOrganization | ApiError> {
  return listed(ctx, findOrganizationByDomain(ctx.db, domain));
}

/** Returns whether no organization has the name, in any spelling, or has verified the domain. */
export function isOrganizationNameFree(
  ctx: Context,
  { name, domain }: { name?: string; domain?: string },
): Promise<boolean> {
  const nameKey = name === undefined ? undefined : comparable(name);
  return isOrganizationFree(ctx.db, { nameKey, domain: domain && comparableDomain(domain) });
}

async function listed(
  ctx: Context,
  found: Promise<ShownOrganization | undefined>,
): Promise<ListedOrganization | ApiError> {
  const [row, { defaultOrganizationId }] = await Promise.all([found, findInstance(ctx)]);
  return row ? { ...row, isDefault: row.id === defaultOrganizationId } : noSuchOrganization();
}
