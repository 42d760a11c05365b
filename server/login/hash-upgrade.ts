/**
 * Replaces imported hashes by our own at the first successful sign-in: from then on, verification costs the same as for
 * all users, and the user cannot be distinguished by time. The password stays the same, so sessions and tokens remain
 * valid, and no notice or event is created.
 */
import type { Context } from "../context";
import { hashPassword, isForeignHash, PasswordQueueFull } from "../crypto/password-hash";
import { replacePasswordHash } from "../storage/user/user";

/**
 * Replaces the hash.
 * @param password the password that the hash was just found to match
 */
export async function upgradeHash(
  ctx: Context,
  { id, passwordHash }: { id: string; passwordHash: string | null },
  password: string,
): Promise<void> {
  if (passwordHash === null || !isForeignHash(passwordHash)) return;
  try {
    await replacePasswordHash(ctx.db, id, passwordHash, await hashPassword(password));
  } catch (error) {
    // The sign-in has priority; the next one replaces the hash.
    if (!(error instanceof PasswordQueueFull)) throw error;
  }
}
