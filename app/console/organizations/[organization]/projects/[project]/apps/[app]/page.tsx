import { notFound } from "next/navigation";
import type { App, AppKey } from "../../../../../../../../components/console/apps/app";
import { hasKeys } from "../../../../../../../../components/console/apps/app";
import { AppPage } from "../../../../../../../../components/console/apps/app-page";
import { type ListAnswer, searchForAll } from "../../../../../../../../components/console/list";
import { organizationAddress } from "../../../../../../../../components/console/pages";
import { projectPath } from "../../../../../../../../components/console/projects/project";
import { pageOf } from "../../../../../../page-of";

const { metadata, Page } = pageOf("apps", async ({ viewer, organization, params: { project = "", app: id = "" } }) => {
  const path = `${projectPath(project)}/apps/${encodeURIComponent(id)}`;
  const [found, permissions] = await Promise.all([
    viewer.call<{ app: App }>("GET", path),
    viewer.permissionsIn(project),
  ]);
  if (!found.ok) notFound();
  const { app } = found.body;
  const keys = hasKeys(app)
    ? await viewer.call<ListAnswer<AppKey>>("POST", `${path}/keys/_search`, { body: searchForAll })
    : undefined;
  return (
    <AppPage
      issuer={viewer.issuer}
      base={organizationAddress(organization.id)}
      app={app}
      keys={(keys?.ok && keys.body.result) || []}
      grantTypes={viewer.grantTypes}
      mayWrite={permissions.has("project.app.write")}
      mayDelete={permissions.has("project.app.delete")}
      mayVouch={permissions.has("iam.write")}
      isForeign={organization.id !== viewer.user.organizationId}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
