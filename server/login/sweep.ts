/** Removes what the login kept and no longer needs: counters that have forgotten, secrets that have expired. */
import type { Context } from "../context";
import { deleteExpiredTokens } from "../storage/one-time-tokens";
import { deleteForgottenThrottles } from "../storage/throttles";

/** Rows per statement: none holds the writer's lock for long. */
const BATCH = 500;
/** Rows per run, so that a flood is worked off in several. */
const MOST_BATCHES = 40;
/** Milliseconds a secret is kept after it expired, so that its link can say that it was used or is too old. */
const KEEP_EXPIRED = 7 * 24 * 3_600_000;

export async function sweepLogin(ctx: Context): Promise<void> {
  const now = ctx.clock();
  await inBatches(() => deleteForgottenThrottles(ctx.db, now, BATCH));
  await inBatches(() => deleteExpiredTokens(ctx.db, now - KEEP_EXPIRED, BATCH));
}

async function inBatches(remove: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) if ((await remove()) < BATCH) return;
}
