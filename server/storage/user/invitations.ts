/** Invitations of users who got a link to choose their first password and have not used it yet. */
import type { Database, Transaction } from "../database";
import { readAll, write, writeOne } from "../in-transaction";
import { lockNames } from "../named-locks";
import { bind, tables } from "../statement";

/** SQL: the user `u` was invited and cannot sign in yet. A user who signed in with a passkey has accepted, too. */
export const IS_INVITED = `(u."invitedAt" IS NOT NULL AND u."passwordHash" IS NULL AND u."lastSignIn" = ''
    AND NOT EXISTS (SELECT 1 FROM "Passkey" k WHERE k."userId" = u."id"))`;

/**
 * Sets or clears the time of the invitation.
 * @param at epoch milliseconds; null if the user is no longer invited
 */
export async function writeInvited(tx: Transaction, userId: string, at: number | null): Promise<void> {
  await writeOne(tx, bind(tables.updateTable("User").set({ invitedAt: at }).where("id", "=", userId)));
}

/**
 * Deletes messages that are still waiting to be sent.
 * @returns the number of deleted messages
 */
export async function deleteQueuedMessages(tx: Transaction, userId: string, types: readonly string[]): Promise<number> {
  const queued = tables.deleteFrom("OutboxMessage").where((eb) => eb.and({ userId, state: "queued" }));
  return write(tx, bind(queued.where("type", "in", types)));
}

/**
 * Makes other invitations of the same address (comparable) to the same organization wait until this transaction ends,
 * so that no one is invited twice.
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

/** A user of an organization with one of the requested addresses or user names. */
export interface AddressHolder {
  id: string;
  userNameKey: string;
  emailKey: string | null;
}

/** Returns the users of the organization with one of these addresses (comparable), as user name or email address. */
export async function readAddressHolders(
  tx: Pick<Transaction, "$queryRaw">,
  organizationId: string,
  keys: readonly string[],
): Promise<AddressHolder[]> {
  if (keys.length === 0) return [];
  const holders = tables
    .selectFrom("User")
    .select(["id", "userNameKey", "emailKey"])
    .where("organizationId", "=", organizationId)
    .where((eb) => eb.or([eb("userNameKey", "in", keys), eb("emailKey", "in", keys)]));
  return readAll(tx, bind(holders));
}
