import { notFound } from "next/navigation";
import { USER_STATES } from "../../../../../components/console/directory/user";
import { UserList } from "../../../../../components/console/directory/user-list";
import { userQueries } from "../../../../../components/console/directory/user-queries";
import { ListUsers } from "../../../../../components/console/generated/operations";
import { searchFor } from "../../../../../components/console/list";
import { pageNumber } from "../../../../../components/console/pager";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("users", async ({ viewer, organization, search }) => {
  const page = pageNumber(search.page);
  const state = USER_STATES.find((value) => value === search.state);
  const body = searchFor(page, userQueries({ type: "human", words: search.q, state }));
  const found = await viewer.call(ListUsers, { body });
  if (!found.ok) notFound();
  const mayWrite = organization.permissions.has("user.write");
  const asked = { page, searched: search.q, state };
  return <UserList {...asked} list={found.body} organizationId={organization.id} mayWrite={mayWrite} />;
});
export const generateMetadata = metadata;
export default Page;
