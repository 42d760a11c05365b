import { notFound } from "next/navigation";
import { searchForAll } from "../../../../../components/console/calls/list";
import { Playground } from "../../../../../components/console/playground/playground";
import { ListOrganizationApps } from "../../../../../shared/generated/operations";
import { organizationAddress } from "../../../../../shared/pages";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("playground", async ({ viewer, organization, search }) => {
  const [apps, writable] = await Promise.all([
    viewer.call(ListOrganizationApps, { body: searchForAll }),
    viewer.projectsWith("project.app.write"),
  ]);
  if (!apps.ok) notFound();
  return (
    <Playground
      issuer={viewer.issuer}
      base={organizationAddress(organization.id)}
      organizationId={organization.id}
      apps={apps.body.result.filter(({ oidcConfig }) => oidcConfig !== undefined)}
      chosenAppId={search.app}
      writableProjects={writable}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
