/** Rows of mail providers: the service's own, and those of organizations. */
import type { Transaction } from "./database";
import { LASTING_EVENTS } from "./event-retention";
import { type ProviderRow, providerTable } from "./providers";

/** Its sender is a mailbox. */
export interface EmailProviderRow extends ProviderRow {
  /** Mailbox; null: none. */
  replyTo: string | null;
  /** What a mail server is spoken to with beside its address, sealed; null: nothing. */
  sealedKeys: string | null;
}

export const emailProviders = providerTable<EmailProviderRow>(
  "EmailProvider",
  ["replyTo", "sealedKeys"],
  (tx) => tx.emailProvider,
);

/**
 * Whether the organization's mails may have gone through a mail server of its own since then: one is active, or has been
 * meanwhile.
 * @param since epoch milliseconds
 */
export async function hadOwnMailServer(tx: Transaction, organizationId: string, since: number): Promise<boolean> {
  if ((await tx.emailProvider.count({ where: { activeFor: organizationId } })) > 0) return true;
  const ended = { aggregateType: "organization", aggregateId: organizationId, type: { in: [...LASTING_EVENTS] } };
  return (await tx.event.count({ where: { ...ended, createdAt: { gte: new Date(since) } } })) > 0;
}
