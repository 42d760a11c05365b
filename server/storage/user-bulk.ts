/** Writing and looking up many users in a few statements. */
import { nextTurn } from "../concurrency/pauses";
import type { Database, Transaction } from "./database";
import { insertRows } from "./many-rows";
import { NEVER_VOIDED, type NewUser } from "./users";

/** Values looked up per statement, which databases limit. */
const CHUNK = 300;
/** People per statement, each with sessions, tokens and what else is theirs. */
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
 * Deletes people and machines with all that is theirs. One statement for all of an organization would meet the time limit of
 * PostgreSQL, so that a large one could never be removed, and keep SQLite's thread from everybody else until it is over.
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

/** Which of these login names are taken, in comparable form. */
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
