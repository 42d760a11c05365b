import { notFound } from "next/navigation";
import { RecentAttempts } from "../../../../components/console/attempts/recent-attempts";
import { searchForAll } from "../../../../components/console/calls/list";
import { OrganizationPage } from "../../../../components/console/directory/organization-page";
import { GetMyOrg, ListOrgDomains } from "../../../../shared/generated/operations";
import { pageOf } from "../../page-of";
import { readRecentAttempts } from "../../read-attempts";
import { withHistory } from "../../with-history";

const { metadata, Page } = pageOf("organization", async ({ viewer, organization }) => {
  const { permissions } = organization;
  const [attempts, found, domains] = await Promise.all([
    readRecentAttempts(viewer, organization),
    viewer.call(GetMyOrg),
    viewer.call(ListOrgDomains, { body: searchForAll }),
  ]);
  if (!found.ok || !domains.ok) notFound();
  const recent = { organizationId: organization.id, mayWriteUsers: permissions.has("user.write") };
  return withHistory(
    { viewer, organization },
    { object: organization.id },
    <OrganizationPage
      organization={found.body.org}
      domains={domains.body.result}
      mayWrite={permissions.has("org.write")}
      mayDelete={permissions.has("org.delete")}
      attempts={attempts && <RecentAttempts {...recent} attempts={attempts} />}
    />,
  );
});
export const generateMetadata = metadata;
export default Page;
