/**
 * A new password voids everything issued before it, by the clock of the process that stored it. If that clock was ahead
 * of ours, or was set back since, nothing that is issued now would be valid: the user could not sign in until our clock
 * has caught up.
 */
import type { Context } from "../../context";
import { endVoidedOf } from "../../storage/session/voided";

/**
 * Returns the time from which credentials issued to a user are valid, at most the current time. If the stored time is
 * in the future, everything it has voided is ended permanently before it is moved, so that nothing becomes valid again.
 * @returns epoch milliseconds
 */
export async function notAhead(ctx: Context, { id, validFrom }: { id: string; validFrom: number }): Promise<number> {
  const now = ctx.clock();
  if (validFrom <= now) return validFrom;
  await ctx.db.transaction((tx) => endVoidedOf(tx, id, validFrom, now));
  ctx.log.warn({ userId: id, aheadMs: validFrom - now }, "a password was set by a clock that was ahead of this one");
  return now;
}
