/** Limits the number of trial mails, so that no inbox can be flooded (attack: mail bombs). */
import type { Context } from "../context";
import { type ApiError, resourceExhausted } from "../protocol/api-error";
import { counter, countFailures, type Limit, limits, networkOf } from "../throttle";

const HOUR = 3_600_000;
/** Choice: enough to check a text in several mail programs, too few to be a nuisance. */
const TRIALS: Limit = { name: "trials-of", blockAt: 20, delays: [HOUR, HOUR, HOUR, HOUR, HOUR], resetAfter: HOUR };

/** The limit of rounds. A round is one trial in every language, about forty mails. */
const ROUNDS: Limit = { name: "trial-rounds-of", blockAt: 3, delays: [HOUR, HOUR, HOUR, HOUR, HOUR], resetAfter: HOUR };

/**
 * Counts a trial, per account and per network; returns an error above the limit.
 * @param address the client's IP address
 * @param isInAllLanguages for one message in all languages, which are as many mails
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
