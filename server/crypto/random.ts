/**
 * Random values and identifiers. 256 bits cannot be guessed (RFC 6749 §10.10: the probability must be below 2^-128 and
 * should be below 2^-160).
 */
import { randomBytes, randomInt } from "node:crypto";

/** Random bytes for many values at once: drawing a few costs more than everything else that is done with them. */
const DRAWN_AT_ONCE = 4096;
let drawn = Buffer.alloc(0);
let used = 0;

/** Where so many bytes begin in `drawn` that nobody has had and nobody else gets. */
function draw(count: number): number {
  if (used + count > drawn.length) {
    drawn = randomBytes(DRAWN_AT_ONCE);
    used = 0;
  }
  used += count;
  return used - count;
}

/** A secret of 256 random bits, 43 base64url characters. */
export function randomSecret(): string {
  const start = draw(32);
  return drawn.toString("base64url", start, start + 32);
}

/** A nonce: a view of a few bytes, which keeps thousands in memory for as long as it is kept itself. */
export function randomNonce(bytes: number): Uint8Array {
  const start = draw(bytes);
  return drawn.subarray(start, start + bytes);
}

/** Random bytes of an id: four to begin a sequence with, five of its own. */
const DRAWN_PER_ID = 9;
/** Of the latest id: epoch milliseconds, and how many ids came before it in that millisecond. */
let latest = 0;
let sequence = 0;

const codesOf = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const HEX = codesOf("0123456789abcdef");
/** The characters of the latest id, and where its parts begin. */
const characters = codesOf("00000000-0000-7000-8000-000000000000");
const [TIME_HIGH, TIME_LOW, WORD_HIGH, WORD_MIDDLE, TAIL, OWN] = [0, 9, 14, 19, 24, 26];

/**
 * An identifier that sorts by time, even within a millisecond and when the clock is set back (UUIDv7, RFC 9562 §5.7,
 * §6.2). It is not secret. Made of characters and not of parts: joined parts are a tree to V8, and whoever looks at them
 * next, as node:http at a header, pays more for making one string of it than the id costs.
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
  // 12 bits of the sequence after the version, 14 after the variant, 6 before what is random.
  put(0x7000 | (sequence >>> 20), WORD_HIGH, 4);
  put(0x8000 | ((sequence >>> 6) & 0x3fff), WORD_MIDDLE, 4);
  put((sequence & 0x3f) << 2, TAIL, 2);
  for (let byte = 0; byte < 5; byte++) put(drawn[start + 4 + byte] ?? 0, OWN + 2 * byte, 2);
  return String.fromCharCode(...characters);
}

/** What ids made at a time, or later, are not below. @param time epoch milliseconds */
export function firstIdOf(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/** Writes a number in so many hexadecimal digits. */
function put(value: number, start: number, digits: number): void {
  let rest = value;
  for (let index = start + digits - 1; index >= start; index--) {
    characters[index] = HEX[rest & 15] ?? 0;
    rest >>>= 4;
  }
}

/** Digits and capital letters without those that are easily confused: 0 and O; 1, I and L. */
const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** A code of eight characters for people to copy. It has only 39 bits, so attempts must be limited. */
export function randomCode(alphabet = CODE_ALPHABET): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
