import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { searchFor } from "../../../components/console/calls/list";
import { bulkMay } from "../../../components/console/directory/bulk-may";
import { orderOf, peopleQueries, userFilters } from "../../../components/console/directory/user-filters";
import { UserList } from "../../../components/console/directory/user-list";
import { viewsIn } from "../../../components/console/directory/views";
import { pageNumber } from "../../../components/console/lists/pager";
import { ListAllUsers, ListOrgs } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("everybody", async ({ viewer, search }) => {
  const page = pageNumber(search.page);
  const filters = userFilters(search);
  const { sortingColumn, asc } = orderOf(filters);
  const { query, queries } = searchFor(page, peopleQueries(filters, Date.now()));
  const found = await viewer.call(ListAllUsers, { body: { query: { ...query, asc }, queries, sortingColumn } });
  if (!found.ok) notFound();
  const organizations = new Set(found.body.result.map(({ details }) => details.resourceOwner));
  const named = [...organizations].map(async (id) => {
    const answer = await viewer.call(ListOrgs, { body: { queries: [{ idQuery: { id } }] } });
    return answer.ok ? answer.body.result.map(({ name }) => [id, name] as const) : [];
  });
  const organizationNames = new Map((await Promise.all(named)).flat());
  const views = viewsIn((await headers()).get("cookie") ?? "");
  const asked = { page, filters, ownId: viewer.user.userId, may: bulkMay(viewer.permissions), views };
  return <UserList {...asked} list={found.body} organizationId={undefined} organizationNames={organizationNames} />;
});
export const generateMetadata = metadata;
export default Page;
