/** Deletes data that sign-ins no longer need: expired counters and mailed secrets, and old attempts. */
import type { Context } from "../context";
import { deleteOldAttempts } from "../storage/sign-in/attempts";
import { deleteForgottenThrottles } from "../storage/sign-in/throttles";
import { deleteExpiredTokens } from "../storage/user/one-time-tokens";

/** Rows per statement, so that none holds the write lock for long. */
const BATCH = 500;
/** Batches per run, so that a flood is deleted in several runs. */
const MAX_BATCHES = 40;
/**
 * How long an expired secret is kept, in milliseconds, so that its link can still show whether it was used or is too
 * old.
 */
const KEEP_EXPIRED = 7 * 24 * 3_600_000;

export async function sweepLogin(ctx: Context): Promise<void> {
  const now = ctx.clock();
  await inBatches(() => deleteForgottenThrottles(ctx.db, now, BATCH));
  await inBatches(() => deleteExpiredTokens(ctx.db, now - KEEP_EXPIRED, BATCH));
  await inBatches(() => deleteOldAttempts(ctx.db, now - ctx.config.signInAttemptRetention, BATCH));
}

async function inBatches(remove: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) if ((await remove()) < BATCH) return;
}
