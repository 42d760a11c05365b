/** Rows of apps. An app is active only if its project and organization are active. */
import type { Database, Transaction } from "../database";
import { type App, Prisma } from "../generated/sqlite/client";
import { readJson } from "../json-column";

export type AppRow = App;

export interface ActiveSecret {
  id: string;
  digest: string;
  /** Epoch milliseconds. */
  usedAt: number | null;
}

/** The rows that make up a client. */
export interface ActiveApp {
  id: string;
  name: string;
  kind: "oidc" | "api";
  clientId: string;
  secrets: ActiveSecret[];
  settings: unknown;
  jwks: unknown;
  /** Separately stored public keys, without those of the key set. */
  keys: Record<string, unknown>[];
  projectId: string;
  organizationId: string;
  organizationName: string;
  /** Booleans, may be 0 or 1. */
  projectRoleAssertion: boolean | number;
  projectRoleCheck: boolean | number;
  hasProjectCheck: boolean | number;
  rolesClaim: string | null;
  isTrusted: boolean | number;
  mayManage: boolean | number;
}

/**
 * Returns the app, or undefined if it is unknown or inactive, or if its project or organization is inactive.
 * @param now epoch milliseconds; keys that have expired by then are left out
 */
export async function findActiveApp(db: Database, clientId: string, now: number): Promise<ActiveApp | undefined> {
  const row = await db.one<Omit<ActiveApp, "secrets" | "keys">>(
    `SELECT a."id", a."name", a."kind", a."clientId", a."settings", a."jwks", a."projectId",
            a."isTrusted", a."mayManage", p."organizationId", o."name" AS "organizationName", p."projectRoleAssertion", p."projectRoleCheck",
            p."hasProjectCheck", p."rolesClaim"
       FROM "App" a
       JOIN "Project" p ON p."id" = a."projectId"
       JOIN "Organization" o ON o."id" = p."organizationId"
      WHERE a."clientId" = $1 AND a."state" = 'active' AND p."state" = 'active' AND o."state" = 'active'`,
    [clientId],
  );
  if (!row) return undefined;
  const [secrets, keys] = await Promise.all([
    db.all<ActiveSecret>(`SELECT "id", "digest", "usedAt" FROM "AppSecret" WHERE "appId" = $1 ORDER BY "id"`, [row.id]),
    db.all<{ publicJwk: unknown }>(
      `SELECT "publicJwk" FROM "AppKey" WHERE "appId" = $1 AND ("expiresAt" IS NULL OR "expiresAt" > $2) ORDER BY "id"`,
      [row.id, new Date(now)],
    ),
  ]);
  const publicKeys = keys.map(({ publicJwk }) => readJson<Record<string, unknown>>(publicJwk));
  return { ...row, settings: readJson(row.settings), jwks: readJson(row.jwks), secrets, keys: publicKeys };
}

/** Returns the settings of all active OIDC apps. It is rarely called. */
export async function listAppSettings(db: Database): Promise<Record<string, unknown>[]> {
  const rows = await db.all<{ settings: unknown }>(
    `SELECT "settings" FROM "App" WHERE "kind" = 'oidc' AND "state" = 'active'`,
    [],
  );
  return rows.map(({ settings }) => readJson(settings));
}

export async function readApp(tx: Transaction, id: string): Promise<AppRow | undefined> {
  return (await tx.app.findUnique({ where: { id } })) ?? undefined;
}

export async function readAppByClientId(tx: Transaction, clientId: string): Promise<AppRow | undefined> {
  return (await tx.app.findUnique({ where: { clientId } })) ?? undefined;
}

/** Returns at most two apps with this name: enough to tell whether the name is unambiguous. */
export function readAppsByName(tx: Transaction, projectId: string, name: string): Promise<AppRow[]> {
  return tx.app.findMany({ where: { projectId, name }, take: 2 });
}

export async function insertApp(tx: Transaction, row: AppRow): Promise<void> {
  const { jwks, ...rest } = row;
  // Prisma accepts no null for a JSON column; leaving it out makes it NULL.
  const data = { ...rest, ...(jwks === null ? {} : { jwks }) };
  await tx.app.create({ data: data as Parameters<Transaction["app"]["create"]>[0]["data"] });
}

export async function updateApp(tx: Transaction, id: string, data: Partial<AppRow>, now: number): Promise<void> {
  const jwks = data.jwks === null ? { jwks: Prisma.DbNull } : {};
  await tx.app.update({ where: { id }, data: { ...data, ...jwks, changedAt: new Date(now) } as object });
}

export async function deleteApp(tx: Transaction, id: string): Promise<void> {
  await tx.app.delete({ where: { id } });
}

/** Returns the client ids of the apps of one project, or of all apps of an organization. */
export async function readClientIds(
  tx: Transaction,
  where: { projectId: string } | { project: { organizationId: string } },
): Promise<string[]> {
  const apps = await tx.app.findMany({ where, select: { clientId: true } });
  return apps.map(({ clientId }) => clientId);
}

/**
 * Revokes all grants and tokens of these clients. It reads every grant in the database, so it is only for rare
 * operations.
 */
export async function endTokensOf(tx: Transaction, clientIds: readonly string[], now: number): Promise<void> {
  const theirs = { clientId: { in: [...clientIds] }, revokedAt: null };
  await tx.grant.updateMany({ where: theirs, data: { revokedAt: new Date(now) } });
  await tx.accessToken.updateMany({ where: { ...theirs, grantId: null }, data: { revokedAt: new Date(now) } });
}
