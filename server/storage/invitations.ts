/** Invitations: people who were sent, or handed, a link to choose their first password and have not used it yet. */
import type { Database, Transaction } from "./database";
import { lockNames } from "./named-locks";

/** A condition: the user `u` was invited, and cannot sign in yet. Whoever came in by a passkey has accepted, too. */
export const IS_INVITED = `(u."invitedAt" IS NOT NULL AND u."passwordHash" IS NULL AND u."lastSignIn" = ''
    AND NOT EXISTS (SELECT 1 FROM "Passkey" k WHERE k."userId" = u."id"))`;

/** @param at epoch milliseconds; null: the person is not invited any more */
export async function writeInvited(tx: Transaction, userId: string, at: number | null): Promise<void> {
  await tx.user.update({ where: { id: userId }, data: { invitedAt: at === null ? null : new Date(at) } });
}

/** Deletes messages that are still waiting to be sent. @returns how many */
export async function deleteQueuedMessages(tx: Transaction, userId: string, types: readonly string[]): Promise<number> {
  const { count } = await tx.outboxMessage.deleteMany({ where: { userId, state: "queued", type: { in: [...types] } } });
  return count;
}

/**
 * Makes whoever invites the same address (comparable) to the same organization wait until this transaction ends, so that
 * nobody is invited twice.
 */
export function lockInvited(
  db: Database,
  tx: Transaction,
  organizationId: string,
  keys: readonly string[],
): Promise<void> {
  const names = keys.map((key) => `invited/${organizationId}/${key}`);
  return lockNames(db, tx, names);
}

/** Somebody of an organization whose address or user name is among those that are asked for. */
export interface AddressHolder {
  id: string;
  userNameKey: string;
  emailKey: string | null;
}

/** Who of the organization has one of these addresses (comparable), as user name or as e-mail address. */
export function readAddressHolders(
  tx: Pick<Transaction, "user">,
  organizationId: string,
  keys: readonly string[],
): Promise<AddressHolder[]> {
  const among = { in: [...keys] };
  return tx.user.findMany({
    where: { organizationId, OR: [{ userNameKey: among }, { emailKey: among }] },
    select: { id: true, userNameKey: true, emailKey: true },
  });
}
