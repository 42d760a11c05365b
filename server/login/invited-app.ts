/** The app in which an invited user lands. */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { listClientsOfGrants } from "../storage/user-grant/own-access";

/**
 * Returns the address at which the app whose role the user was given starts a sign-in (OpenID Connect Core §4);
 * undefined if no such app has one. It names the issuer but not the user, whom an app of another organization may only
 * know after the consent.
 */
export async function findLandingUrl(ctx: Context, userId: string): Promise<string | undefined> {
  for (const { clientId } of await listClientsOfGrants(ctx.db, userId)) {
    const client = await findClient(ctx, clientId);
    if (client?.initiateLoginUri === undefined) continue;
    const url = new URL(client.initiateLoginUri);
    url.searchParams.set("iss", ctx.config.baseUrl);
    return url.href;
  }
  return undefined;
}
