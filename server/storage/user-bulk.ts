/** Writing and looking up many users in a few statements. */
import { nextTurn } from "../concurrency/pauses";
import type { Transaction } from "./database";
import { NEVER_VOIDED, type NewUser } from "./users";

/** Values looked up per statement, which databases limit. */
const CHUNK = 300;

/** Rows per statement, of some thirty values each: composing a longer one would keep everybody else waiting. */
const INSERTED_AT_ONCE = 50;

export async function insertUsers(tx: Transaction, users: readonly NewUser[], now: number): Promise<void> {
  const at = new Date(now);
  const rows = users.map((user) => ({
    ...user,
    state: "active",
    validFrom: NEVER_VOIDED,
    createdAt: at,
    changedAt: at,
  }));
  for (let start = 0; start < rows.length; start += INSERTED_AT_ONCE) {
    await nextTurn();
    const data = rows.slice(start, start + INSERTED_AT_ONCE);
    await tx.user.createMany({ data: data as NonNullable<Parameters<Transaction["user"]["createMany"]>[0]>["data"] });
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
