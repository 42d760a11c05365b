/** The frame of every change of the directory: one transaction, and no cache that still tells what was before. */
import type { Context } from "../context";
import type { Transaction } from "../storage/database";
import { forgetDirectory } from "./cache";

/**
 * Runs `work` all or nothing; afterwards hot reads see the new state, also where the outcome is not known.
 * @param options.timeout milliseconds, where `work` is known to take long
 */
export async function changeDirectory<T>(
  ctx: Context,
  work: (tx: Transaction) => Promise<T>,
  options?: { timeout?: number },
): Promise<T> {
  try {
    return await ctx.db.transaction(work, options);
  } finally {
    forgetDirectory(ctx);
  }
}
