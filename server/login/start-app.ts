/**
 * Sign-ins that start on a page of this service instead of the app (OpenID Connect Core §4, third-party initiated
 * login): after an invitation, and in the own account.
 */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import type { Client } from "../protocol/client";
import { listClientsOfGrants } from "../storage/user-grant/own-access";

/**
 * Returns the address at which an app starts a sign-in; undefined if it has none.
 * @param loginHint the login name of the user, only if the app has learned it before: an app of another organization
 * may only know the user after the consent
 */
export function startUrl(ctx: Context, client: Client | undefined, loginHint?: string): string | undefined {
  if (client?.initiateLoginUri === undefined) return undefined;
  const url = new URL(client.initiateLoginUri);
  url.searchParams.set("iss", ctx.config.baseUrl);
  // Pairwise subjects would be in vain beside a login name.
  if (loginHint !== undefined && client.sector === undefined) url.searchParams.set("login_hint", loginHint);
  return url.href;
}

export interface StartedApp {
  client: Client;
  href: string;
}

/** Returns the apps in which a user has roles and that can be started, in the order in which the roles were given. */
export async function listStartedApps(ctx: Context, userId: string): Promise<StartedApp[]> {
  const rows = await listClientsOfGrants(ctx.db, userId);
  const clients = await Promise.all(rows.map(({ clientId }) => findClient(ctx, clientId)));
  return clients.flatMap((client) => {
    const href = startUrl(ctx, client);
    return client && href !== undefined ? [{ client, href }] : [];
  });
}

/** Returns the address of the app in which an invited user lands: the first in which the user was given a role. */
export const findLandingUrl = async (ctx: Context, userId: string): Promise<string | undefined> =>
  (await listStartedApps(ctx, userId))[0]?.href;
