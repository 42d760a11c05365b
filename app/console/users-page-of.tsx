// The page of the users of an organization, or of all.
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { searchFor } from "../../components/console/calls/list";
import { bulkMay } from "../../components/console/directory/bulk-may";
import { orderOf, peopleQueries, userFilters } from "../../components/console/directory/user-filters";
import { UserList } from "../../components/console/directory/user-list";
import { viewsIn } from "../../components/console/directory/views";
import { pageNumber } from "../../components/console/lists/pager";
import { ListAllUsers, ListUsers } from "../../shared/generated/operations";
import { organizationNames } from "./organization-names";
import type { PageContext } from "./page-of";
import { toggledColumns } from "./toggled-columns";

/** @param organization undefined for the users of all organizations */
export async function usersPage(
  { viewer, search }: PageContext,
  organization: PageContext["organization"] | undefined,
) {
  const page = pageNumber(search.page);
  const filters = userFilters(search);
  const { sortingColumn, asc } = orderOf(filters);
  const { query, queries } = searchFor(page, peopleQueries(filters, Date.now()));
  const body = { query: { ...query, asc }, queries, sortingColumn };
  const found = await viewer.call(organization ? ListUsers : ListAllUsers, { body });
  if (!found.ok) notFound();
  const ids = found.body.result.map(({ details }) => details.resourceOwner);
  return (
    <UserList
      list={found.body}
      page={page}
      filters={filters}
      organizationId={organization?.id}
      organizationNames={organization ? undefined : await organizationNames(viewer, ids)}
      may={bulkMay((organization ?? viewer).permissions)}
      ownId={viewer.user.userId}
      views={viewsIn((await headers()).get("cookie") ?? "")}
      toggled={await toggledColumns("users")}
    />
  );
}
