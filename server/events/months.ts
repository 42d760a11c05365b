/**
 * Maintains the tables that PostgreSQL partitions by month (storage/engine/months.ts): partitions are made before their
 * month begins, and dropped when they contain nothing that is kept longer.
 */
import type { Context } from "../context";
import { countRemovedEvents } from "../metrics/instruments";
import { dropMonths, makeMonths } from "../storage/engine/months";
import { LASTING_EVENTS } from "../storage/event/retention";

/** Makes and drops partitions. Must be called regularly; most calls have nothing to do. */
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
