/**
 * Changing a password. Hash, end of everything signed in with the old one, event and the message to the person are one
 * transaction: a stolen session cannot outlive the change, and the change cannot happen unseen (ASVS 7.4.3, 6.3.7).
 */
import type { Context } from "../context";
import { type Details, type Origin, recordIn } from "../events/record";
import { readUser, updateUser } from "../storage/users";
import { changeDirectory } from "./change";
import { passwordChanged } from "./notifications";

export interface PasswordChange {
  userId: string;
  /** argon2id in PHC format, of a password that `checkPassword` accepted. */
  newHash: string;
  origin: Origin;
}

/**
 * Sets a new password; sessions, grants and tokens made before are void from this instant on.
 * @returns undefined if there is no such person
 */
export function changePassword(ctx: Context, change: PasswordChange): Promise<Details | undefined> {
  const { userId, newHash, origin } = change;
  return changeDirectory(ctx, async (tx) => {
    const user = await readUser(tx, userId);
    if (user?.kind !== "human") return undefined;
    return recordIn(ctx, tx, {
      type: "user.password.changed",
      aggregateId: userId,
      resourceOwner: user.organizationId,
      origin,
      async state(_, now) {
        const at = new Date(now);
        await updateUser(tx, userId, { passwordHash: newHash, passwordChangedAt: at, validFrom: at }, now);
        return { messages: passwordChanged(user) };
      },
    });
  });
}
