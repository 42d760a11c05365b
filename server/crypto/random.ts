/**
 * Random values for secrets. 256 bits leave nothing to guess (RFC 6749 §10.10 asks for 2^-128, recommends 2^-160).
 */
import { randomBytes, randomFillSync, randomInt } from "node:crypto";
import { v7 } from "uuid";

/** A secret nobody can guess: 256 random bits as 43 base64url characters. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Random bytes of ids, drawn for many at once: a system call for each would cost more than all the rest of an id. */
const drawn = Buffer.alloc(16 * 256);
let used = drawn.length;
let latest = { msecs: 0, seq: 0 };

/**
 * An identifier that sorts by time, also within a millisecond and when the clock is set back, and need not be secret
 * (UUIDv7, RFC 9562 §5.7, §6.2).
 */
export function newId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const random = drawn.subarray(used, used + 16);
  used += 16;
  const now = Date.now();
  // Begins anywhere in the lower half of 32 bits, so that there is room to count up within a millisecond.
  latest = now > latest.msecs ? { msecs: now, seq: random.readUInt32BE(6) >>> 1 } : { ...latest, seq: latest.seq + 1 };
  return v7({ random, ...latest });
}

/** Digits and capital letters that nobody mistakes for one another, in print or by ear: no 0 O, no 1 I L. */
const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** A code for people to copy: eight characters, 39 bits. Only worth something where tries are counted. */
export function randomCode(alphabet = CODE_ALPHABET): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
