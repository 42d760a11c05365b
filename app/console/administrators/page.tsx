import { notFound } from "next/navigation";
import { type Member, MemberList } from "../../../components/console/directory/member-list";
import { type ListAnswer, searchFor } from "../../../components/console/list";
import { pageNumber } from "../../../components/console/pager";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("administrators", async ({ viewer, search }) => {
  const page = pageNumber(search.page);
  const operation = "/admin/v1/members";
  const [found, roles] = await Promise.all([
    viewer.call<ListAnswer<Member>>("POST", `${operation}/_search`, { body: searchFor(page) }),
    viewer.call<{ result?: string[] }>("POST", `${operation}/roles/_search`, { body: {} }),
  ]);
  if (!found.ok || !roles.ok) notFound();
  return (
    <MemberList
      of="instance"
      path="/console/administrators"
      query={{}}
      operation={operation}
      list={found.body}
      pageNumber={page}
      roles={roles.body.result ?? []}
      mayWrite={viewer.permissions.has("iam.member.write")}
      mayDelete={viewer.permissions.has("iam.member.delete")}
      maySearch={viewer.permissions.has("user.read")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
