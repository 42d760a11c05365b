import { notFound } from "next/navigation";
import { searchFor, upperCase } from "../../../components/console/calls/list";
import { ORGANIZATION_STATES, OrganizationList } from "../../../components/console/directory/organization-list";
import { pageNumber } from "../../../components/console/lists/pager";
import { ListOrgs } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";
import { toggledColumns } from "../toggled-columns";

const { metadata, Page } = pageOf("organizations", async ({ viewer, search }) => {
  const page = pageNumber(search.page);
  const state = ORGANIZATION_STATES.find((value) => value === search.state);
  const body = searchFor(page, [
    search.q?.trim() && { textQuery: { text: search.q.trim() } },
    state && { stateQuery: { state: `ORG_STATE_${upperCase(state)}` as const } },
  ]);
  const found = await viewer.call(ListOrgs, { body });
  if (!found.ok) notFound();
  const mayCreate = viewer.permissions.has("org.create");
  const asked = { page, searched: search.q, state, mayCreate };
  return <OrganizationList {...asked} list={found.body} toggled={await toggledColumns("organizations")} />;
});
export const generateMetadata = metadata;
export default Page;
