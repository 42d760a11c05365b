/** Rows of what one level (instance or organization) says in one message type and language. */
import type { Transaction } from "./database";
import type { MessageText } from "./generated/sqlite/client";

export type MessageTextRow = MessageText;
export type MessageTextKey = Pick<MessageTextRow, "ownerId" | "type" | "language">;
export type MessageTextFields = Omit<MessageTextRow, "ownerId" | "type" | "language" | "createdAt" | "changedAt">;

export async function readMessageText(tx: Transaction, key: MessageTextKey): Promise<MessageTextRow | undefined> {
  return (await tx.messageText.findUnique({ where: { ownerId_type_language: key } })) ?? undefined;
}

/** Writes the row, or the given fields of it where it exists. */
export async function writeMessageText(
  tx: Transaction,
  key: MessageTextKey,
  fields: Partial<MessageTextFields>,
  now: number,
): Promise<void> {
  const at = new Date(now);
  await tx.messageText.upsert({
    where: { ownerId_type_language: key },
    create: { ...key, ...fields, createdAt: at, changedAt: at },
    update: { ...fields, changedAt: at },
  });
}
