/**
 * Messages that were queued, sent, kept or given up, and their mails, for the mail page. The code in a mail is
 * shown only if mails are kept instead of sent: otherwise the recipient has it, and nobody else must be able to use it.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context";
import { type DeliveryAttempt, readDeliveryAttempts } from "../storage/delivery-attempts";
import {
  deleteSettledMessages,
  findOutboxMessage,
  type LogWanted,
  listOutboxLog,
  type MessageFilter,
  type OutboxLogRow,
  requeueOutboxMessage,
  requeueOutboxMessages,
} from "../storage/outbox-log";
import type { SweepOptions } from "../storage/sweep";
import { openRendered } from "./rendered-message";
import type { OutgoingSms } from "./sms-transport";
import type { OutgoingMail } from "./transport";

/** Messages per statement. */
const SWEEP_BATCH = 500;
/** Statements per run, which comes every minute. */
const SWEEP_BATCHES = 40;
/** Milliseconds between two of them: requests come first. */
const SWEEP_PAUSE = 20;
const MAX_LISTED = 200;
/** How many failed messages are put back at once. */
export const MAX_RETRIED = 1_000;

/** Newest first, 200 at most. The caller must have checked that the reader may see the messages of the organization. */
export function listMessages(ctx: Context, wanted: LogWanted): Promise<OutboxLogRow[]> {
  return listOutboxLog(ctx.db, { ...wanted, limit: Math.min(Math.max(1, wanted.limit), MAX_LISTED) });
}

/** A message, as listed. */
export type ListedMessage = OutboxLogRow;

export interface MessageWithEmail extends OutboxLogRow {
  /** Undefined before the message was rendered, while it waits to be sent again, and if it cannot be unsealed. */
  letter?: (OutgoingMail & { channel?: undefined }) | OutgoingSms;
  /** Oldest first. */
  deliveryAttempts: DeliveryAttempt[];
}

/** Undefined for an unknown id. */
export async function findMessage(ctx: Context, id: string): Promise<MessageWithEmail | undefined> {
  const found = await findOutboxMessage(ctx.db, id);
  if (!found) return undefined;
  const { letter: sealed, answers, ...listed } = found;
  const row = { ...listed, deliveryAttempts: readDeliveryAttempts(answers) };
  // A waiting mail still contains its code.
  const shown = sealed === null || row.state === "queued" ? undefined : openRendered(ctx, sealed);
  if (!shown) return row;
  const { isOrganizations: _, ...mail } = shown;
  return { ...row, letter: mail };
}

/** Puts a failed message back into the queue; false if there is none, or if its code has expired. */
export function retryMessage(ctx: Context, id: string): Promise<boolean> {
  return requeueOutboxMessage(ctx.db, id, ctx.clock());
}

/** The same with the failed messages that match, MAX_RETRIED at most, oldest first; returns how many. */
export function retryMessages(ctx: Context, filter: MessageFilter): Promise<number> {
  return requeueOutboxMessages(ctx.db, filter, { now: ctx.clock(), limit: MAX_RETRIED });
}

/**
 * Removes messages older than MAIL_RETENTION, SWEEP_BATCHES times the batch at most, so that after a flood, or a shorter
 * retention, the rest of the maintenance has its turn. @returns how many
 */
export async function sweepMessages(ctx: Context, { batch = SWEEP_BATCH, signal }: SweepOptions = {}): Promise<number> {
  let removed = 0;
  for (let round = 0; round < SWEEP_BATCHES && !signal?.aborted; round++) {
    const count = await deleteSettledMessages(ctx.db, ctx.clock() - ctx.config.retention.mails, batch);
    removed += count;
    if (count < batch) break;
    await pause(SWEEP_PAUSE);
  }
  return removed;
}
