/**
 * Bounded storage: expired codes, grants, tokens, sessions, used assertions, device codes and old logout notices are
 * deleted while the service runs. Requests come first: there is a pause between batches, and an aborted run ends after
 * a whole batch.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context";
import { type SweepOptions, sweepBatch, sweeps } from "../storage/sweep";

/** Rows per statement, which then takes a few milliseconds. */
const BATCH = 500;
/** Milliseconds between two batches. */
const PAUSE = 20;

/** Deletes all that has expired. @returns how many rows of which table went */
export async function sweepExpired(
  ctx: Context,
  { batch = BATCH, signal }: SweepOptions = {},
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  const now = ctx.clock();
  for (const sweep of sweeps) {
    let count = batch;
    while (count === batch && !signal?.aborted) {
      count = await sweepBatch(ctx.db, sweep, now, batch);
      deleted[sweep.table] = (deleted[sweep.table] ?? 0) + count;
      if (count === batch) await pause(PAUSE);
    }
  }
  const gone = Object.entries(deleted).filter(([, rows]) => rows > 0);
  if (gone.length > 0) ctx.log.info(Object.fromEntries(gone), "expired rows deleted");
  return deleted;
}
