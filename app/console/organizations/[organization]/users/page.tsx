import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { searchFor } from "../../../../../components/console/calls/list";
import { bulkMay } from "../../../../../components/console/directory/bulk-may";
import { orderOf, peopleQueries, userFilters } from "../../../../../components/console/directory/user-filters";
import { UserList } from "../../../../../components/console/directory/user-list";
import { viewsIn } from "../../../../../components/console/directory/views";
import { pageNumber } from "../../../../../components/console/lists/pager";
import { ListUsers } from "../../../../../shared/generated/operations";
import { pageOf } from "../../../page-of";
import { toggledColumns } from "../../../toggled-columns";

const { metadata, Page } = pageOf("users", async ({ viewer, organization, search }) => {
  const page = pageNumber(search.page);
  const filters = userFilters(search);
  const { sortingColumn, asc } = orderOf(filters);
  const { query, queries } = searchFor(page, peopleQueries(filters, Date.now()));
  const found = await viewer.call(ListUsers, { body: { query: { ...query, asc }, queries, sortingColumn } });
  if (!found.ok) notFound();
  return (
    <UserList
      list={found.body}
      page={page}
      filters={filters}
      organizationId={organization.id}
      may={bulkMay(organization.permissions)}
      ownId={viewer.user.userId}
      views={viewsIn((await headers()).get("cookie") ?? "")}
      toggled={await toggledColumns("users")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
