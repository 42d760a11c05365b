/**
 * Bounded storage: expired codes, grants, tokens, sessions, used assertions, device codes and old logout notices are
 * deleted while the service runs. Requests come first: there is a pause between batches, and an aborted run ends after
 * a whole batch.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context";
import { deleteUnredeemed, type SweepOptions, sweepBatch, sweeps } from "../storage/sweep";

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
  if (!signal?.aborted) deleted["Grant"] = (deleted["Grant"] ?? 0) + (await sweepUnredeemed(ctx, now));
  const gone = Object.entries(deleted).filter(([, rows]) => rows > 0);
  if (gone.length > 0) ctx.log.info(Object.fromEntries(gone), "expired rows deleted");
  return deleted;
}

/** Milliseconds that the grant of a code is kept for beyond the code. */
const KEPT_UNREDEEMED = 3_600_000;
/** Milliseconds: how far back the first run of a process looks, and how much of that one statement looks at. */
const LOOK_BACK = 86_400_000;
const STEP = 3_600_000;

/** Until when the grants were made that this process has looked at. */
const lookedAt = new WeakMap<Context["db"], number>();

/**
 * Deletes grants of codes that nobody redeemed, which else would be kept for as long as a refresh token lives. Each run
 * looks at the grants made since the one before.
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
