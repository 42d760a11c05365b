/** Writing and looking up many users in a few statements. */
import { nextTurn } from "../work/pauses";
import type { Transaction } from "./database";
import type { NewUser } from "./users";

/** Values looked up per statement, which databases limit. */
const CHUNK = 300;

/** Rows per statement, of some thirty values each: composing a longer one would keep everybody else waiting. */
const INSERTED_AT_ONCE = 50;

export async function insertUsers(tx: Transaction, users: readonly NewUser[], now: number): Promise<void> {
  const at = new Date(now);
  const rows = users.map((user) => ({ ...user, state: "active", validFrom: at, createdAt: at, changedAt: at }));
  for (let start = 0; start < rows.length; start += INSERTED_AT_ONCE) {
    await nextTurn();
    const data = rows.slice(start, start + INSERTED_AT_ONCE);
    await tx.user.createMany({ data: data as NonNullable<Parameters<Transaction["user"]["createMany"]>[0]>["data"] });
  }
}

/** Which of these ids and login names are taken. */
export async function readTaken(
  tx: Transaction,
  wanted: { ids: readonly string[]; loginNameKeys: readonly string[] },
): Promise<{ id: string; loginNameKey: string }[]> {
  const found: { id: string; loginNameKey: string }[] = [];
  const longest = Math.max(wanted.ids.length, wanted.loginNameKeys.length);
  for (let start = 0; start < longest; start += CHUNK) {
    await nextTurn();
    const ids = wanted.ids.slice(start, start + CHUNK);
    const keys = wanted.loginNameKeys.slice(start, start + CHUNK);
    found.push(
      ...(await tx.user.findMany({
        where: { OR: [{ id: { in: [...ids] } }, { loginNameKey: { in: [...keys] } }] },
        select: { id: true, loginNameKey: true },
      })),
    );
  }
  return found;
}
