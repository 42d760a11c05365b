/** Rows of the keys that sign tokens. The caller seals the private part; this module never has it in the clear. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readCount, write, writeOne } from "../in-transaction";
import { bind, tables } from "../statement";

export type SigningKeyRow = Selectable<Tables["SigningKey"]>;

/** The keys that need not be removed yet, oldest first. */
const keysAt = (now: number) =>
  tables
    .selectFrom("SigningKey")
    .selectAll()
    .where((eb) => eb.or([eb("removeAt", "is", null), eb("removeAt", ">", now)]))
    .orderBy("createdAt")
    .orderBy("id");

/** Returns all keys that need not be removed yet at `now`, oldest first. */
export function listSigningKeyRows(db: Database, now: number): Promise<SigningKeyRow[]> {
  return db.all(bind(keysAt(now)));
}

/** Stores the first keys of an algorithm. Returns false if another process was first. */
export function insertFirstSigningKeys(
  db: Database,
  instanceId: string,
  keys: readonly SigningKeyRow[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // This update locks the instance row, so that two processes starting at once create only one set of keys.
    await writeOne(tx, bind(tables.updateTable("Instance").set({ id: instanceId }).where("id", "=", instanceId)));
    const algorithm = keys[0]?.algorithm ?? "";
    if ((await readCount(tx, tables.selectFrom("SigningKey").where("algorithm", "=", algorithm))) > 0) return false;
    await write(tx, bind(tables.insertInto("SigningKey").values(keys)));
    return true;
  });
}

/** Returns the keys of an algorithm that need not be removed yet, oldest first. */
export function readSigningKeys(tx: Transaction, algorithm: string, now: number): Promise<SigningKeyRow[]> {
  return readAll(tx, bind(keysAt(now).where("algorithm", "=", algorithm)));
}

export async function insertSigningKey(tx: Transaction, row: SigningKeyRow): Promise<void> {
  await write(tx, bind(tables.insertInto("SigningKey").values(row)));
}

export async function deleteSigningKey(tx: Transaction, id: string): Promise<void> {
  await writeOne(tx, bind(tables.deleteFrom("SigningKey").where("id", "=", id)));
}

/** Activates a key from this time on, epoch milliseconds. */
export async function startSigningKey(tx: Transaction, id: string, at: number): Promise<void> {
  const start = tables.updateTable("SigningKey").set({ activeFrom: at, removeAt: null });
  await writeOne(tx, bind(start.where("id", "=", id)));
}

export function countWaitingKeys(tx: Transaction, algorithm: string): Promise<number> {
  const waiting = tables.selectFrom("SigningKey").where((eb) => eb.and({ algorithm, activeFrom: null }));
  return readCount(tx, waiting);
}

/** Keys that stopped signing stay published until `removeAt`, when their last token has expired. */
export function retireSigningKeys(
  db: Database,
  algorithm: string,
  supersededBefore: number,
  removeAt: number,
): Promise<number> {
  const retired = tables
    .updateTable("SigningKey")
    .set({ removeAt })
    .where((eb) => eb.and({ algorithm, removeAt: null }))
    .where("activeFrom", "<", supersededBefore);
  return db.run(bind(retired));
}

export function deleteRemovedSigningKeys(db: Database, now: number): Promise<number> {
  return db.run(bind(tables.deleteFrom("SigningKey").where("removeAt", "<=", now)));
}
