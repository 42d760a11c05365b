/**
 * Random values and identifiers. 256 bits cannot be guessed (RFC 6749 §10.10: the probability must be below 2^-128 and
 * should be below 2^-160).
 */
import { randomBytes, randomInt } from "node:crypto";

/** A secret of 256 random bits, 43 base64url characters. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Hexadecimal digits of a random part. */
const DIGITS = 18;
/** Random digits for many ids at once: a system call for each id would cost more than everything else. */
let drawn = "";
let used = 0;
/** Of the latest id: epoch milliseconds, the same as text, and how many ids came before it in that millisecond. */
let latest = 0;
let time = "";
let sequence = 0;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * An identifier that sorts by time, even within a millisecond and when the clock is set back (UUIDv7, RFC 9562 §5.7,
 * §6.2). It is not secret.
 */
export function newId(): string {
  if (used === drawn.length) {
    drawn = randomBytes((DIGITS / 2) * 512).toString("hex");
    used = 0;
  }
  const now = Date.now();
  if (now > latest) {
    latest = now;
    const digits = now.toString(16).padStart(12, "0");
    time = `${digits.slice(0, 8)}-${digits.slice(8)}`;
    // Starts at random in the lower half of 32 bits, which leaves room to count up within a millisecond.
    sequence = Number.parseInt(drawn.slice(used, used + 8), 16) >>> 1;
  } else sequence++;
  const tail = drawn.slice(used + 8, used + DIGITS);
  used += DIGITS;
  // 12 bits of the sequence after the version, 14 after the variant, 6 before what is random.
  const high = 0x7000 | (sequence >>> 20);
  const middle = 0x8000 | ((sequence >>> 6) & 0x3fff);
  return `${time}-${pair(high)}-${pair(middle)}-${HEX[(sequence & 0x3f) << 2]}${tail}`;
}

const pair = (word: number): string => `${HEX[word >>> 8]}${HEX[word & 0xff]}`;

/** Digits and capital letters without those that are easily confused: 0 and O; 1, I and L. */
const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** A code of eight characters for people to copy. It has only 39 bits, so attempts must be limited. */
export function randomCode(alphabet = CODE_ALPHABET): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
