/**
 * Random values for secrets. 256 bits leave nothing to guess (RFC 6749 §10.10 asks for 2^-128, recommends 2^-160).
 */
import { randomBytes, randomInt } from "node:crypto";
import { v7 } from "uuid";

/** A secret nobody can guess: 256 random bits as 43 base64url characters. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** An identifier that sorts by time and need not be secret (UUIDv7, RFC 9562 §5.7). */
export function newId(): string {
  return v7();
}

/** Digits and capital letters that nobody mistakes for one another, in print or by ear: no 0 O, no 1 I L. */
const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** A code for people to copy: eight characters, 39 bits. Only worth something where tries are counted. */
export function randomCode(alphabet = CODE_ALPHABET): string {
  return Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
