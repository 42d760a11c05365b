/**
 * Front-channel logout (OpenID Connect Front-Channel Logout 1.0): the pages of apps that the browser loads in frames
 * after its sessions have ended, so that each app can clear its own session there (rule SIGNOUT-5).
 */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { sessionFor } from "../keys/subject";
import { matchFrontChannelUri } from "../protocol/redirect-uri";
import { listSessionClients } from "../storage/session/logout-notifications";

/** The maximum number of frames, as each costs the browser a page. */
const MAX_FRAMES = 50;

/** Returns the addresses to load for sessions that are about to end. */
export async function frontChannelLogouts(ctx: Context, sessions: readonly { id: string }[]): Promise<string[]> {
  const ids = sessions.map(({ id }) => id);
  const addresses = new Set<string>();
  for (const { clientId, sessionId } of await listSessionClients(ctx.db, ids, 4 * MAX_FRAMES)) {
    const client = await findClient(ctx, clientId);
    const uri = client?.frontChannelLogoutUri;
    // Checked again, so that a row forced into the database has no effect.
    if (!client || uri === undefined || !matchFrontChannelUri(client, uri)) continue;
    const url = new URL(uri);
    if (client.frontChannelLogoutSessionRequired) {
      url.searchParams.append("iss", ctx.config.baseUrl);
      url.searchParams.append("sid", await sessionFor(ctx, client, sessionId));
    }
    addresses.add(url.href);
  }
  return [...addresses].slice(0, MAX_FRAMES);
}
