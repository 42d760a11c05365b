/** Rows of organizations' mail settings. */
import type { Database, Transaction } from "./database";

export interface MailSettingsRow {
  organizationId: string;
  sealedSmtpUrl: string;
  sender: string;
  /** Who is answerable for it; null if that is not known. */
  changedBy: string | null;
}

export function findMailSettingsRow(db: Database, organizationId: string): Promise<MailSettingsRow | undefined> {
  return db.one<MailSettingsRow>(
    `SELECT "organizationId", "sealedSmtpUrl", "sender", "changedBy" FROM "MailSettings" WHERE "organizationId" = $1`,
    [organizationId],
  );
}

export async function writeMailSettings(tx: Transaction, row: MailSettingsRow, now: number): Promise<void> {
  const at = new Date(now);
  const { organizationId, ...settings } = row;
  await tx.mailSettings.upsert({
    where: { organizationId },
    create: { ...row, createdAt: at, changedAt: at },
    update: { ...settings, changedAt: at },
  });
}

/**
 * Whether the organization's mails may have gone through a mail server of its own since then: it has one, or has
 * removed it meanwhile.
 * @param since epoch milliseconds
 */
export async function hadOwnMailServer(tx: Transaction, organizationId: string, since: number): Promise<boolean> {
  if ((await tx.mailSettings.count({ where: { organizationId } })) > 0) return true;
  const removed = { aggregateType: "organization", aggregateId: organizationId, type: REMOVED };
  return (await tx.event.count({ where: { ...removed, createdAt: { gte: new Date(since) } } })) > 0;
}

const REMOVED = "organization.mail_settings.removed";

/** False if there were none. */
export async function deleteMailSettings(tx: Transaction, organizationId: string): Promise<boolean> {
  return (await tx.mailSettings.deleteMany({ where: { organizationId } })).count === 1;
}
