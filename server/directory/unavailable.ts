/** Responses while the database is unavailable: a page or an error that reports it is better than none. */
import type { Context } from "../context";
import { type ApiError, unavailable } from "../protocol/api-error";
import { isUnavailable } from "../storage/engine/unavailable";

/** Returns the result of `ask`, or `otherwise` while the database is unavailable. Other errors are rethrown. */
export async function unlessUnavailable<Found>(ask: () => Promise<Found>, otherwise: Found): Promise<Found> {
  try {
    return await ask();
  } catch (error) {
    if (isUnavailable(error)) return otherwise;
    throw error;
  }
}

/**
 * Returns the result of `work`, or an error while the database is unavailable, which is logged. Other errors are
 * rethrown.
 * @param facts for the log
 */
export async function refuseWhileUnavailable<Answer>(
  ctx: Pick<Context, "log">,
  facts: object,
  work: () => Promise<Answer>,
): Promise<Answer | ApiError> {
  try {
    return await work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    ctx.log.warn({ err: error, ...facts }, "the database is unavailable");
    return unavailable("service.unavailable", "The service is not available right now. Try again in a moment.");
  }
}
