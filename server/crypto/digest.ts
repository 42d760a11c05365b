/**
 * SHA-256 for generated secrets. They have 256 random bits and cannot be found by trying, so they need no slow password
 * hash and can be looked up by their digest.
 */
import { hash, timingSafeEqual } from "node:crypto";

/** Returns the SHA-256 of a text in UTF-8 or of bytes, as 43 base64url characters. */
export function digest(secret: string | Uint8Array): string {
  return hash("sha256", secret, "base64url");
}

/**
 * Returns a short digest that identifies a version of public content, as in an ETag: 22 base64url characters, 132 bits.
 */
export function fingerprint(content: string | Uint8Array): string {
  return digest(content).slice(0, 22);
}

/** Compares two strings in constant time, so that the duration does not reveal where they differ. */
export function equalSecrets(a: string, b: string): boolean {
  const left = hash("sha256", a, "buffer");
  const right = hash("sha256", b, "buffer");
  return timingSafeEqual(left, right);
}

/** Whether the digest is that of the secret, compared in constant time. */
export function matchesDigest(secret: string, expectedDigest: string): boolean {
  return equalSecrets(digest(secret), expectedDigest);
}
