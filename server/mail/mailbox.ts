/**
 * Queued, sent, kept and given-up messages with their content, for the mail page. The code in a mail is shown only if
 * mails are kept instead of sent: otherwise the recipient has it, and no one else must be able to use it.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context";
import type { SweepOptions } from "../storage/maintenance/sweep";
import { type DeliveryAttempt, readDeliveryAttempts } from "../storage/message/delivery-attempts";
import {
  deleteSettledMessages,
  findOutboxMessage,
  type LogWanted,
  listOutboxLog,
  type MessageFilter,
  type OutboxLogRow,
  requeueOutboxMessage,
  requeueOutboxMessages,
} from "../storage/message/outbox-log";
import { openRendered } from "./rendered-message";
import type { OutgoingSms } from "./sms-transport";
import type { OutgoingMail } from "./transport";

/** Messages per statement. */
const SWEEP_BATCH = 500;
/** Statements per run; a run starts every minute. */
const SWEEP_BATCHES = 40;
/** Pause between statements in milliseconds, which gives requests priority. */
const SWEEP_PAUSE = 20;
const MAX_LISTED = 200;
/** The maximum number of failed messages that are retried at once. */
export const MAX_RETRIED = 1_000;

/**
 * Lists messages, newest first, at most 200. The caller must have checked that the reader may see the messages of the
 * organization.
 */
export function listMessages(ctx: Context, wanted: LogWanted): Promise<OutboxLogRow[]> {
  return listOutboxLog(ctx.db, { ...wanted, limit: Math.min(Math.max(1, wanted.limit), MAX_LISTED) });
}

export type ListedMessage = OutboxLogRow;

export interface MessageWithContent extends OutboxLogRow {
  /** Undefined before the message was rendered, while it waits for a retry, and if it cannot be unsealed. */
  rendered?: (OutgoingMail & { channel?: undefined }) | OutgoingSms;
  /** Oldest first. */
  deliveryAttempts: DeliveryAttempt[];
}

/** Returns a message; undefined for an unknown id. */
export async function findMessage(ctx: Context, id: string): Promise<MessageWithContent | undefined> {
  const found = await findOutboxMessage(ctx.db, id);
  if (!found) return undefined;
  const { letter: sealed, answers, ...listed } = found;
  const row = { ...listed, deliveryAttempts: readDeliveryAttempts(answers) };
  // A waiting mail still contains its code.
  const shown = sealed === null || row.state === "queued" ? undefined : openRendered(ctx, sealed);
  if (!shown) return row;
  const { isOrganizations: _, ...mail } = shown;
  return { ...row, rendered: mail };
}

/** Puts a failed message back into the queue; returns false if it does not exist or its code has expired. */
export function retryMessage(ctx: Context, id: string): Promise<boolean> {
  return requeueOutboxMessage(ctx.db, id, ctx.clock());
}

/** Puts the matching failed messages back into the queue, at most MAX_RETRIED, oldest first; returns how many. */
export function retryMessages(ctx: Context, filter: MessageFilter): Promise<number> {
  return requeueOutboxMessages(ctx.db, filter, { now: ctx.clock(), limit: MAX_RETRIED });
}

/**
 * Removes messages older than MAIL_RETENTION, at most SWEEP_BATCHES batches, so that other maintenance runs after a
 * flood or a shortened retention. @returns how many
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
