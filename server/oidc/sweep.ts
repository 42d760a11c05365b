/**
 * Bounds storage: expired codes, grants, tokens, sessions, used assertions, device codes and old logout notifications
 * are deleted while the service runs. Requests have priority: there is a pause between batches, and an aborted run ends
 * after a whole batch.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context";
import { comparableLoginName } from "../directory/names";
import { deleteUnused } from "../storage/app/registrations";
import { deleteUnredeemed, type SweepOptions, sweepBatch, sweeps } from "../storage/maintenance/sweep";

/** Rows per statement, which then takes a few milliseconds. */
const BATCH = 500;
/** Milliseconds between two batches. */
const PAUSE = 20;

/**
 * Deletes everything that has expired.
 * @returns how many rows of each table were deleted
 */
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
  for (let count = batch; count === batch && !signal?.aborted; ) {
    count = await deleteUnused(ctx.db, { now, limit: batch, comparableForm: comparableLoginName });
    deleted.App = (deleted.App ?? 0) + count;
    if (count === batch) await pause(PAUSE);
  }
  if (!signal?.aborted) deleted.Grant = (deleted.Grant ?? 0) + (await sweepUnredeemed(ctx, now));
  const gone = Object.entries(deleted).filter(([, rows]) => rows > 0);
  if (gone.length > 0) ctx.log.info(Object.fromEntries(gone), "expired rows deleted");
  return deleted;
}

/** How long the grant of a code is kept after the code has expired, in milliseconds. */
const KEPT_UNREDEEMED = 3_600_000;
/** How far back the first run of a process looks, in milliseconds. STEP is the part of that range for one statement. */
const LOOK_BACK = 86_400_000;
const STEP = 3_600_000;

/** The creation time up to which this process has checked grants. */
const lookedAt = new WeakMap<Context["db"], number>();

/**
 * Deletes grants of codes that were never redeemed, which would otherwise be kept for the lifetime of a refresh token.
 * Each run checks the grants that were made since the previous one.
 */
async function sweepUnredeemed({ db, config }: Context, now: number): Promise<number> {
  const until = now - config.lifetimes.code - KEPT_UNREDEEMED;
  let deleted = 0;
  for (let from = lookedAt.get(db) ?? until - LOOK_BACK; from < until; from += STEP) {
    deleted += await deleteUnredeemed(db, { from, until: Math.min(from + STEP, until) }, now);
  }
  lookedAt.set(db, until);
  return deleted;
}
