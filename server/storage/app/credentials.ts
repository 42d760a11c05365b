/** Rows of the credentials of apps: secrets, of which several may be valid at once, and public keys. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readCount, readOne, write, writeOne } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface AppKeyRow extends Selectable<Tables["AppKey"]> {
  publicJwk: object;
}
export type AppSecretRow = Selectable<Tables["AppSecret"]>;

export async function insertAppSecret(
  tx: Transaction,
  row: Omit<AppSecretRow, "usedAt" | "remindedAt">,
): Promise<void> {
  await write(tx, bind(tables.insertInto("AppSecret").values(row)));
}

/** Returns the secrets of an app, oldest first. */
export function readAppSecrets(tx: Transaction, appId: string): Promise<AppSecretRow[]> {
  const secrets = tables.selectFrom("AppSecret").selectAll().where("appId", "=", appId);
  return readAll(tx, bind(secrets.orderBy("createdAt").orderBy("id")));
}

export async function deleteAppSecret(tx: Transaction, id: string): Promise<void> {
  await writeOne(tx, bind(tables.deleteFrom("AppSecret").where("id", "=", id)));
}

const markUsed = statement(($: Params<{ id: string; now: number; unlessSince: number }>) =>
  tables
    .updateTable("AppSecret")
    .set({ usedAt: $("now") })
    .where("id", "=", $("id"))
    .where((eb) => eb.or([eb("usedAt", "is", null), eb("usedAt", "<", $("unlessSince"))])),
);

/** Records that a secret was used, unless that has been recorded since `unlessSince`. */
export async function markSecretUsed(db: Database, id: string, now: number, unlessSince: number): Promise<void> {
  await db.run(markUsed({ id, now, unlessSince }));
}

/** A secret as it is shown in lists, without its digest. Times are epoch milliseconds. */
export type ShownSecret = Omit<AppSecretRow, "digest" | "remindedAt">;

/** Returns the secrets of the apps, oldest first. */
export async function listAppSecrets(db: Database, appIds: readonly string[]): Promise<ShownSecret[]> {
  if (appIds.length === 0) return [];
  const secrets = tables.selectFrom("AppSecret").select(["id", "appId", "createdAt", "usedAt", "expiresAt"]);
  return db.all(bind(secrets.where("appId", "in", appIds).orderBy("createdAt").orderBy("id")));
}

const ending = statement(($: Params<{ now: number; until: number; limit: number }>) =>
  tables
    .selectFrom("AppSecret as s")
    .innerJoin("App as a", "a.id", "s.appId")
    .innerJoin("Project as p", "p.id", "a.projectId")
    .select(["s.id", "s.appId", "s.expiresAt", "p.organizationId"])
    .where("s.expiresAt", ">", $("now"))
    .where("s.expiresAt", "<=", $("until"))
    .where("s.remindedAt", "is", null)
    .orderBy("s.expiresAt")
    .limit($("limit")),
);

/** Returns secrets that expire until a time and were not announced yet, the next to expire first. */
export function listEndingSecrets(db: Database, range: { now: number; until: number; limit: number }) {
  return db.all(ending(range));
}

/**
 * Marks the end of a secret as announced.
 * @returns false if it was before, or the secret was removed
 */
export async function markSecretReminded(tx: Transaction, id: string, now: number): Promise<boolean> {
  const marked = tables.updateTable("AppSecret").set({ remindedAt: now }).where("id", "=", id);
  return (await write(tx, bind(marked.where("remindedAt", "is", null)))) > 0;
}

export async function insertAppKey(tx: Transaction, row: AppKeyRow): Promise<void> {
  await write(tx, bind(tables.insertInto("AppKey").values(row)));
}

export function readAppKey(tx: Transaction, appId: string, id: string): Promise<AppKeyRow | undefined> {
  const key = tables.selectFrom("AppKey").selectAll().where("appId", "=", appId).where("id", "=", id);
  return readOne(tx, bind(key.$castTo<AppKeyRow>()));
}

export function countAppKeysIn(tx: Transaction, appId: string): Promise<number> {
  return readCount(tx, tables.selectFrom("AppKey").where("appId", "=", appId));
}

export async function deleteAppKey(tx: Transaction, appId: string, id: string): Promise<void> {
  await writeOne(tx, bind(tables.deleteFrom("AppKey").where("appId", "=", appId).where("id", "=", id)));
}
