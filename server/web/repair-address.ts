/**
 * From the page that refuses an application's redirect URI to the application in the console, for those who manage it.
 * The console's cookie says who that is; the page changes nothing, and nobody else's page differs from a stranger's. What
 * was sent travels along as text: the console asks before it registers an address that anybody can have sent.
 */
import { checkPermission } from "../access/permissions";
import type { Context } from "../context";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import { unlessUnavailable } from "../directory/unavailable";
import { openConsoleSession } from "../http/console-session";
import type { Http } from "../http/env";
import type { Client } from "../protocol/client";

/** Characters; a longer address is looked at without it. */
const MAX_SENT = 2_000;

/** @param sent the redirect URI that was refused @returns undefined for everybody who may not read the application */
export async function repairAddress(
  ctx: Context,
  http: Http,
  client: Client,
  sent: string,
): Promise<string | undefined> {
  const { clientId, organizationId, projectId, appId } = client;
  if (clientId === CONSOLE_CLIENT_ID) return undefined; // it is part of the service
  const mayRead = async () => {
    const session = await openConsoleSession(ctx, http.req.header("cookie"));
    return session && !(await checkPermission(ctx, session.caller, "project.app.read", { organizationId, projectId }));
  };
  if (!(await unlessUnavailable(mayRead, false))) return undefined;
  const [organization, project, app] = [organizationId, projectId, appId].map(encodeURIComponent);
  const page = `/console/organizations/${organization}/projects/${project}/apps/${app}`;
  return sent.length > MAX_SENT ? page : `${page}?${new URLSearchParams({ refused: sent })}`;
}
