import { notFound } from "next/navigation";
import { AppList } from "../../../../../components/console/apps/app-list";
import { searchFor } from "../../../../../components/console/calls/list";
import { pageNumber } from "../../../../../components/console/lists/pager";
import { ListOrganizationApps } from "../../../../../shared/generated/operations";
import { organizationAddress } from "../../../../../shared/pages";
import { mayCreateApp } from "../../../may-create-app";
import { pageOf } from "../../../page-of";
import { toggledColumns } from "../../../toggled-columns";

const { metadata, Page } = pageOf("apps", async ({ viewer, organization, search }) => {
  const page = pageNumber(search.page);
  const text = search.q?.trim();
  const body = searchFor(page, [text && { textQuery: { text } }]);
  const apps = await viewer.call(ListOrganizationApps, { body });
  if (!apps.ok) notFound();
  return (
    <AppList
      base={organizationAddress(organization.id)}
      apps={apps.body}
      search={text}
      page={page}
      mayCreate={mayCreateApp(organization)}
      toggled={await toggledColumns("apps")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
