/** Writes and looks up many users with a few statements. */
import { nextTurn } from "../../concurrency/pauses";
import type { Database, Transaction } from "../database";
import { readAll, write } from "../in-transaction";
import { insertRows } from "../many-rows";
import { bind, tables } from "../statement";
import { type NewUser, newUserRow } from "./user";

/** Values per look-up statement, which databases limit. */
const CHUNK = 300;
/** Users per statement, each with sessions, tokens and other dependent rows. */
const DELETED_AT_ONCE = 100;

export async function insertUsers(
  db: Database,
  tx: Transaction,
  users: readonly NewUser[],
  now: number,
): Promise<void> {
  await insertRows(
    db,
    tx,
    "User",
    users.map((user) => newUserRow(user, now)),
  );
}

/**
 * Deletes all users of an organization with their dependent rows. A single statement could exceed the statement timeout
 * of PostgreSQL, so that a large organization could never be removed, and would block the thread of SQLite.
 */
export async function deleteUsersOf(tx: Transaction, organizationId: string): Promise<void> {
  const all = tables.selectFrom("User").select("id").where("organizationId", "=", organizationId);
  const ids = (await readAll(tx, bind(all))).map(({ id }) => id);
  for (let start = 0; start < ids.length; start += DELETED_AT_ONCE) {
    await nextTurn();
    const some = ids.slice(start, start + DELETED_AT_ONCE);
    await write(tx, bind(tables.deleteFrom("User").where("id", "in", some)));
  }
}

/** Returns those of these login names that are taken, in comparable form. */
export async function readTakenLoginNames(tx: Transaction, loginNameKeys: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let start = 0; start < loginNameKeys.length; start += CHUNK) {
    await nextTurn();
    const some = loginNameKeys.slice(start, start + CHUNK);
    const rows = tables.selectFrom("User").select("loginNameKey").where("loginNameKey", "in", some);
    for (const { loginNameKey } of await readAll(tx, bind(rows))) taken.add(loginNameKey);
  }
  return taken;
}
