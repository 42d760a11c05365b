/** Rows of the credentials of apps: secrets, of which several may be valid at once, and public keys. */
import type { Database, Transaction } from "../database";
import type { AppKey, AppSecret } from "../generated/sqlite/client";

export type AppKeyRow = AppKey;
export type AppSecretRow = AppSecret;

export async function insertAppSecret(tx: Transaction, row: Omit<AppSecretRow, "usedAt">): Promise<void> {
  await tx.appSecret.create({ data: row });
}

/** Returns the secrets of an app, oldest first. */
export function readAppSecrets(tx: Transaction, appId: string): Promise<AppSecretRow[]> {
  return tx.appSecret.findMany({ where: { appId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
}

export async function deleteAppSecret(tx: Transaction, id: string): Promise<void> {
  await tx.appSecret.delete({ where: { id } });
}

/** Records that a secret was used, unless that has been recorded since `unlessSince`. */
export async function markSecretUsed(db: Database, id: string, now: number, unlessSince: number): Promise<void> {
  await db.run(`UPDATE "AppSecret" SET "usedAt" = $1 WHERE "id" = $2 AND ("usedAt" IS NULL OR "usedAt" < $3)`, [
    new Date(now),
    id,
    new Date(unlessSince),
  ]);
}

/** A secret as it is shown in lists, without its digest. Times are epoch milliseconds. */
export interface ShownSecret {
  id: string;
  appId: string;
  createdAt: number;
  usedAt: number | null;
}

/** Returns the secrets of the apps, oldest first. */
export async function listAppSecrets(db: Database, appIds: readonly string[]): Promise<ShownSecret[]> {
  if (appIds.length === 0) return [];
  return db.all<ShownSecret>(
    `SELECT "id", "appId", "createdAt", "usedAt" FROM "AppSecret"
      WHERE "appId" IN (${appIds.map((_, index) => `$${index + 1}`).join(", ")}) ORDER BY "createdAt", "id"`,
    appIds,
  );
}

export async function insertAppKey(tx: Transaction, row: AppKeyRow): Promise<void> {
  await tx.appKey.create({ data: { ...row, publicJwk: row.publicJwk as object } });
}

export async function readAppKey(tx: Transaction, appId: string, id: string): Promise<AppKeyRow | undefined> {
  return (await tx.appKey.findUnique({ where: { appId_id: { appId, id } } })) ?? undefined;
}

export function countAppKeysIn(tx: Transaction, appId: string): Promise<number> {
  return tx.appKey.count({ where: { appId } });
}

export async function deleteAppKey(tx: Transaction, appId: string, id: string): Promise<void> {
  await tx.appKey.delete({ where: { appId_id: { appId, id } } });
}
