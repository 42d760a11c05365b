/** Writing and looking up many users in a few statements. */
import { nextTurn } from "../concurrency/pauses";
import type { Database, Transaction } from "./database";
import { insertRows } from "./many-rows";
import { NEVER_VOIDED, type NewUser } from "./users";

/** Values looked up per statement, which databases limit. */
const CHUNK = 300;

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
