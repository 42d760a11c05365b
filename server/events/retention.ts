/**
 * Limits the size of the audit trail: events older than EVENT_RETENTION are removed in small batches, after they were
 * written to EVENT_ARCHIVE_DIRECTORY if that is set. Sequences and dates of change are kept (rule API-3), because the
 * aggregates hold them.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context";
import { countArchiveFailure, countRemovedEvents } from "../metrics/instruments";
import { dropMonths, makeMonths } from "../storage/engine/months";
import { LASTING_EVENTS, type LastRemoved, oldestEvent, removeEventsBefore } from "../storage/event/retention";
import { archiveEvents } from "./archive";

/** Events per transaction, which then takes about ten milliseconds. */
const BATCH = 500;
/** Batches per run, so that the rest of the maintenance also runs every minute. */
const BATCHES = 40;
/** Milliseconds between two batches. */
const PAUSE = 20;

export interface RemovalOptions {
  /** Events per batch. */
  batch?: number;
  /** Ends the run after the current batch. */
  signal?: AbortSignal;
}

/**
 * Removes old events, at most BATCHES times the batch. If they cannot be archived, the reason is logged, and they are
 * kept.
 * @returns how many were removed
 */
export async function removeOldEvents(ctx: Context, { batch = BATCH, signal }: RemovalOptions = {}): Promise<number> {
  const { events: kept, eventArchive } = ctx.config.retention;
  if (kept === undefined) return 0;
  const before = ctx.clock() - kept;
  let removed = 0;
  // While an older transaction is open, for example a backup, PostgreSQL keeps removed rows, and a search from the
  // oldest event scans all of them. It is therefore done once per run, not once per batch.
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

/** Returns for how long the oldest event has been overdue for removal, in milliseconds; 0 if none is too old. */
export async function overdueEvents({ db, config, clock }: Pick<Context, "db" | "config" | "clock">): Promise<number> {
  const { events: kept } = config.retention;
  const oldest = kept === undefined ? undefined : await oldestEvent(db);
  return kept === undefined || oldest === undefined ? 0 : Math.max(0, clock() - kept - oldest);
}

/**
 * Maintains the tables that PostgreSQL partitions by month (storage/engine/months.ts): makes partitions before their
 * month, and drops those without anything that is kept longer. Called regularly; most calls have nothing to do.
 */
export async function keepMonths({ db, clock, config, log }: Context): Promise<void> {
  const now = clock();
  const { events, eventArchive, mails } = config.retention;
  for (const table of ["Event", "OutboxMessage"] as const) {
    const months = await makeMonths(db, table, now);
    if (months.length > 0) log.info({ table, months }, "partitions made");
  }
  await dropMonths(db, "OutboxMessage", { before: now - mails });
  if (events === undefined) return;
  // If events are archived first, those of a month have been removed individually before.
  const removed = await dropMonths(db, "Event", {
    before: now - events,
    lasting: LASTING_EVENTS,
    withRows: eventArchive === undefined,
  });
  if (removed > 0) {
    countRemovedEvents(removed);
    log.info({ removed, archived: false }, "old events removed");
  }
}
