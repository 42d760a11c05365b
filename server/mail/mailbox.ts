/**
 * The mail page: what was queued, sent, kept or given up, and the letters themselves. A letter with a code is shown only
 * where mails are kept instead of sent: elsewhere its recipient has it, and nobody may act in his place.
 */
import type { Context } from "../context";
import {
  deleteSettledMessages,
  findOutboxMessage,
  type LogWanted,
  listOutboxLog,
  type OutboxLogRow,
  requeueOutboxMessage,
} from "../storage/outbox-log";
import { openLetter } from "./kept-letter";
import type { OutgoingMail } from "./transport";

/** How long messages are kept after they were made: 30 days, milliseconds. */
export const KEPT_FOR = 30 * 24 * 3_600_000;
const SWEEP_BATCH = 500;
const MOST_LISTED = 200;

/** Newest first, 200 at most; the caller has checked that its reader may see the organization's. */
export function listMessages(ctx: Context, wanted: LogWanted): Promise<OutboxLogRow[]> {
  return listOutboxLog(ctx.db, { ...wanted, limit: Math.min(Math.max(1, wanted.limit), MOST_LISTED) });
}

export interface MessageWithLetter extends OutboxLogRow {
  /** Undefined before it was rendered, while it waits to be sent again, and where its key is gone. */
  letter?: OutgoingMail;
}

/** Undefined for an unknown id. */
export async function findMessage(ctx: Context, id: string): Promise<MessageWithLetter | undefined> {
  const found = await findOutboxMessage(ctx.db, id);
  if (!found) return undefined;
  const { letter, ...row } = found;
  // One that waits still holds its code.
  const shown = letter === null || row.state === "queued" ? undefined : openLetter(ctx, letter);
  return shown ? { ...row, letter: shown } : row;
}

/** Sends a failed message once more; false where there is none, or where its code has expired. */
export function retryMessage(ctx: Context, id: string): Promise<boolean> {
  return requeueOutboxMessage(ctx.db, id, ctx.clock());
}

/** Removes messages that are older than anybody asks for, in small batches; returns how many. */
export async function sweepMessages(ctx: Context): Promise<number> {
  let removed = 0;
  for (;;) {
    const batch = await deleteSettledMessages(ctx.db, ctx.clock() - KEPT_FOR, SWEEP_BATCH);
    removed += batch;
    if (batch < SWEEP_BATCH) return removed;
  }
}
