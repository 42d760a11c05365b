/** The frame of every change of the directory: one transaction, after which the caches drop what has changed. */
import type { Context } from "../context";
import { announced, type ChangedObject } from "../events/announced";
import { collectChanges, type TransactionContext } from "../events/record";
import { type ApiError, aborted, isApiError } from "../protocol/api-error";
import type { Transaction } from "../storage/database";
import { isOvertaken, isUniqueViolation } from "../storage/engine/violations";
import { dropChanged, invalidateDirectory } from "./cache";

/**
 * Runs `work` in a transaction. Afterwards cached reads in all processes see the new state; if the outcome is unknown,
 * those in this process. If a concurrent change interferes, `work` is run once more and then sees that change. If it
 * returns an error, the transaction is rolled back. What has changed is what `work` records; if it records nothing,
 * anything may have changed.
 * @param options.timeout milliseconds, if `work` is known to take long
 */
export async function changeDirectory<T, Ctx extends Context>(
  ctx: Ctx,
  work: (ctx: Ctx & TransactionContext) => Promise<T>,
  options?: { timeout?: number },
): Promise<T> {
  const changes: ChangedObject[] = [];
  const collecting = (tx: Transaction) => {
    collectChanges(tx, changes);
    return work({ ...ctx, tx });
  };
  const result = await transact(ctx, collecting, options).catch((error: unknown) => {
    invalidateDirectory(ctx);
    throw error;
  });
  if (isApiError(result)) return result;
  const known = changes.length > 0 ? changes : undefined;
  dropChanged(ctx, known);
  await ctx.db.announce(known && announced(known));
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

/** Rolls back the transaction of a rejected change. */
class Refused extends Error {
  constructor(readonly refusal: ApiError) {
    super(refusal.id);
  }
}

/**
 * Returns the result of `work`, or an error if a concurrent change removed or created the object, which is logged.
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
 * Runs `work` and returns `taken` if it violates a unique constraint. The database thus decides between concurrent
 * requests.
 */
export async function onUniqueViolation<T>(taken: () => ApiError, work: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) return taken();
    throw error;
  }
}
