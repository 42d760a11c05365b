import { notFound } from "next/navigation";
import { searchFrom } from "../../../../../components/console/calls/list";
import { AppApprovalsPage } from "../../../../../components/console/settings/app-approvals-page";
import { ListClientDecisions } from "../../../../../shared/generated/operations";
import { pageAddress } from "../../../../../shared/pages";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("app_approvals", async ({ viewer, organization, search }) => {
  const decisions = await viewer.call(ListClientDecisions, { body: searchFrom(search.page) });
  if (!decisions.ok) notFound();
  return (
    <AppApprovalsPage
      decisions={decisions.body}
      mayWrite={organization.permissions.has("policy.write")}
      mayDelete={organization.permissions.has("policy.delete")}
      path={pageAddress("app_approvals", organization.id)}
      isFirstPage={search.page === undefined}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
