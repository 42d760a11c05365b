import { notFound } from "next/navigation";
import { searchFor } from "../../../../../components/console/calls/list";
import { MemberList } from "../../../../../components/console/directory/member-list";
import { pageNumber } from "../../../../../components/console/lists/pager";
import { ListOrgMemberRoles, ListOrgMembers } from "../../../../../shared/generated/operations";
import { pageAddress } from "../../../../../shared/pages";
import { pageOf } from "../../../page-of";
import { whoMayBeAdded } from "../../../who-may-be-added";

const { metadata, Page } = pageOf("members", async ({ viewer, organization, search }) => {
  const page = pageNumber(search.page);
  const [found, roles] = await Promise.all([
    viewer.call(ListOrgMembers, { body: searchFor(page) }),
    viewer.call(ListOrgMemberRoles, { body: {} }),
  ]);
  if (!found.ok || !roles.ok) notFound();
  return (
    <MemberList
      of="organization"
      path={pageAddress("members", organization.id)}
      query={{}}
      list={found.body}
      pageNumber={page}
      roles={roles.body.result}
      mayWrite={organization.permissions.has("org.member.write")}
      mayDelete={organization.permissions.has("org.member.delete")}
      among={whoMayBeAdded(viewer, organization)}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
