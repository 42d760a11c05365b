/**
 * Asking a signed-in person for their current password before changes that could hand the account to somebody else
 * (ASVS 6.2.3). Attempts are counted per session: nobody can keep guessing on an unlocked device, and doing so cannot
 * lock the person out elsewhere.
 */
import type { Context } from "../context";
import { verifyPassword } from "../crypto/password-hash";
import type { SignInUser } from "../directory/user/user";
import { counter, countFailures, forgive, limits, tally } from "./throttle";

/** What is hashed of what was typed, UTF-16 units. */
const LONGEST = 1_000;

export interface CurrentPasswordProblem {
  currentPassword: "missing" | "wrong" | "throttled";
  /** Epoch milliseconds, with `throttled`. */
  retryAt?: number;
}

/** What speaks against it; undefined where it is right. */
export async function checkCurrentPassword(
  ctx: Context,
  { session, user }: { session: { id: string }; user: Pick<SignInUser, "id" | "passwordHash"> },
  typed: string,
): Promise<CurrentPasswordProblem | undefined> {
  if (typed === "") return { currentPassword: "missing" };
  const counters = [counter(limits.passwordFrom, user.id, session.id)];
  const throttled = (retryAt: number) => ({ currentPassword: "throttled", retryAt }) as const;
  const { blockedUntil } = await tally(ctx, counters);
  if (blockedUntil !== undefined) return throttled(blockedUntil);
  if (!(await verifyPassword(typed.slice(0, LONGEST), user.passwordHash))) {
    const retryAt = await countFailures(ctx, counters);
    return retryAt === undefined ? { currentPassword: "wrong" } : throttled(retryAt);
  }
  // Other attempts may have failed while this one was hashed.
  const late = await tally(ctx, counters);
  if (late.blockedUntil !== undefined) return throttled(late.blockedUntil);
  await forgive(ctx, late.counted);
  return undefined;
}
