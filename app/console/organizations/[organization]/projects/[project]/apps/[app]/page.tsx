import { notFound } from "next/navigation";
import { type App, authenticatesWithKey, redirectRules } from "../../../../../../../../components/console/apps/app";
import { AppPage } from "../../../../../../../../components/console/apps/app-page";
import { FirstSignIn } from "../../../../../../../../components/console/apps/first-sign-in";
import { RefusedAddress } from "../../../../../../../../components/console/apps/refused-address";
import { RecentAttempts } from "../../../../../../../../components/console/attempts/recent-attempts";
import { searchForAll } from "../../../../../../../../components/console/calls/list";
import type { Viewer } from "../../../../../../../../server/service/service";
import {
  CheckAuthorizeUrl,
  CheckRedirectUri,
  GetAppByID,
  GetLatestAppSignIn,
  ListAppKeys,
} from "../../../../../../../../shared/generated/operations";
import { organizationAddress } from "../../../../../../../../shared/pages";
import { pageOf } from "../../../../../../page-of";
import { readRecentAttempts } from "../../../../../../read-attempts";
import { withHistory } from "../../../../../../with-history";

/** How long after the creation of an app the page waits for a first sign-in, in milliseconds. */
const NEW = 7 * 86_400_000;

/**
 * Returns what is wrong with a rejected address.
 * @param sent the address in the link of the error page
 */
async function whatIsWrong(viewer: Viewer, { oidcConfig: oidc }: App, sent: string | undefined) {
  if (!sent || !oidc) return undefined;
  const query = new URLSearchParams({ client_id: oidc.clientId, redirect_uri: sent, response_type: "code" });
  const checked = await viewer.call(CheckAuthorizeUrl, {
    body: { url: `${viewer.issuer}/oauth/v2/authorize?${query}` },
  });
  return checked.ok && !checked.body.valid ? checked.body.redirectUri : undefined;
}

/** Returns the results of the rules for the app's redirect addresses, by address. */
async function verdictsOn(viewer: Viewer, { oidcConfig: oidc }: App) {
  const checks = oidc?.redirectUris.map(async (uri) => {
    const checked = await viewer.call(CheckRedirectUri, { body: { uri, ...redirectRules(oidc) } });
    return checked.ok ? [[uri, checked.body] as const] : [];
  });
  return Object.fromEntries((await Promise.all(checks ?? [])).flat());
}

const { metadata, Page } = pageOf("apps", async ({ viewer, organization, params, search }) => {
  const at = { projectId: params.project ?? "", appId: params.app ?? "" };
  const [found, permissions] = await Promise.all([viewer.call(GetAppByID, { at }), viewer.permissionsIn(at.projectId)]);
  if (!found.ok) notFound();
  const { app } = found.body;
  // The page of an older app does not wait for a first sign-in.
  const isNew = Date.now() - Date.parse(app.details.creationDate) < NEW;
  const oidc = isNew && app.state === "APP_STATE_ACTIVE" ? app.oidcConfig : undefined;
  const latest = oidc && (await viewer.call(GetLatestAppSignIn, { at }));
  const mayWrite = permissions.has("project.app.write");
  const keys = authenticatesWithKey(app) ? await viewer.call(ListAppKeys, { at, body: searchForAll }) : undefined;
  const clientId = app.oidcConfig?.clientId;
  const attempts = clientId === undefined ? undefined : await readRecentAttempts(viewer, organization, { clientId });
  const [refused, verdicts] = await Promise.all([whatIsWrong(viewer, app, search.refused), verdictsOn(viewer, app)]);
  const recent = {
    organizationId: organization.id,
    filters: { app: clientId },
    mayWriteUsers: organization.permissions.has("user.write"),
    app: mayWrite ? app : undefined,
  };
  return withHistory(
    { viewer, organization },
    { object: app.id },
    <AppPage
      stack={search.stack}
      first={
        oidc &&
        latest?.ok &&
        !latest.body.signIn && (
          <FirstSignIn
            issuer={viewer.issuer}
            organizationId={organization.id}
            latest={latest.body}
            {...{ app, oidc, mayWrite }}
          />
        )
      }
      refused={refused && <RefusedAddress redirectUri={refused} app={mayWrite ? app : undefined} />}
      attempts={attempts && <RecentAttempts {...recent} attempts={attempts} />}
      issuer={viewer.issuer}
      base={organizationAddress(organization.id)}
      app={app}
      keys={(keys?.ok && keys.body.result) || []}
      grantTypes={viewer.grantTypes}
      verdicts={verdicts}
      mayWrite={mayWrite}
      mayDelete={permissions.has("project.app.delete")}
      mayVouch={permissions.has("iam.write")}
      isForeign={organization.id !== viewer.user.organizationId}
    />,
  );
});
export const generateMetadata = metadata;
export default Page;
