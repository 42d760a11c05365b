/**
 * Random values and identifiers. 256 bits cannot be guessed (RFC 6749 §10.10: the probability must be below 2^-128 and
 * should be below 2^-160).
 */
import { randomBytes, randomFillSync, randomInt } from "node:crypto";
import { v7 } from "uuid";

/** A secret of 256 random bits, 43 base64url characters. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Random bytes for many ids at once: a system call for each id would cost more than everything else. */
const drawn = Buffer.alloc(16 * 256);
let used = drawn.length;
let latest = { msecs: 0, seq: 0 };

/**
 * An identifier that sorts by time, even within a millisecond and when the clock is set back (UUIDv7, RFC 9562 §5.7,
 * §6.2). It is not secret.
 */
export function newId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const random = drawn.subarray(used, used + 16);
  used += 16;
  const now = Date.now();
  // Starts at random in the lower half of 32 bits, which leaves room to count up within a millisecond.
  latest = now > latest.msecs ? { msecs: now, seq: random.readUInt32BE(6) >>> 1 } : { ...latest, seq: latest.seq + 1 };
  return v7({ random, ...latest });
}

/** Digits and capital letters without those that are easily confused: 0 and O; 1, I and L. */
const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** A code of eight characters for people to copy. It has only 39 bits, so attempts must be limited. */
export function randomCode(alphabet = CODE_ALPHABET): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
