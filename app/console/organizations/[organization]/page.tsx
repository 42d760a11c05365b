import { notFound } from "next/navigation";
import type { Domain, Organization } from "../../../../components/console/directory/organization";
import { OrganizationPage } from "../../../../components/console/directory/organization-page";
import { type ListAnswer, searchForAll } from "../../../../components/console/list";
import { pageOf } from "../../page-of";

const { metadata, Page } = pageOf("organization", async ({ viewer, organization: { permissions } }) => {
  const [found, domains] = await Promise.all([
    viewer.call<{ org: Organization }>("GET", "/management/v1/orgs/me"),
    viewer.call<ListAnswer<Domain>>("POST", "/management/v1/orgs/me/domains/_search", { body: searchForAll }),
  ]);
  if (!found.ok || !domains.ok) notFound();
  return (
    <OrganizationPage
      organization={found.body.org}
      domains={domains.body.result ?? []}
      mayWrite={permissions.has("org.write")}
      mayDelete={permissions.has("org.delete")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
