/** Writes and looks up many users with a few statements. */
import { nextTurn } from "../../concurrency/pauses";
import type { Database, Transaction } from "../database";
import { insertRows } from "../many-rows";
import { NEVER_VOIDED, type NewUser } from "./user";

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
  const at = new Date(now);
  const rows = users.map((user) => ({
    ...user,
    state: "active",
    validFrom: NEVER_VOIDED,
    createdAt: at,
    changedAt: at,
  }));
  await insertRows(db, tx, "User", rows);
}

/**
 * Deletes all users of an organization with their dependent rows. A single statement could exceed the statement timeout
 * of PostgreSQL, so that a large organization could never be removed, and would block the thread of SQLite.
 */
export async function deleteUsersOf(tx: Transaction, organizationId: string): Promise<void> {
  const users = await tx.$queryRaw<
    { id: string }[]
  >`SELECT "id" FROM "User" WHERE "organizationId" = ${organizationId}`;
  for (let start = 0; start < users.length; start += DELETED_AT_ONCE) {
    await nextTurn();
    const ids = users.slice(start, start + DELETED_AT_ONCE).map(({ id }) => id);
    await tx.user.deleteMany({ where: { id: { in: ids } } });
  }
}

/** Returns those of these login names that are taken, in comparable form. */
export async function readTakenLoginNames(tx: Transaction, loginNameKeys: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let start = 0; start < loginNameKeys.length; start += CHUNK) {
    await nextTurn();
    const where = { loginNameKey: { in: loginNameKeys.slice(start, start + CHUNK) } };
    for (const { loginNameKey } of await tx.user.findMany({ where, select: { loginNameKey: true } })) {
      taken.add(loginNameKey);
    }
  }
  return taken;
}
