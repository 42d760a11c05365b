/**
 * SHA-256 for secrets that a machine made. With 256 random bits behind them they need no password hash: nobody can
 * search that space, and the service may look them up by digest alone.
 */
import { hash, timingSafeEqual } from "node:crypto";

/** SHA-256 as 43 base64url characters, of a text in UTF-8 or of bytes. */
export function digest(secret: string | Uint8Array): string {
  return hash("sha256", secret, "base64url");
}

/** Compares two strings in a time that does not depend on where they differ. */
export function equalSecrets(a: string, b: string): boolean {
  const left = hash("sha256", a, "buffer");
  const right = hash("sha256", b, "buffer");
  return timingSafeEqual(left, right);
}

/** Whether the secret is the one behind the digest, in constant time. */
export function matchesDigest(secret: string, expectedDigest: string): boolean {
  return equalSecrets(digest(secret), expectedDigest);
}
