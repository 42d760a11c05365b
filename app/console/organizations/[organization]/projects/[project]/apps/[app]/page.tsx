import { notFound } from "next/navigation";
import { hasKeys } from "../../../../../../../../components/console/apps/app";
import { AppPage } from "../../../../../../../../components/console/apps/app-page";
import { RecentAttempts } from "../../../../../../../../components/console/attempts/recent-attempts";
import { GetAppByID, ListAppKeys } from "../../../../../../../../components/console/generated/operations";
import { searchForAll } from "../../../../../../../../components/console/list";
import { organizationAddress } from "../../../../../../../../components/console/pages";
import { pageOf } from "../../../../../../page-of";
import { readRecentAttempts } from "../../../../../../read-attempts";

const { metadata, Page } = pageOf("apps", async ({ viewer, organization, params }) => {
  const at = { projectId: params.project ?? "", appId: params.app ?? "" };
  const [found, permissions] = await Promise.all([viewer.call(GetAppByID, { at }), viewer.permissionsIn(at.projectId)]);
  if (!found.ok) notFound();
  const { app } = found.body;
  const keys = hasKeys(app) ? await viewer.call(ListAppKeys, { at, body: searchForAll }) : undefined;
  const clientId = app.oidcConfig?.clientId;
  const attempts = clientId === undefined ? undefined : await readRecentAttempts(viewer, organization, { clientId });
  const recent = {
    organizationId: organization.id,
    filters: { app: clientId },
    mayWriteUsers: organization.permissions.has("user.write"),
    app: permissions.has("project.app.write") ? app : undefined,
  };
  return (
    <AppPage
      attempts={attempts && <RecentAttempts {...recent} attempts={attempts} />}
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
