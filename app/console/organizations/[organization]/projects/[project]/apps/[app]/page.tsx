import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { type App, authenticatesWithKey, redirectRules } from "../../../../../../../../components/console/apps/app";
import { AppCredentials } from "../../../../../../../../components/console/apps/app-credentials";
import { AppPage } from "../../../../../../../../components/console/apps/app-page";
import { AppSettings } from "../../../../../../../../components/console/apps/app-settings";
import { APP_VIEWS, type AppView } from "../../../../../../../../components/console/apps/app-view";
import { FirstSignIn } from "../../../../../../../../components/console/apps/first-sign-in";
import { Quickstart } from "../../../../../../../../components/console/apps/quickstart";
import { RefusedAddress } from "../../../../../../../../components/console/apps/refused-address";
import { isVouchedFor } from "../../../../../../../../components/console/apps/vouching";
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
import { type PageContext, pageOf } from "../../../../../../page-of";
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

/** Returns the element that waits for the first sign-in; nothing for an older app, or one that was signed in to. */
async function firstSignIn(viewer: Viewer, organizationId: string, app: App, mayWrite: boolean): Promise<ReactNode> {
  const { oidcConfig: oidc, state, projectId, id, details } = app;
  const isNew = Date.now() - Date.parse(details.creationDate) < NEW;
  if (!oidc || !isNew || state !== "APP_STATE_ACTIVE") return undefined;
  const latest = await viewer.call(GetLatestAppSignIn, { at: { projectId, appId: id } });
  if (!latest.ok || latest.body.signIn) return undefined;
  return <FirstSignIn issuer={viewer.issuer} latest={latest.body} {...{ organizationId, app, oidc, mayWrite }} />;
}

function readApp(viewer: Viewer, { project = "", app = "" }: PageContext["params"]) {
  return viewer.call(GetAppByID, { at: { projectId: project, appId: app } });
}

async function nameOfApp(viewer: Viewer, params: PageContext["params"]) {
  const read = await readApp(viewer, params);
  return read.ok ? read.body.app.name : undefined;
}

async function page({ viewer, organization, params, search }: PageContext) {
  const at = { projectId: params.project ?? "", appId: params.app ?? "" };
  const [found, permissions] = await Promise.all([readApp(viewer, params), viewer.permissionsIn(at.projectId)]);
  if (!found.ok) notFound();
  const { app } = found.body;
  const { issuer } = viewer;
  const { stack } = search;
  const mayVouch = permissions.has("iam.write");
  const mayWriteApps = permissions.has("project.app.write");
  const isReserved = mayWriteApps && !mayVouch && isVouchedFor(app);
  const mayWrite = mayWriteApps && !isReserved;
  const base = organizationAddress(organization.id);
  const address = `${base}/projects/${encodeURIComponent(app.projectId)}/apps/${encodeURIComponent(app.id)}`;
  const mayReadAttempts = app.oidcConfig !== undefined && organization.permissions.has("user.read");
  const views = APP_VIEWS.filter((name) => name !== "sign-ins" || mayReadAttempts);
  const view = views.find((name) => name === search.view) ?? "quickstart";
  const contents: Record<AppView, () => Promise<ReactNode>> = {
    quickstart: async () => (
      <Quickstart
        first={await firstSignIn(viewer, organization.id, app, mayWrite)}
        {...{ issuer, base, address, app, stack, mayWrite }}
      />
    ),
    settings: async () => (
      <AppSettings
        base={base}
        app={app}
        grantTypes={viewer.grantTypes}
        verdicts={await verdictsOn(viewer, app)}
        may={{
          write: mayWrite,
          deactivate: mayWriteApps,
          delete: permissions.has("project.app.delete"),
          connect: organization.permissions.has("policy.write"),
          vouch: mayVouch,
        }}
      />
    ),
    async credentials() {
      const keys = authenticatesWithKey(app) ? await viewer.call(ListAppKeys, { at, body: searchForAll }) : undefined;
      return <AppCredentials app={app} keys={(keys?.ok && keys.body.result) || []} mayWrite={mayWrite} />;
    },
    async "sign-ins"() {
      const clientId = app.oidcConfig?.clientId;
      return (
        <RecentAttempts
          organizationId={organization.id}
          filters={{ app: clientId }}
          mayWriteUsers={organization.permissions.has("user.write")}
          app={mayWrite ? app : undefined}
          attempts={(await readRecentAttempts(viewer, organization, { clientId })) ?? []}
        />
      );
    },
  };
  const [content, refused] = await Promise.all([contents[view](), whatIsWrong(viewer, app, search.refused)]);
  return withHistory(
    { viewer, organization },
    { object: app.id },
    <AppPage
      isForeign={organization.id !== viewer.user.organizationId}
      refused={refused && <RefusedAddress redirectUri={refused} app={mayWrite ? app : undefined} />}
      {...{ base, address, app, views, view, mayWrite, isReserved, stack }}
    >
      {content}
    </AppPage>,
  );
}
const { metadata, Page } = pageOf("apps", page, nameOfApp);
export const generateMetadata = metadata;
export default Page;
