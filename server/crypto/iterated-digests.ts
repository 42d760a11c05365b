/**
 * Password hashes that are thousands of plain digests: SHA-crypt, MD5-crypt and PHPass. Node.js has no asynchronous
 * form of them, so they are computed in a thread of their own (digest-thread.ts).
 */
import { hash } from "node:crypto";

const CRYPT_ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Appends the lowest bits of a number in the alphabet of crypt(3), 6 bits a letter. */
const letters = (value: number, count: number) =>
  Array.from({ length: count }, (_, index) => CRYPT_ALPHABET[(value >> (6 * index)) & 63]).join("");

/** Three bytes as four letters, the first byte highest. */
const group = (bytes: Buffer, a: number, b: number, c: number) =>
  letters(((bytes[a] ?? 0) << 16) | ((bytes[b] ?? 0) << 8) | (bytes[c] ?? 0), 4);

const digest = (algorithm: string, ...parts: readonly Buffer[]) => hash(algorithm, Buffer.concat(parts), "buffer");

/** The bytes, repeated and cut to a length. */
const stretched = (bytes: Buffer, length: number) => Buffer.alloc(length, bytes);

const SHA_CRYPT = /^(\$([56])\$(?:rounds=(\d+)\$)?([^$]{0,16})\$)/;

/** https://www.akkadia.org/drepper/SHA-crypt.txt */
function shaCrypt(password: Buffer, stored: string): string {
  const [, setting = "", version, rounds = "5000", saltText = ""] = SHA_CRYPT.exec(stored) ?? [];
  const is512 = version === "6";
  const algorithm = is512 ? "sha512" : "sha256";
  const salt = Buffer.from(saltText);
  const second = digest(algorithm, password, salt, password);
  const parts = [password, salt, stretched(second, password.length)];
  for (let bits = password.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? second : password);
  let sum = digest(algorithm, ...parts);
  const p = stretched(digest(algorithm, ...Array<Buffer>(password.length).fill(password)), password.length);
  const s = stretched(digest(algorithm, ...Array<Buffer>(16 + (sum[0] ?? 0)).fill(salt)), salt.length);
  for (let round = 0; round < Number(rounds); round++) {
    const isOdd = round % 2 === 1;
    const middle = [...(round % 3 ? [s] : []), ...(round % 7 ? [p] : [])];
    sum = digest(algorithm, isOdd ? p : sum, ...middle, isOdd ? sum : p);
  }
  return setting + (is512 ? sha512Letters(sum) : sha256Letters(sum));
}

function sha512Letters(sum: Buffer): string {
  let [text, a, b, c] = ["", 0, 21, 42];
  for (let index = 0; index < 21; index++) {
    text += group(sum, a, b, c);
    [a, b, c] = [b + 1, c + 1, a + 1];
  }
  return text + letters(sum[63] ?? 0, 2);
}

function sha256Letters(sum: Buffer): string {
  let [text, a, b, c] = ["", 0, 10, 20];
  for (let index = 0; index < 10; index++) {
    text += group(sum, a, b, c);
    [a, b, c] = [c + 1, a + 1, b + 1];
  }
  return text + letters(((sum[31] ?? 0) << 8) | (sum[30] ?? 0), 3);
}

const MD5_CRYPT = /^(\$(?:1|apr1)\$)([^$]{0,8})\$/;

/** The crypt of FreeBSD (`$1$`) and of Apache (`$apr1$`). */
function md5Crypt(password: Buffer, stored: string): string {
  const [, magic = "", saltText = ""] = MD5_CRYPT.exec(stored) ?? [];
  const salt = Buffer.from(saltText);
  const second = digest("md5", password, salt, password);
  const parts = [password, Buffer.from(magic), salt, stretched(second, password.length)];
  for (let bits = password.length; bits > 0; bits >>= 1) {
    parts.push(bits & 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  }
  let sum = digest("md5", ...parts);
  for (let round = 0; round < 1_000; round++) {
    const isOdd = round % 2 === 1;
    const middle = [...(round % 3 ? [salt] : []), ...(round % 7 ? [password] : [])];
    sum = digest("md5", isOdd ? password : sum, ...middle, isOdd ? sum : password);
  }
  const groups = [0, 1, 2, 3].map((index) => group(sum, index, index + 6, index + 12)).join("");
  return `${magic}${saltText}$${groups}${group(sum, 4, 10, 5)}${letters(sum[11] ?? 0, 2)}`;
}

const PHPASS = /^(\$([PHS])\$(.)(.{8}))/;

/** The binary logarithm of the number of digests in a PHPass hash. */
export const phpassRounds = (stored: string): number => CRYPT_ALPHABET.indexOf(stored[3] ?? "");

/** Portable hashes of PHPass (`$P$`, `$H$`: MD5), as in WordPress and phpBB, and of Drupal 7 (`$S$`: SHA-512). */
function phpass(password: Buffer, stored: string): string {
  const [, setting = "", kind, , salt = ""] = PHPASS.exec(stored) ?? [];
  const algorithm = kind === "S" ? "sha512" : "md5";
  let sum = digest(algorithm, Buffer.from(salt), password);
  for (let left = 2 ** phpassRounds(stored); left > 0; left--) sum = digest(algorithm, sum, password);
  let text = setting;
  for (let at = 0; at < sum.length; at += 3) {
    const some = sum.subarray(at, at + 3);
    text += letters(((some[2] ?? 0) << 16) | ((some[1] ?? 0) << 8) | (some[0] ?? 0), some.length + 1);
  }
  return text.slice(0, stored.length);
}

export const iteratedDigests = { shaCrypt, md5Crypt, phpass } as const;
export type IteratedDigest = keyof typeof iteratedDigests;
