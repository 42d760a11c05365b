/** Project grants as administrators of both organizations see them. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import {
  countProjectGrants,
  listProjectGrants,
  matchProjectGrants,
  type ProjectGrantsWanted,
  projectGrantsOf,
  type ShownProjectGrant,
} from "../../storage/project/project-grants";
import type { ProjectGrantRef } from "../change-project";
import { type PagedList, pagedList } from "../listing";
import { noSuchProjectGrant } from "../not-found";

export type ListedProjectGrant = ShownProjectGrant;
export type ProjectGrantMatch = Omit<ProjectGrantsWanted, "id">;
/** Whether the organization grants the project, or has it granted. */
export type GrantSide = Parameters<typeof projectGrantsOf>[0];

/** Newest first. */
export function projectGrantList(
  ctx: Context,
  side: GrantSide,
  organizationId: string,
  matches: readonly ProjectGrantsWanted[],
): PagedList<ListedProjectGrant> {
  const where = projectGrantsOf(side, organizationId);
  for (const match of matches) matchProjectGrants(ctx.db, where, match);
  return pagedList(ctx, {
    cursor: ["string", "string"],
    where,
    isDescending: true,
    list: listProjectGrants,
    count: countProjectGrants,
  });
}

/** Returns the grant; one of other organizations is rejected like one that does not exist. */
export async function requireProjectGrant(
  ctx: Context,
  side: GrantSide,
  { organizationId, projectId, grantId }: ProjectGrantRef,
): Promise<ListedProjectGrant | ApiError> {
  const list = projectGrantList(ctx, side, organizationId, [{ id: grantId, projectId }]);
  const { rows } = await list.page({ after: undefined, offset: 0, limit: 1, ascending: undefined });
  return rows[0] ?? noSuchProjectGrant();
}
