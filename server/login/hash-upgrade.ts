/**
 * Hashes made elsewhere are replaced by our own as soon as their password is known, at the first sign-in: from then on
 * it costs what everybody's costs, and its owner cannot be told from others by time. The password stays the same, so
 * nothing else changes: sessions and tokens live on, nobody is told, and no event says that it was changed.
 */
import type { Context } from "../context";
import { hashPassword, isForeignHash, PasswordQueueFull } from "../crypto/password-hash";
import { replacePasswordHash } from "../storage/users";

/** @param password that the hash was just found to match */
export async function upgradeHash(
  ctx: Context,
  { id, passwordHash }: { id: string; passwordHash: string | null },
  password: string,
): Promise<void> {
  if (passwordHash === null || !isForeignHash(passwordHash)) return;
  try {
    await replacePasswordHash(ctx.db, id, passwordHash, await hashPassword(password));
  } catch (error) {
    // The sign-in is more important; the next one does it.
    if (!(error instanceof PasswordQueueFull)) throw error;
  }
}
