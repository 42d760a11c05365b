/** Limits how many trial mails somebody may send, so that nobody's inbox can be flooded (attack: mail bombs). */
import type { Context } from "../context";
import { type ApiError, resourceExhausted } from "../protocol/api-error";
import { counter, countFailures, type Limit, limits, networkOf } from "../throttle";

const HOUR = 3_600_000;
/** Choice: enough to check a text in several mail programs, too few to be a nuisance. */
const TRIALS: Limit = { name: "trials-of", free: 20, delays: [HOUR, HOUR, HOUR, HOUR, HOUR], resetAfter: HOUR };

/** Of one message in all languages: some forty mails each. */
const ROUNDS: Limit = { name: "trial-rounds-of", free: 3, delays: [HOUR, HOUR, HOUR, HOUR, HOUR], resetAfter: HOUR };

/**
 * Counts a trial, per account and per network; an error if there were too many.
 * @param address the client's IP address
 * @param isInAllLanguages of one message, sent as many mails
 */
export async function countTrial(
  ctx: Context,
  userId: string,
  address: string | undefined,
  isInAllLanguages = false,
): Promise<ApiError | undefined> {
  const limit = isInAllLanguages ? ROUNDS : TRIALS;
  const counters = [counter(limit, userId), counter(limits.mailsFrom, networkOf(address))];
  const blockedUntil = await countFailures(ctx, counters);
  if (blockedUntil === undefined) return undefined;
  const minutes = Math.max(1, Math.ceil((blockedUntil - ctx.clock()) / 60_000));
  return resourceExhausted("message.too_many_trials", `Too many trials; try again in ${minutes} minutes.`);
}
