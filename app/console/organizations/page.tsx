import { notFound } from "next/navigation";
import type { Organization } from "../../../components/console/directory/organization";
import { ORGANIZATION_STATES, OrganizationList } from "../../../components/console/directory/organization-list";
import { CONTAINS, type ListAnswer, searchFor } from "../../../components/console/list";
import { pageNumber } from "../../../components/console/pager";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("organizations", async ({ viewer, search }) => {
  const page = pageNumber(search.page);
  const state = ORGANIZATION_STATES.find((value) => value === search.state);
  const body = searchFor(page, [
    search.q && { nameQuery: { name: search.q, method: CONTAINS } },
    state && { stateQuery: { state: `ORG_STATE_${state.toUpperCase()}` } },
  ]);
  const found = await viewer.call<ListAnswer<Organization>>("POST", "/admin/v1/orgs/_search", { body });
  if (!found.ok) notFound();
  const mayCreate = viewer.permissions.has("org.create");
  return <OrganizationList list={found.body} page={page} searched={search.q} state={state} mayCreate={mayCreate} />;
});
export const generateMetadata = metadata;
export default Page;
