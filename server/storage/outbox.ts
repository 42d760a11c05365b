/** Rows of messages that must reach somebody. They are written with their cause, in one transaction. */
import type { Transaction } from "./database";

/** Times are epoch milliseconds. */
export interface NewOutboxMessage {
  id: string;
  type: string;
  organizationId: string;
  userId: string | null;
  recipient: string;
  payload: Record<string, unknown>;
  createdAt: number;
  /** After this instant it is not worth sending, for instance because its code has expired. */
  expiresAt: number | null;
}

/** Queues messages; they are due at once. */
export async function insertOutboxMessages(tx: Transaction, messages: readonly NewOutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.outboxMessage.createMany({
    data: messages.map((message) => ({
      ...message,
      payload: message.payload as object,
      createdAt: new Date(message.createdAt),
      nextAttemptAt: new Date(message.createdAt),
      expiresAt: message.expiresAt === null ? null : new Date(message.expiresAt),
      attempts: 0,
    })),
  });
}
