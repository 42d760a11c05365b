/**
 * Replaces imported hashes by our own at the first successful sign-in: from then on, verification costs the same as for
 * all users, and the user cannot be distinguished by time. The password stays the same, so sessions and tokens remain
 * valid, and there is no notice. Only a password that another system has confirmed is an event.
 */
import type { Context } from "../context";
import { nameElsewhere } from "../crypto/elsewhere";
import { hashPassword, isForeignHash, PasswordQueueFull } from "../crypto/password-hash";
import type { SignInUser } from "../directory/user/user";
import { inTransaction, recordIn } from "../events/record";
import { readUser, replacePasswordHash, updateUser } from "../storage/user/user";

/**
 * Replaces the hash.
 * @param password the password that the hash was just found to match
 */
export async function upgradeHash(
  ctx: Context,
  user: Pick<SignInUser, "id" | "organizationId" | "passwordHash">,
  password: string,
): Promise<void> {
  const { id, passwordHash, organizationId } = user;
  if (passwordHash === null || !isForeignHash(passwordHash)) return;
  try {
    const replacement = await hashPassword(password);
    if (nameElsewhere(passwordHash) === undefined) {
      await replacePasswordHash(ctx.db, id, passwordHash, replacement);
      return;
    }
    await inTransaction({ ...ctx, origin: { actor: id } }, async (ctx) => {
      // Another password may have been set meanwhile.
      if ((await readUser(ctx.tx, id))?.passwordHash !== passwordHash) return;
      await recordIn(ctx, {
        type: "user.password.moved",
        object: { id, organizationId },
        async state(_, now) {
          await updateUser(ctx.tx, id, { passwordHash: replacement }, now);
          return {};
        },
      });
    });
  } catch (error) {
    // The sign-in has priority; the next one replaces the hash.
    if (!(error instanceof PasswordQueueFull)) throw error;
  }
}
