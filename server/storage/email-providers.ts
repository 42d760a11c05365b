/** Rows of mail providers: the service's own, and those of organizations. */
import type { Database, Transaction } from "./database";

export interface EmailProviderRow {
  id: string;
  /** An organization's id; the instance's for the service's own. */
  ownerId: string;
  /** The owner while it is active, else null. */
  activeFor: string | null;
  /** How it is spoken to. */
  kind: string;
  description: string;
  sealedAddress: string;
  /** Mailbox. */
  sender: string;
  /** Mailbox; null: none. */
  replyTo: string | null;
  /** Who is answerable for it; null if that is not known. */
  changedBy: string | null;
}

const COLUMNS = `"id", "ownerId", "activeFor", "kind", "description", "sealedAddress", "sender", "replyTo", "changedBy"`;

export function findActiveEmailProvider(db: Database, ownerId: string): Promise<EmailProviderRow | undefined> {
  return db.one<EmailProviderRow>(`SELECT ${COLUMNS} FROM "EmailProvider" WHERE "activeFor" = $1`, [ownerId]);
}

/** Undefined also if it is another owner's. */
export function findEmailProvider(db: Database, ownerId: string, id: string): Promise<EmailProviderRow | undefined> {
  return db.one<EmailProviderRow>(`SELECT ${COLUMNS} FROM "EmailProvider" WHERE "ownerId" = $1 AND "id" = $2`, [
    ownerId,
    id,
  ]);
}

/** In the order in which they were added. */
export function listEmailProviders(db: Database, ownerId: string): Promise<EmailProviderRow[]> {
  return db.all<EmailProviderRow>(
    `SELECT ${COLUMNS} FROM "EmailProvider" WHERE "ownerId" = $1 ORDER BY "createdAt", "id"`,
    [ownerId],
  );
}

/** The same within a transaction, which sees what it has changed itself. */
export async function readEmailProvider(
  tx: Transaction,
  ownerId: string,
  id: string,
): Promise<EmailProviderRow | undefined> {
  return (await tx.emailProvider.findFirst({ where: { ownerId, id } })) ?? undefined;
}

export async function readActiveEmailProvider(tx: Transaction, ownerId: string): Promise<EmailProviderRow | undefined> {
  return (await tx.emailProvider.findUnique({ where: { activeFor: ownerId } })) ?? undefined;
}

export function countEmailProviders(tx: Transaction, ownerId: string): Promise<number> {
  return tx.emailProvider.count({ where: { ownerId } });
}

export async function insertEmailProvider(tx: Transaction, row: EmailProviderRow, now: number): Promise<void> {
  await tx.emailProvider.create({ data: { ...row, createdAt: new Date(now), changedAt: new Date(now) } });
}

export async function updateEmailProvider(
  tx: Transaction,
  id: string,
  data: Partial<Omit<EmailProviderRow, "id" | "ownerId">>,
  now: number,
): Promise<void> {
  await tx.emailProvider.update({ where: { id }, data: { ...data, changedAt: new Date(now) } });
}

export async function deleteEmailProvider(tx: Transaction, id: string): Promise<void> {
  await tx.emailProvider.delete({ where: { id } });
}

/**
 * Whether the organization's mails may have gone through a mail server of its own since then: one is active, or has been
 * meanwhile.
 * @param since epoch milliseconds
 */
export async function hadOwnMailServer(tx: Transaction, organizationId: string, since: number): Promise<boolean> {
  if ((await tx.emailProvider.count({ where: { activeFor: organizationId } })) > 0) return true;
  const ended = { aggregateType: "organization", aggregateId: organizationId, type: { in: ENDED } };
  return (await tx.event.count({ where: { ...ended, createdAt: { gte: new Date(since) } } })) > 0;
}

/** The events after which a mail server is no longer used; the first was recorded while there was only one. */
const ENDED = [
  "organization.mail_settings.removed",
  "organization.email_provider.deactivated",
  "organization.email_provider.removed",
];
