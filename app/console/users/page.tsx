import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { searchFor } from "../../../components/console/calls/list";
import { bulkMay } from "../../../components/console/directory/bulk-may";
import { orderOf, peopleQueries, userFilters } from "../../../components/console/directory/user-filters";
import { UserList } from "../../../components/console/directory/user-list";
import { viewsIn } from "../../../components/console/directory/views";
import { pageNumber } from "../../../components/console/lists/pager";
import { ListAllUsers } from "../../../shared/generated/operations";
import { organizationNames } from "../organization-names";
import { pageOf } from "../page-of";
import { toggledColumns } from "../toggled-columns";

const { metadata, Page } = pageOf("everybody", async ({ viewer, search }) => {
  const page = pageNumber(search.page);
  const filters = userFilters(search);
  const { sortingColumn, asc } = orderOf(filters);
  const { query, queries } = searchFor(page, peopleQueries(filters, Date.now()));
  const found = await viewer.call(ListAllUsers, { body: { query: { ...query, asc }, queries, sortingColumn } });
  if (!found.ok) notFound();
  const ids = found.body.result.map(({ details }) => details.resourceOwner);
  return (
    <UserList
      list={found.body}
      page={page}
      filters={filters}
      organizationId={undefined}
      organizationNames={await organizationNames(viewer, ids)}
      may={bulkMay(viewer.permissions)}
      ownId={viewer.user.userId}
      views={viewsIn((await headers()).get("cookie") ?? "")}
      toggled={await toggledColumns("users")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
