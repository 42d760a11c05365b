/** The single row of the service itself. */
import type { Database, Transaction } from "../database";
import { readJson } from "../json-column";

export interface InstanceRow {
  id: string;
  defaultLanguage: string;
  defaultOrganizationId: string | null;
  features: Record<string, unknown>;
  security: Record<string, unknown>;
  /** Milliseconds by name; empty for the values of the environment. */
  tokenLifetimes: Record<string, unknown>;
  /** Milliseconds by kind of code. */
  codeLifetimes: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt: number;
}

export type InstanceSettings = Omit<InstanceRow, "id" | "createdAt">;

/** Returns the committed row; undefined before the first start. */
export async function findInstanceRow(db: Database): Promise<InstanceRow | undefined> {
  const row = await db.one<InstanceRow>(
    `SELECT "id", "defaultLanguage", "defaultOrganizationId", "features", "security", "tokenLifetimes", "codeLifetimes",
            "createdAt" FROM "Instance"`,
    [],
  );
  return (
    row && {
      ...row,
      features: readJson(row.features),
      security: readJson(row.security),
      tokenLifetimes: readJson(row.tokenLifetimes) ?? {},
      codeLifetimes: readJson(row.codeLifetimes) ?? {},
    }
  );
}

/**
 * Returns the row, locked until the transaction ends, so that changes of the whole service (setup, bootstrap) run one
 * after the other. SQLite has only one writer anyway.
 */
export async function lockInstanceRow(db: Database, tx: Transaction): Promise<InstanceRow | undefined> {
  if (db.kind === "postgresql") await tx.$queryRaw`SELECT "id" FROM "Instance" FOR UPDATE`;
  const row = await tx.instance.findFirst();
  if (!row) return undefined;
  return {
    ...row,
    features: row.features as Record<string, unknown>,
    security: row.security as Record<string, unknown>,
    tokenLifetimes: (row.tokenLifetimes ?? {}) as Record<string, unknown>,
    codeLifetimes: (row.codeLifetimes ?? {}) as Record<string, unknown>,
    createdAt: row.createdAt.getTime(),
  };
}

/** Returns the id of the service within a transaction, which must not wait for a second connection. */
export async function readInstanceId(tx: Transaction): Promise<string> {
  return (await tx.instance.findFirstOrThrow({ select: { id: true } })).id;
}

/** Milliseconds by kind of code, within a transaction. */
export async function readCodeLifetimes(tx: Transaction): Promise<Record<string, unknown>> {
  const row = await tx.instance.findFirst({ select: { codeLifetimes: true } });
  return (row?.codeLifetimes ?? {}) as Record<string, unknown>;
}

/**
 * Stores the BASE_URL of this start.
 * @returns the BASE_URL of the previous start; null before the first
 */
export async function replaceBaseUrl(db: Database, baseUrl: string): Promise<string | null> {
  const last = await findBaseUrl(db);
  if (last !== baseUrl) await db.run(`UPDATE "Instance" SET "baseUrl" = $1`, [baseUrl]);
  return last;
}

/** Returns the BASE_URL of the last start; null before the first. */
export async function findBaseUrl(db: Database): Promise<string | null> {
  const row = await db.one<{ baseUrl: string | null }>(`SELECT "baseUrl" FROM "Instance"`, []);
  return row?.baseUrl ?? null;
}

/** Stores the row unless it exists. Returns false if another process was first. */
export async function insertInstanceRow(db: Database, tx: Transaction, row: InstanceRow): Promise<boolean> {
  // There is no row to lock yet, so lock the table: two concurrent first starts create one instance.
  if (db.kind === "postgresql") await tx.$executeRaw`LOCK TABLE "Instance" IN SHARE ROW EXCLUSIVE MODE`;
  if (await tx.instance.findFirst({ select: { id: true } })) return false;
  await tx.instance.create({ data: { ...(row as object), createdAt: new Date(row.createdAt) } as never });
  return true;
}

export async function updateInstanceRow(tx: Transaction, id: string, data: Partial<InstanceSettings>): Promise<void> {
  await tx.instance.update({ where: { id }, data: data as object });
}
