/**
 * Ends what a new password or a sign-out everywhere has invalidated, so that it is ended and not only compared with a
 * time.
 */
import type { Transaction } from "../database";
import { readAll, write } from "../in-transaction";
import { bind, tables } from "../statement";
import { endSessionRow } from "./session";

/**
 * Ends the sessions and grants issued to a user before `validFrom`, and moves that time to `now`. Does nothing if
 * another caller has moved it already. Times are epoch milliseconds.
 */
export async function endVoidedOf(tx: Transaction, userId: string, validFrom: number, now: number): Promise<void> {
  const move = tables
    .updateTable("User")
    .set({ validFrom: now })
    .where((eb) => eb.and({ id: userId, validFrom }));
  if ((await write(tx, bind(move))) === 0) return;
  const sessions = tables
    .selectFrom("Session")
    .select("id")
    .where((eb) => eb.and({ userId, endedAt: null }));
  for (const { id } of await readAll(tx, bind(sessions.where("authTime", "<", validFrom)))) {
    await endSessionRow(tx, id, now, "all");
  }
  const grants = tables
    .updateTable("Grant")
    .set({ revokedAt: now })
    .where((eb) => eb.and({ userId, revokedAt: null }));
  await write(tx, bind(grants.where("createdAt", "<", validFrom)));
  const tokens = tables.deleteFrom("AccessToken").where("userId", "=", userId);
  await write(tx, bind(tokens.where("createdAt", "<", validFrom)));
}
