/**
 * Links from the error page for an application's redirect URI to the application in the console, for its managers. The
 * console's cookie identifies them; the page changes nothing, and is identical for all other visitors. The rejected
 * address is passed on as text: the console asks before it registers an address that anyone can have sent.
 */
import { checkPermission } from "../access/permissions";
import type { Context } from "../context";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import { unlessUnavailable } from "../directory/unavailable";
import { openConsoleSession } from "../http/console-session";
import type { Http } from "../http/env";
import type { Client } from "../protocol/client";

/** The maximum length in characters; a longer address is omitted. */
const MAX_SENT = 2_000;

/**
 * Returns the link.
 * @param sent the rejected redirect URI
 * @returns undefined for visitors who may not read the application
 */
export async function repairAddress(
  ctx: Context,
  http: Http,
  client: Client,
  sent: string,
): Promise<string | undefined> {
  const { clientId, organizationId, projectId, appId } = client;
  if (clientId === CONSOLE_CLIENT_ID) return undefined; // the console is part of the service
  const mayRead = async () => {
    const session = await openConsoleSession(ctx, http.req.header("cookie"));
    return session && !(await checkPermission(ctx, session.caller, "project.app.read", { organizationId, projectId }));
  };
  if (!(await unlessUnavailable(mayRead, false))) return undefined;
  const [organization, project, app] = [organizationId, projectId, appId].map(encodeURIComponent);
  const page = `/console/organizations/${organization}/projects/${project}/apps/${app}`;
  return sent.length > MAX_SENT ? page : `${page}?${new URLSearchParams({ refused: sent })}`;
}
