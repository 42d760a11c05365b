/** Rows of mail providers: those of the service and those of organizations. */
import type { Transaction } from "../database";
import { LASTING_EVENTS } from "../event/retention";
import { type ProviderRow, providerTable } from "./provider-table";

/** A mail provider. Its sender is a mailbox. */
export interface EmailProviderRow extends ProviderRow {
  /** Mailbox for replies, or null. */
  replyTo: string | null;
  /** The sealed secrets for the mail server; null if there are none. */
  sealedKeys: string | null;
}

export const emailProviders = providerTable<EmailProviderRow>(
  "EmailProvider",
  ["replyTo", "sealedKeys"],
  (tx) => tx.emailProvider,
);

/**
 * Returns whether mails of the organization may have gone through a mail server of its own since the given time: one is
 * active now or was active meanwhile.
 * @param since epoch milliseconds
 */
export async function hadOwnMailServer(tx: Transaction, organizationId: string, since: number): Promise<boolean> {
  if ((await tx.emailProvider.count({ where: { activeFor: organizationId } })) > 0) return true;
  const ended = { aggregateType: "organization", aggregateId: organizationId, type: { in: [...LASTING_EVENTS] } };
  return (await tx.event.count({ where: { ...ended, createdAt: { gte: new Date(since) } } })) > 0;
}
