/**
 * The apps a person has let in, and disconnecting them: their grants end with all tokens, and the consent is forgotten,
 * so that the app has to ask again (OWASP ASVS 10.7.3).
 */

import type { Context } from "../../context";
import { findConsoleClient } from "../../directory/app/console-client";
import { CONSOLE_CLIENT_ID } from "../../directory/reserved-names";
import { withdrawConsent } from "../../directory/user/consent";
import type { Cause } from "../../events/record";
import { revokeGrantsOf } from "../../oidc/revoke-grant";
import { type Disclosure, disclosuresOf } from "../../protocol/consent-required";
import { type ConsentedAppRow, listActiveGrants, listConsentedApps } from "../../storage/connected-apps";

/** Times are epoch milliseconds. */
export interface ConnectedApp {
  clientId: string;
  name: string;
  organizationName: string | undefined;
  /** What it was given, in all. */
  scope: string[];
  /** What it may know or do. */
  disclosures: Disclosure[];
  /** When its oldest grant or consent was made. */
  connectedAt: number;
  /** When it last received a token. */
  usedAt: number;
}

/** The most recently used first. */
export async function listConnectedApps(ctx: Context, userId: string): Promise<ConnectedApp[]> {
  const [grants, consents] = await Promise.all([
    listActiveGrants(ctx.db, userId, ctx.clock()),
    listConsentedApps(ctx.db, userId),
  ]);
  const rows: ConsentedAppRow[] = [...grants, ...consents];
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

async function connectedApp(ctx: Context, clientId: string, rows: readonly ConsentedAppRow[]): Promise<ConnectedApp> {
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
  await ctx.db.transaction(async (tx) => {
    await revokeGrantsOf(ctx, tx, { user, clientId }, { actor: userId, ...cause });
    await withdrawConsent(ctx, tx, { userId, organizationId }, clientId, cause);
  });
}
