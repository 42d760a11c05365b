import { notFound } from "next/navigation";
import { OrganizationPage } from "../../../../components/console/directory/organization-page";
import { GetMyOrg, ListOrgDomains } from "../../../../components/console/generated/operations";
import { searchForAll } from "../../../../components/console/list";
import { pageOf } from "../../page-of";

const { metadata, Page } = pageOf("organization", async ({ viewer, organization: { permissions } }) => {
  const [found, domains] = await Promise.all([
    viewer.call(GetMyOrg),
    viewer.call(ListOrgDomains, { body: searchForAll }),
  ]);
  if (!found.ok || !domains.ok) notFound();
  return (
    <OrganizationPage
      organization={found.body.org}
      domains={domains.body.result}
      mayWrite={permissions.has("org.write")}
      mayDelete={permissions.has("org.delete")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
