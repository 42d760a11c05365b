import { notFound } from "next/navigation";
import type { App, AppKey } from "../../../../../../../../components/console/apps/app";
import { hasKeys } from "../../../../../../../../components/console/apps/app";
import { AppPage } from "../../../../../../../../components/console/apps/app-page";
import { type ListAnswer, searchForAll } from "../../../../../../../../components/console/list";
import { organizationAddress } from "../../../../../../../../components/console/pages";
import { projectPath } from "../../../../../../../../components/console/projects/project";
import { pageOf } from "../../../../../../page-of";

const { metadata, Page } = pageOf("apps", async ({ desk, organization, params }) => {
  const path = `${projectPath(params.project ?? "")}/apps/${encodeURIComponent(params.app ?? "")}`;
  const found = await desk.call<{ app: App }>("GET", path);
  if (!found.ok) notFound();
  const { app } = found.body;
  const keys = hasKeys(app)
    ? await desk.call<ListAnswer<AppKey>>("POST", `${path}/keys/_search`, { body: searchForAll })
    : undefined;
  return (
    <AppPage
      issuer={desk.issuer}
      base={organizationAddress(organization.id)}
      app={app}
      keys={(keys?.ok && keys.body.result) || []}
      mayWrite={organization.permissions.has("project.app.write")}
      mayDelete={organization.permissions.has("project.app.delete")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
