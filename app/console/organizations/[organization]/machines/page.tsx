import { notFound } from "next/navigation";
import { MachineList } from "../../../../../components/console/directory/machine-list";
import type { User } from "../../../../../components/console/directory/user";
import { userQueries } from "../../../../../components/console/directory/user-queries";
import { type ListAnswer, searchFor } from "../../../../../components/console/list";
import { pageNumber } from "../../../../../components/console/pager";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("machines", async ({ viewer, organization, search }) => {
  const page = pageNumber(search.page);
  const body = searchFor(page, userQueries({ type: "machine", words: search.q, state: undefined }));
  const found = await viewer.call<ListAnswer<User>>("POST", "/management/v1/users/_search", { body });
  if (!found.ok) notFound();
  const mayWrite = organization.permissions.has("user.write");
  const asked = { page, searched: search.q, organizationId: organization.id };
  return <MachineList {...asked} list={found.body} mayWrite={mayWrite} />;
});
export const generateMetadata = metadata;
export default Page;
