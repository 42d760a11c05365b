/**
 * Asks users for their current password before changes that could give the account to someone else (ASVS 6.2.3).
 * Attempts are counted per session, with those of the API as one more session. An attacker cannot keep guessing on an
 * unlocked device, and guessing cannot lock the user out elsewhere.
 */
import type { Context } from "../../context";
import { verifyPassword } from "../../crypto/password-hash";
import { counter, countFailures, limits, minutesUntil, resetCounters, tally } from "../../throttle";
import { MAX_PASSWORD_LENGTH } from "./password-policy";
import type { SignInUser } from "./user";

export interface CurrentPasswordProblem {
  currentPassword: "missing" | "wrong" | "throttled";
  /** Epoch milliseconds, with `throttled`. */
  retryAt?: number;
}

/** Returns the problem as it still applies: the wait ends at `retryAt`, though its page may be opened later. */
export function currentPasswordNow(ctx: Context, { currentPassword, retryAt }: Partial<CurrentPasswordProblem>) {
  const retryAfterMinutes = minutesUntil(ctx, retryAt);
  const isOver = currentPassword === "throttled" && retryAfterMinutes === 0;
  return { currentPassword: isOver ? undefined : currentPassword, retryAfterMinutes };
}

/** Returns what is wrong; undefined if the password is right. */
export async function checkCurrentPassword(
  ctx: Context,
  { session, user }: { session: { id: string }; user: Pick<SignInUser, "id" | "organizationId" | "passwordHash"> },
  typed: string,
): Promise<CurrentPasswordProblem | undefined> {
  if (typed === "") return { currentPassword: "missing" };
  const counters = [counter(limits.passwordFrom, user.id, session.id)];
  const throttled = (retryAt: number) => ({ currentPassword: "throttled", retryAt }) as const;
  const { blockedUntil } = await tally(ctx, counters);
  if (blockedUntil !== undefined) return throttled(blockedUntil);
  if (!(await verifyPassword(typed.slice(0, MAX_PASSWORD_LENGTH), user.passwordHash, user))) {
    const retryAt = await countFailures(ctx, counters);
    return retryAt === undefined ? { currentPassword: "wrong" } : throttled(retryAt);
  }
  // Other attempts may have failed while this one was hashed.
  const late = await tally(ctx, counters);
  if (late.blockedUntil !== undefined) return throttled(late.blockedUntil);
  await resetCounters(ctx, late.counted);
  return undefined;
}
