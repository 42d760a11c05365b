import { notFound } from "next/navigation";
import { searchFor } from "../../../components/console/calls/list";
import { MemberList } from "../../../components/console/directory/member-list";
import { pageNumber } from "../../../components/console/lists/pager";
import { ListIAMMemberRoles, ListIAMMembers } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("administrators", async ({ viewer, search }) => {
  const page = pageNumber(search.page);
  const [found, roles] = await Promise.all([
    viewer.call(ListIAMMembers, { body: searchFor(page) }),
    viewer.call(ListIAMMemberRoles, { body: {} }),
  ]);
  if (!found.ok || !roles.ok) notFound();
  return (
    <MemberList
      of="instance"
      path="/console/administrators"
      query={{}}
      list={found.body}
      pageNumber={page}
      roles={roles.body.result}
      mayWrite={viewer.permissions.has("iam.member.write")}
      mayDelete={viewer.permissions.has("iam.member.delete")}
      among={viewer.permissions.has("user.read") ? "instance" : undefined}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
