/**
 * Ends what a new password or a sign-out everywhere has invalidated, so that it is ended and not only compared with a
 * time.
 */
import type { Transaction } from "../database";
import { endSessionRow } from "./session";

/**
 * Ends the sessions and grants issued to a user before `validFrom`, and moves that time to `now`. Does nothing if
 * another caller has moved it already. Times are epoch milliseconds.
 */
export async function endVoidedOf(tx: Transaction, userId: string, validFrom: number, now: number): Promise<void> {
  const before = new Date(validFrom);
  const { count } = await tx.user.updateMany({
    where: { id: userId, validFrom: before },
    data: { validFrom: new Date(now) },
  });
  if (count === 0) return;
  const sessions = await tx.session.findMany({
    where: { userId, endedAt: null, authTime: { lt: before } },
    select: { id: true },
  });
  for (const { id } of sessions) await endSessionRow(tx, id, now, "all");
  await tx.grant.updateMany({
    where: { userId, revokedAt: null, createdAt: { lt: before } },
    data: { revokedAt: new Date(now) },
  });
  await tx.accessToken.deleteMany({ where: { userId, createdAt: { lt: before } } });
}
