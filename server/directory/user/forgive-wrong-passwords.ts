/** Wrong passwords that were counted against a person (login/lockout.ts). */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { deleteThrottlesOf } from "../../storage/throttles";

/** By what all counters against a person are found. */
export const subjectOf = (userId: string): string => digest(JSON.stringify(["person", userId]));

/** Forgives whatever was counted against a person, from anywhere: who owns or looks after the account has spoken. */
export async function forgiveWrongPasswords(ctx: Context, userId: string): Promise<{ any: boolean }> {
  return { any: (await deleteThrottlesOf(ctx.db, subjectOf(userId), ctx.clock())) > 0 };
}
