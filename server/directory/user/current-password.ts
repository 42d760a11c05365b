/**
 * Asks users for their current password before changes that could give the account to someone else (ASVS 6.2.3).
 * Attempts are counted per session, with those of the API as one more session. An attacker cannot keep guessing on an
 * unlocked device, and guessing cannot lock the user out elsewhere.
 */
import type { Context } from "../../context";
import { nameElsewhere } from "../../crypto/elsewhere";
import { verifyPassword } from "../../crypto/password-hash";
import { type ApiError, unavailable } from "../../protocol/api-error";
import { counter, countFailures, limits, minutesUntil, resetCounters, tally } from "../../throttle";
import { type AskedUser, askPasswordHook, type HookOutcome } from "../password-hook/ask";
import { findPasswordHook } from "../password-hook/password-hook";
import { MAX_PASSWORD_LENGTH } from "./password-policy";
import type { SignInUser } from "./user";

export interface CurrentPasswordProblem {
  /** `unavailable` if the password is in another system, which did not answer. */
  currentPassword: "missing" | "wrong" | "throttled" | "unavailable";
  /** Epoch milliseconds, with `throttled`. */
  retryAt?: number;
}

/** Returns the problem as it still applies: the wait ends at `retryAt`, though its page may be opened later. */
export function currentPasswordNow(ctx: Context, { currentPassword, retryAt }: Partial<CurrentPasswordProblem>) {
  const retryAfterMinutes = minutesUntil(ctx, retryAt);
  const isOver = currentPassword === "throttled" && retryAfterMinutes === 0;
  return { currentPassword: isOver ? undefined : currentPassword, retryAfterMinutes };
}

type ProvingUser = AskedUser & Pick<SignInUser, "organizationId">;

/** Returns what is wrong; undefined if the password is right. */
export async function checkCurrentPassword(
  ctx: Context,
  { session, user }: { session: { id: string }; user: ProvingUser },
  typed: string,
): Promise<CurrentPasswordProblem | undefined> {
  if (typed === "") return { currentPassword: "missing" };
  const counters = [counter(limits.passwordFrom, user.id, session.id)];
  const throttled = (retryAt: number) => ({ currentPassword: "throttled", retryAt }) as const;
  const { blockedUntil } = await tally(ctx, counters);
  if (blockedUntil !== undefined) return throttled(blockedUntil);
  const outcome = await verifyCurrent(ctx, user, typed.slice(0, MAX_PASSWORD_LENGTH));
  if (outcome === "failed") return { currentPassword: "unavailable" };
  if (outcome === "refused") {
    const retryAt = await countFailures(ctx, counters);
    return retryAt === undefined ? { currentPassword: "wrong" } : throttled(retryAt);
  }
  // Other attempts may have failed while this one was hashed.
  const late = await tally(ctx, counters);
  if (late.blockedUntil !== undefined) return throttled(late.blockedUntil);
  await resetCounters(ctx, late.counted);
  return undefined;
}

/** Asks the other system for a password that is there (rule HOOK-2). */
async function verifyCurrent(ctx: Context, user: ProvingUser, password: string): Promise<HookOutcome["kind"]> {
  const { passwordHash, organizationId } = user;
  const hook = nameElsewhere(passwordHash) === undefined ? undefined : await findPasswordHook(ctx, organizationId);
  if (hook) return (await askPasswordHook(ctx, hook, user, password)).kind;
  return (await verifyPassword(password, passwordHash, user)) ? "verified" : "refused";
}

/** The error of the management APIs. */
export const passwordUnavailable = (): ApiError =>
  unavailable("session.password_unavailable", "The password can't be checked right now. Try again later.");
