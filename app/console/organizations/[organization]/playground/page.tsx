import { notFound } from "next/navigation";
import type { App } from "../../../../../components/console/apps/app";
import { type ListAnswer, searchForAll } from "../../../../../components/console/list";
import { organizationAddress } from "../../../../../components/console/pages";
import { Playground } from "../../../../../components/console/playground/playground";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("playground", async ({ viewer, organization, search }) => {
  const [apps, writable] = await Promise.all([
    viewer.call<ListAnswer<App>>("POST", "/management/v1/apps/_search", { body: searchForAll }),
    viewer.projectsWith("project.app.write"),
  ]);
  if (!apps.ok) notFound();
  return (
    <Playground
      issuer={viewer.issuer}
      base={organizationAddress(organization.id)}
      organizationId={organization.id}
      apps={(apps.body.result ?? []).filter(({ oidcConfig }) => oidcConfig !== undefined)}
      chosenAppId={search.app}
      writableProjects={writable}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
