/** Rows of user metadata, which become a claim of a reserved scope. */
import type { Database, Transaction } from "../database";
import { readAll, readOne, write, writeOne } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

export interface MetadataRow {
  key: string;
  /** base64url. */
  value: string;
}

/** Times are epoch milliseconds. */
export interface ShownMetadataRow extends MetadataRow {
  createdAt: number;
  changedAt: number;
}

const metadataOf = statement(($: Params<{ userId: string }>) =>
  tables
    .selectFrom("UserMetadata")
    .select(["key", "value", "createdAt", "changedAt"])
    .where("userId", "=", $("userId"))
    .orderBy("key"),
);

export function listMetadata(db: Database, userId: string): Promise<ShownMetadataRow[]> {
  return db.all(metadataOf({ userId }));
}

export async function readMetadata(tx: Transaction, userId: string, key: string): Promise<string | undefined> {
  const one = tables.selectFrom("UserMetadata").select("value");
  return (await readOne(tx, bind(one.where((eb) => eb.and({ userId, key })))))?.value;
}

export async function writeMetadata(
  tx: Transaction,
  userId: string,
  { key, value }: MetadataRow,
  now: number,
): Promise<void> {
  const upsert = tables
    .insertInto("UserMetadata")
    .values({ userId, key, value, createdAt: now, changedAt: now })
    .onConflict((conflict) => conflict.columns(["userId", "key"]).doUpdateSet({ value, changedAt: now }));
  await write(tx, bind(upsert));
}

export async function deleteMetadata(tx: Transaction, userId: string, key: string): Promise<void> {
  await writeOne(tx, bind(tables.deleteFrom("UserMetadata").where((eb) => eb.and({ userId, key }))));
}

export async function readMetadataKeys(tx: Transaction, userId: string): Promise<string[]> {
  const rows = await readAll(tx, bind(tables.selectFrom("UserMetadata").select("key").where("userId", "=", userId)));
  return rows.map(({ key }) => key);
}
