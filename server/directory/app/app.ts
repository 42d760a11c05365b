/**
 * Apps, which are registered clients. The protocol reads them by client id on nearly every request, so active apps are
 * cached for a few seconds. The process that deactivates an app, project or organization applies the change at once.
 */

import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { difference } from "../../events/difference";
import { type ChangeContext, noteChange, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Client } from "../../protocol/client";
import { documentUrl } from "../../protocol/client-document";
import { MAX_LENGTHS } from "../../protocol/lengths";
import { type AppRow, findActiveApp, insertApp, updateApp } from "../../storage/app/app";
import { createCache } from "../cache";
import { claimClientIdentifier, claimId } from "../identifiers";
import { CONSOLE_CLIENT_ID } from "../reserved-names";
import { toClient } from "./client";
import { findConsoleClient } from "./console-client";
import { acceptsDocument, findDocumentClient } from "./document-client";
import { addAppSecret } from "./secret";
import type { ApiSettings, OidcSettings } from "./settings";

const clients = createCache<Client>("clients", (_, { appId, projectId, organizationId }) => [
  appId,
  projectId,
  organizationId,
]);

/** Returns the client if its app, project and organization are active. The result can be up to five seconds old. */
export async function findClient(ctx: Context, clientId: string): Promise<Client | undefined> {
  // No client ID is longer, and PostgreSQL does not accept U+0000.
  if (clientId.length > MAX_LENGTHS.client_id || clientId.includes("\0")) return undefined;
  const client = await clients.get(ctx, clientId, async () => {
    if (clientId === CONSOLE_CLIENT_ID) return findConsoleClient(ctx);
    const app = await findActiveApp(ctx.db, clientId, ctx.clock());
    return app && app.origin !== "document" ? toClient(app) : findDocumentClient(ctx, clientId, app);
  });
  // Also an answer that was cached while such documents were accepted.
  const url = client?.origin === "document" ? documentUrl(client.clientId) : undefined;
  return url && !(await acceptsDocument(ctx, url)) ? undefined : client;
}

export interface AppFields {
  name?: string;
  clientId?: string;
  /** All settings; an omitted one gets its default. */
  settings?: OidcSettings | ApiSettings;
  jwks?: { keys: readonly Record<string, unknown>[] } | null;
  /** Granted by the instance; see app-trust.ts. */
  isTrusted?: boolean;
  mayManage?: boolean;
}

export interface NewApp extends AppFields {
  id?: string;
  projectId: string;
  organizationId: string;
  name: string;
  kind: "oidc" | "api";
  /** Plain text; only its digest is stored. */
  secret?: string;
}

/** Adds an app. Generates the id and the client id if they are not given. */
export async function addApp(ctx: ChangeContext, app: NewApp): Promise<AppRow | ApiError> {
  const { projectId, organizationId, name, kind, settings = {}, jwks = null, secret, clientId = newId() } = app;
  const { isTrusted = false, mayManage = false } = app;
  const id = await claimId(ctx, { kind: "app", id: app.id, organizationId });
  if (isApiError(id)) return id;
  const refusal = await claimClientIdentifier(ctx, { kind: "app", name: clientId, organizationId });
  if (refusal) return refusal;
  const change = { object: { id, organizationId } };
  const now = ctx.clock();
  const row = {
    id,
    projectId,
    name,
    kind,
    clientId,
    state: "active",
    settings,
    jwks,
    isTrusted,
    mayManage,
    createdAt: now,
    changedAt: now,
  };
  await recordIn(ctx, {
    ...change,
    type: "app.added",
    async state() {
      await insertApp(ctx.tx, row);
      const granted = { ...(isTrusted && { isTrusted }), ...(mayManage && { mayManage }) };
      return { payload: { name, kind, clientId, settings, jwks: jwks as never, ...granted } };
    },
  });
  if (secret !== undefined) await addAppSecret(ctx, { id, organizationId }, { secret });
  return row;
}

/**
 * Updates the fields that differ.
 * @returns whether anything changed; an error if the new client id is taken
 */
export async function changeApp(
  ctx: ChangeContext,
  stored: AppRow,
  organizationId: string,
  wanted: AppFields,
): Promise<boolean | ApiError> {
  noteChange(ctx.tx, "app.changed", stored.id);
  const changes = difference<AppFields>(stored, wanted);
  if (!changes) return false;
  const { clientId } = changes.data;
  if (clientId !== undefined) {
    const refusal = await claimClientIdentifier(ctx, {
      kind: "app",
      name: clientId,
      organizationId,
    });
    if (refusal) return refusal;
  }
  await recordIn(ctx, {
    type: "app.changed",
    object: { id: stored.id, organizationId },
    async state(_, now) {
      await updateApp(ctx.tx, stored.id, changes.data as Partial<AppRow>, now);
      return { payload: changes.payload };
    },
  });
  return true;
}
