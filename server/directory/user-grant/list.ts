/** Lists the roles that an organization has granted to users, with these users and the projects. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import {
  type GrantsWanted,
  grantsOf,
  matchGrants,
  type ShownGrant,
  userGrantList,
} from "../../storage/user-grant/list";
import { type PagedList, pagedList } from "../listing";
import { type GrantRef, type ManagedGrants, noSuchGrant } from "./edit";

export type ListedGrant = ShownGrant;
/** Filter for a list of grants; a grant must match all given fields. */
export type GrantMatch = Omit<GrantsWanted, "id">;

/** Lists the grants, newest first. */
export function listUserGrants(
  ctx: Context,
  managed: ManagedGrants,
  matches: readonly GrantMatch[],
): PagedList<ListedGrant> {
  return grantList(ctx, managed, matches);
}

export async function readListedGrant(
  ctx: Context,
  { userId, grantId, ...managed }: GrantRef,
): Promise<ListedGrant | ApiError> {
  const list = grantList(ctx, managed, [{ id: grantId, userId }]);
  const { rows } = await list.page({ after: undefined, offset: 0, limit: 1, ascending: undefined });
  return rows[0] ?? noSuchGrant();
}

function grantList(
  ctx: Context,
  { organizationId, projectIds }: ManagedGrants,
  matches: readonly GrantsWanted[],
): PagedList<ListedGrant> {
  const where = grantsOf(organizationId, projectIds);
  for (const match of matches) matchGrants(ctx.db, where, match);
  return pagedList(ctx, where, userGrantList);
}
