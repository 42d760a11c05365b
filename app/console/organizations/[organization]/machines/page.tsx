import { notFound } from "next/navigation";
import { searchFor } from "../../../../../components/console/calls/list";
import { MachineList } from "../../../../../components/console/directory/machine-list";
import { userQueriesFor } from "../../../../../components/console/directory/user-queries";
import { pageNumber } from "../../../../../components/console/lists/pager";
import { ListUsers } from "../../../../../shared/generated/operations";
import { pageOf } from "../../../page-of";
import { toggledColumns } from "../../../toggled-columns";

const { metadata, Page } = pageOf("machines", async ({ viewer, organization, search }) => {
  const page = pageNumber(search.page);
  const body = searchFor(page, userQueriesFor({ type: "machine", words: search.q, state: undefined }));
  const found = await viewer.call(ListUsers, { body });
  if (!found.ok) notFound();
  const mayWrite = organization.permissions.has("user.write");
  const asked = { page, searched: search.q, organizationId: organization.id };
  return <MachineList {...asked} list={found.body} mayWrite={mayWrite} toggled={await toggledColumns("machines")} />;
});
export const generateMetadata = metadata;
export default Page;
