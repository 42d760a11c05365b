/** Resets the wrong passwords that were counted against a user (login/lockout.ts). */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { deleteThrottlesOf } from "../../storage/sign-in/throttles";

/** Returns the subject of all counters against a user. */
export const subjectOf = (userId: string): string => digest(JSON.stringify(["person", userId]));

/** Deletes all counters against a user, from any address, after an action of the user or an administrator. */
export async function resetWrongPasswords(ctx: Context, userId: string): Promise<{ any: boolean }> {
  return { any: (await deleteThrottlesOf(ctx.db, subjectOf(userId), ctx.clock())) > 0 };
}
