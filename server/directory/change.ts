/** The frame of every change of the directory: one transaction, and no cache that still tells what was before. */
import type { Context } from "../context";
import type { ApiError } from "../protocol/api-error";
import type { Transaction } from "../storage/database";
import { isOvertaken, isUniqueViolation } from "../storage/engine/violations";
import { forgetDirectory } from "./cache";

/**
 * Runs `work` all or nothing; afterwards hot reads see the new state, also where the outcome is not known. Where another
 * change came between its reading and its writing, it is run once more: then it sees what the other did, and says so.
 * @param options.timeout milliseconds, where `work` is known to take long
 */
export async function changeDirectory<T>(
  ctx: Context,
  work: (tx: Transaction) => Promise<T>,
  options?: { timeout?: number },
): Promise<T> {
  try {
    return await ctx.db.transaction(work, options);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return await ctx.db.transaction(work, options);
  } finally {
    forgetDirectory(ctx);
  }
}

/** Runs `work`; where it wrote what exists already, the answer says so. The database decides, also between two at once. */
export async function answering<T>(taken: () => ApiError, work: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) return taken();
    throw error;
  }
}
