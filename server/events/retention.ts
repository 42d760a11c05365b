/**
 * The audit trail does not grow for ever: events older than EVENT_RETENTION are removed in small batches, after they
 * were written to EVENT_ARCHIVE_DIRECTORY where that is set. Sequences and dates of change stay (rule API-3), as the
 * aggregates hold them.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context";
import { countArchiveFailure, countRemovedEvents } from "../metrics/instruments";
import { type LastRemoved, oldestEvent, removeEventsBefore } from "../storage/event-retention";
import { archiveEvents } from "./archive";

/** Events per transaction, which then takes some ten milliseconds. */
const BATCH = 500;
/** Batches per run, so that the rest of the maintenance has its turn every minute. */
const BATCHES = 40;
/** Milliseconds between two batches. */
const PAUSE = 20;

export interface RemovalOptions {
  /** Events per batch. */
  batch?: number;
  /** Ends the run after the batch in hand. */
  signal?: AbortSignal;
}

/**
 * Removes old events, BATCHES times the batch at most. If they cannot be archived, the log says why, and they stay.
 * @returns how many were removed
 */
export async function removeOldEvents(ctx: Context, { batch = BATCH, signal }: RemovalOptions = {}): Promise<number> {
  const { events: kept, eventArchive } = ctx.config.retention;
  if (kept === undefined) return 0;
  const before = ctx.clock() - kept;
  let removed = 0;
  // While a transaction that began earlier is open, a backup say, PostgreSQL keeps what was removed, and a search from
  // the oldest event on passes over all of it: so that is done once a run, not once a batch.
  let after: LastRemoved | undefined;
  for (let round = 0; round < BATCHES && !signal?.aborted; round++) {
    const done = await removeEventsBefore(ctx.db, { before, after, limit: batch }, async (events) =>
      eventArchive === undefined ? undefined : archiveEvents(eventArchive, events),
    );
    if (done === "busy") break;
    if ("failure" in done) {
      countArchiveFailure();
      ctx.log.error({ reason: done.failure, directory: eventArchive }, "old events cannot be archived and stay");
      break;
    }
    removed += done.removed;
    after = done.last;
    if (done.removed < batch) break;
    await pause(PAUSE);
  }
  if (removed > 0) {
    countRemovedEvents(removed);
    ctx.log.info({ removed, archived: eventArchive !== undefined }, "old events removed");
  }
  return removed;
}

/** For how long the oldest event should have been removed, milliseconds; 0 where none is too old. */
export async function overdueEvents({ db, config, clock }: Pick<Context, "db" | "config" | "clock">): Promise<number> {
  const { events: kept } = config.retention;
  const oldest = kept === undefined ? undefined : await oldestEvent(db);
  return kept === undefined || oldest === undefined ? 0 : Math.max(0, clock() - kept - oldest);
}
