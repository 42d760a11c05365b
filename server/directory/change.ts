/** What every change of the directory has in common: one transaction, and caches that are emptied afterwards. */
import type { Context } from "../context";
import { type ApiError, aborted, isApiError } from "../protocol/api-error";
import type { Transaction } from "../storage/database";
import { isOvertaken, isUniqueViolation } from "../storage/engine/violations";
import { invalidateDirectory } from "./cache";

/**
 * Runs `work` in a transaction; afterwards cached reads see the new state, even if the outcome is unknown, and so do
 * those of the other processes. If a concurrent change interfered, it is run once more and then sees what the other one
 * did. A refusal changes nothing: what `work` has done before it is undone.
 * @param options.timeout milliseconds, if `work` is known to take long
 */
export async function changeDirectory<T>(
  ctx: Context,
  work: (tx: Transaction) => Promise<T>,
  options?: { timeout?: number },
): Promise<T> {
  const result = await transact(ctx, work, options).finally(() => invalidateDirectory(ctx));
  await ctx.db.announce();
  return result;
}

async function transact<T>(
  ctx: Context,
  work: (tx: Transaction) => Promise<T>,
  options: { timeout?: number } | undefined,
): Promise<T> {
  const attempt = async () => {
    try {
      return await ctx.db.transaction(async (tx) => {
        const outcome = await work(tx);
        if (isApiError(outcome)) throw new Refused(outcome);
        return outcome;
      }, options);
    } catch (error) {
      if (error instanceof Refused) return error.refusal as T;
      throw error;
    }
  };
  try {
    return await attempt();
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return await attempt();
  }
}

/** Rolls back the transaction of a refused change. */
class Refused extends Error {
  constructor(readonly refusal: ApiError) {
    super(refusal.id);
  }
}

/**
 * What `work` answers; a refusal if somebody else removed or created the object while it was at work, which is logged.
 * @param facts for the log
 */
export async function refuseIfOvertaken<T>(
  ctx: Pick<Context, "log">,
  facts: object,
  work: () => Promise<T>,
): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    ctx.log.warn({ err: error, ...facts }, "overtaken by another change");
    return aborted("request.overtaken", "Someone else changed this at the same time. Read it again, then decide.");
  }
}

/**
 * Runs `work`; if that violates a unique constraint, the answer is `taken`. So the database decides, even between
 * concurrent requests.
 */
export async function onUniqueViolation<T>(taken: () => ApiError, work: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) return taken();
    throw error;
  }
}
