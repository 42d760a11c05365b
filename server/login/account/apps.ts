/**
 * The apps to which a user has granted access, and disconnecting them: their grants end with all tokens, and the
 * consent is deleted, so that the app has to ask again (OWASP ASVS 10.7.3).
 */

import type { Context } from "../../context";
import { findConsoleClient } from "../../directory/app/console-client";
import { findAudienceResources } from "../../directory/app/resources";
import { CONSOLE_CLIENT_ID } from "../../directory/reserved-names";
import { withdrawConsent } from "../../directory/user/consent";
import { type Cause, inTransaction } from "../../events/record";
import { askedPermissions } from "../../oidc/resources";
import { revokeGrantsOf } from "../../oidc/revoke-grant";
import { type Disclosure, disclosuresOf } from "../../protocol/consent-required";
import {
  type ActiveGrantRow,
  type ConsentedAppRow,
  listActiveGrants,
  listConsentedApps,
} from "../../storage/grant/connected-apps";

/** A connected app. Times are epoch milliseconds. */
export interface ConnectedApp {
  clientId: string;
  name: string;
  organizationName: string | undefined;
  /** All scopes, and permissions at resources, that it was granted. */
  scope: string[];
  /** The data and actions that it may access. */
  disclosures: Disclosure[];
  /** The time of its oldest grant or consent. */
  connectedAt: number;
  /** The time of its last token. */
  usedAt: number;
}

/** Returns the connected apps, the most recently used first. Those who act by way of an app are in agents.ts. */
export async function listConnectedApps(ctx: Context, userId: string): Promise<ConnectedApp[]> {
  const [grants, consents] = await Promise.all([
    listActiveGrants(ctx.db, userId, ctx.clock()),
    listConsentedApps(ctx.db, userId),
  ]);
  const own = grants.filter(({ actor }) => actor === null);
  const rows: ConsentedAppRow[] = [...(await Promise.all(own.map((row) => atResources(ctx, row)))), ...consents];
  const clientIds = [...new Set(rows.map(({ clientId }) => clientId))];
  const apps = await Promise.all(
    clientIds.map((clientId) =>
      connectedApp(
        ctx,
        clientId,
        rows.filter((row) => row.clientId === clientId),
      ),
    ),
  );
  return apps.sort((a, b) => b.usedAt - a.usedAt);
}

/** Returns the grant with its permissions as its scope: those at the resources that its tokens are for. */
export async function atResources(ctx: Context, grant: ActiveGrantRow): Promise<ConsentedAppRow> {
  const resources = await findAudienceResources(ctx, grant.audience.split(" "), grant);
  return { ...grant, scope: askedPermissions(grant.scope.split(" "), resources).join(" ") };
}

export async function connectedApp(
  ctx: Context,
  clientId: string,
  rows: readonly ConsentedAppRow[],
): Promise<ConnectedApp> {
  const scope = [...new Set(rows.flatMap((row) => row.scope.split(" ")))];
  const own = clientId === CONSOLE_CLIENT_ID ? await findConsoleClient(ctx) : undefined;
  return {
    clientId,
    name: rows[0]?.appName ?? own?.appName ?? clientId,
    organizationName: rows[0]?.organizationName ?? own?.organizationName,
    scope,
    disclosures: disclosuresOf(scope),
    connectedAt: Math.min(...rows.map(({ createdAt }) => createdAt)),
    usedAt: Math.max(...rows.map(({ usedAt }) => usedAt)),
  };
}

export async function disconnectApp(
  ctx: Context,
  user: { id: string; organizationId: string },
  clientId: string,
  cause: Cause,
): Promise<void> {
  const { id: userId, organizationId } = user;
  await inTransaction({ ...ctx, origin: { actor: userId, ...cause } }, async (ctx) => {
    await revokeGrantsOf(ctx, { user, clientId });
    await withdrawConsent(ctx, { userId, organizationId }, clientId);
  });
}
