/**
 * A new password voids all that was issued before it, by the clock of the process that stored it. If that clock was ahead
 * of ours, or was set back since, nothing that is issued now would count: the person could not sign in until our clock
 * has caught up.
 */
import type { Context } from "../../context";
import { endVoidedOf } from "../../storage/voided";

/**
 * From when on what is issued to a person counts, at the latest now. Where it lay ahead, what it has made void is ended for
 * good before it is moved, so that nothing comes back to life.
 * @returns epoch milliseconds
 */
export async function notAhead(ctx: Context, { id, validFrom }: { id: string; validFrom: number }): Promise<number> {
  const now = ctx.clock();
  if (validFrom <= now) return validFrom;
  await ctx.db.transaction((tx) => endVoidedOf(tx, id, validFrom, now));
  ctx.log.warn({ userId: id, aheadMs: validFrom - now }, "a password was set by a clock that was ahead of this one");
  return now;
}
