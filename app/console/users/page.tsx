import { notFound } from "next/navigation";
import { USER_STATES } from "../../../components/console/directory/user";
import { UserList } from "../../../components/console/directory/user-list";
import { userQueries } from "../../../components/console/directory/user-queries";
import { ListAllUsers } from "../../../components/console/generated/operations";
import { searchFor } from "../../../components/console/list";
import { pageNumber } from "../../../components/console/pager";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("everybody", async ({ viewer, search }) => {
  const page = pageNumber(search.page);
  const state = USER_STATES.find((value) => value === search.state);
  const body = searchFor(page, userQueries({ type: "human", words: search.q, state }));
  const found = await viewer.call(ListAllUsers, { body });
  if (!found.ok) notFound();
  const asked = { page, searched: search.q, state };
  return <UserList {...asked} list={found.body} organizationId={undefined} mayWrite={false} />;
});
export const generateMetadata = metadata;
export default Page;
