/**
 * Random values and identifiers. 256 bits cannot be guessed (RFC 6749 §10.10: the probability must be below 2^-128 and
 * should be below 2^-160).
 */
import { randomBytes, randomInt } from "node:crypto";

/**
 * The size of the pool of random bytes that many values share. Drawing a few bytes at a time costs more than everything
 * else done with them.
 */
const DRAWN_AT_ONCE = 4096;
let drawn = Buffer.alloc(0);
let used = 0;

/** Returns the offset of the next `count` unused bytes in `drawn`, and marks them as used. */
function draw(count: number): number {
  if (used + count > drawn.length) {
    drawn = randomBytes(DRAWN_AT_ONCE);
    used = 0;
  }
  used += count;
  return used - count;
}

/** Returns a secret of 256 random bits, as 43 base64url characters. */
export function randomSecret(): string {
  const start = draw(32);
  return drawn.toString("base64url", start, start + 32);
}

/** Returns a nonce. It is a view of the pool and keeps the pool's 4 KiB in memory for as long as it is referenced. */
export function randomNonce(bytes: number): Uint8Array {
  const start = draw(bytes);
  return drawn.subarray(start, start + bytes);
}

/** Random bytes per id: four to begin a sequence with, five for its random part. */
const DRAWN_PER_ID = 9;
/** The time of the latest id in epoch milliseconds, and its sequence number. */
let latest = 0;
let sequence = 0;

const HEX = Buffer.from("0123456789abcdef");
/** The characters of the latest id, and the offsets of its parts. */
const characters = Buffer.from("00000000-0000-7000-8000-000000000000");
const [TIME_HIGH, TIME_LOW, WORD_HIGH, WORD_MIDDLE, TAIL, OWN] = [0, 9, 14, 19, 24, 26];

/**
 * Returns an identifier that sorts by time, even within a millisecond and when the clock is set back (UUIDv7, RFC 9562
 * §5.7, §6.2). It is not secret.
 */
export function newId(): string {
  const start = draw(DRAWN_PER_ID);
  const now = Date.now();
  if (now > latest) {
    latest = now;
    put(Math.floor(now / 0x10000), TIME_HIGH, 8);
    put(now & 0xffff, TIME_LOW, 4);
    // Starts at random in the lower half of 32 bits, which leaves room to count up within a millisecond.
    sequence = drawn.readUInt32BE(start) >>> 1;
  } else sequence++;
  // 12 bits of the sequence after the version, 14 after the variant, 6 before the random part.
  put(0x7000 | (sequence >>> 20), WORD_HIGH, 4);
  put(0x8000 | ((sequence >>> 6) & 0x3fff), WORD_MIDDLE, 4);
  put((sequence & 0x3f) << 2, TAIL, 2);
  for (let byte = 0; byte < 5; byte++) put(drawn[start + 4 + byte] ?? 0, OWN + 2 * byte, 2);
  return characters.toString("latin1");
}

/**
 * Returns a lower bound for ids that are made at this time or later.
 * @param time epoch milliseconds
 */
export function firstIdOf(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/** Writes a number as `digits` hexadecimal digits. */
function put(value: number, start: number, digits: number): void {
  let rest = value;
  for (let index = start + digits - 1; index >= start; index--) {
    characters[index] = HEX[rest & 15] ?? 0;
    rest >>>= 4;
  }
}

/** Digits and capital letters without those that are easily confused: 0 and O; 1, I and L. */
const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** Returns a code of eight characters for people to copy. It has only 39 bits, so attempts must be limited. */
export function randomCode(alphabet = CODE_ALPHABET): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
