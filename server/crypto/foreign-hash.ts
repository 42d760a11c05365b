/**
 * Password hashes that other systems made, other than argon2: what verifying one costs, and whether a password matches.
 * They are replaced by ours at the first sign-in, so nothing here makes a hash.
 */
import { createCipheriv, hash, pbkdf2, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { verify as verifyBcrypt } from "@node-rs/bcrypt";
import { digestInThread } from "./digest-thread";
import { type IteratedDigest, phpassRounds } from "./iterated-digests";

const derivePbkdf2 = promisify(pbkdf2);
const deriveScrypt = promisify<Buffer, Buffer, number, object, Buffer>(scrypt);

export interface ForeignHash {
  /** The approximate time of one check on one core. */
  milliseconds: number;
  /** Unsalted, or so fast that a stolen hash is a stolen password. */
  isWeak: boolean;
  matches(password: Buffer): Promise<boolean>;
}

/** The most time that verifying an imported hash may take, in milliseconds of one core. */
export const MAX_FOREIGN_TIME = 1_000;

/** Milliseconds of bcrypt at cost 14, the default of ZITADEL, on a current core; one step more takes twice as long. */
const BCRYPT_14 = 950;
/** Milliseconds of one iteration for each block of the derived key. */
const PBKDF2_ROUND = { sha1: 0.000_25, sha256: 0.000_25, sha512: 0.000_85 };
/** Milliseconds of one unit of N × r × p. */
const SCRYPT_UNIT = 0.000_45;
/** 128 × N × r, in bytes. */
const MAX_SCRYPT_MEMORY = 64 * 1024 * 1024;
/** Milliseconds of one digest of a short text. */
const DIGEST = 0.002_5;

const BYTES = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };
type Algorithm = keyof typeof BYTES;

const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);
/** Base64 of every kind: with or without padding, for URLs, and passlib's with "." for "+". */
const decode = (text: string) => Buffer.from(text.replaceAll(".", "+"), "base64");

interface Format {
  pattern: RegExp;
  read(parts: string[], stored: string): ForeignHash;
}

const iterated = (kind: IteratedDigest, rounds: number, stored: string, isWeak = false): ForeignHash => ({
  milliseconds: rounds * DIGEST,
  isWeak,
  matches: async (password) => isEqual(Buffer.from(await digestInThread(kind, password, stored)), Buffer.from(stored)),
});

/** One digest of the password and a salt, which may be empty. */
const single = (algorithm: Algorithm, stored: Buffer, isWeak: boolean): ForeignHash => ({
  milliseconds: DIGEST,
  isWeak,
  async matches(password) {
    const length = BYTES[algorithm];
    const salted = Buffer.concat([password, stored.subarray(length)]);
    return isEqual(hash(algorithm, salted, "buffer"), stored.subarray(0, length));
  },
});

function readScrypt(salt: Buffer, wanted: Buffer, cost: { N: number; r: number; p: number }, key = Buffer.alloc(0)) {
  const { N, r, p } = cost;
  const tooLarge = 128 * N * r > MAX_SCRYPT_MEMORY || N < 2 || r < 1 || p < 1;
  return {
    milliseconds: tooLarge ? Number.POSITIVE_INFINITY : N * r * p * SCRYPT_UNIT,
    isWeak: false,
    async matches(password: Buffer) {
      const options = { ...cost, maxmem: 2 * MAX_SCRYPT_MEMORY };
      const derived = await deriveScrypt(password, salt, key.length > 0 ? 32 : wanted.length, options);
      if (key.length === 0) return isEqual(derived, wanted);
      // Firebase encrypts its signer key with the derived key.
      return isEqual(createCipheriv("aes-256-ctr", derived, Buffer.alloc(16)).update(key), wanted);
    },
  };
}

const LDAP_ALGORITHMS = { SHA: "sha1", SHA256: "sha256", SHA512: "sha512", MD5: "md5" } as const;

const FORMATS: readonly Format[] = [
  {
    pattern: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/,
    read: ([cost], stored) => ({
      milliseconds: Number(cost) < 4 ? Number.POSITIVE_INFINITY : BCRYPT_14 * 2 ** (Number(cost) - 14),
      isWeak: false,
      matches: (password) => verifyBcrypt(password, stored),
    }),
  },
  {
    pattern: /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(\d{1,8})\$([\w./+-]{0,256})=*\$([\w./+-]{21,172})=*$/,
    read([name, rounds, salt = "", sum = ""]) {
      const algorithm = (name ?? "sha1") as keyof typeof PBKDF2_ROUND;
      const wanted = decode(sum);
      const blocks = Math.ceil(wanted.length / BYTES[algorithm]);
      return {
        milliseconds: Number(rounds) < 1 ? Number.POSITIVE_INFINITY : Number(rounds) * blocks * PBKDF2_ROUND[algorithm],
        isWeak: false,
        async matches(password) {
          return isEqual(await derivePbkdf2(password, decode(salt), Number(rounds), wanted.length, algorithm), wanted);
        },
      };
    },
  },
  {
    pattern: /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w./+-]{0,256})=*\$([\w./+-]{21,172})=*$/,
    read: ([ln, r, p, salt = "", sum = ""]) =>
      readScrypt(decode(salt), decode(sum), { N: 2 ** Number(ln), r: Number(r), p: Number(p) }),
  },
  {
    // As Supabase writes it: memory cost, rounds, salt separator and signer key of the Firebase project.
    pattern:
      /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,3}),p=1(?:,ss=([\w+/-]*=*))?,sk=([\w+/-]{22,512}=*)\$([\w+/-]*=*)\$([\w+/-]{22,512}=*)$/,
    read([n, r, separator = "", key = "", salt = "", sum = ""]) {
      const cost = { N: 2 ** Number(n), r: Number(r), p: 1 };
      return readScrypt(Buffer.concat([decode(salt), decode(separator)]), decode(sum), cost, decode(key));
    },
  },
  {
    pattern: /^\$5\$(?:rounds=(\d{1,9})\$)?[^$\s]{0,16}\$[./A-Za-z0-9]{43}$/,
    read: ([rounds = "5000"], stored) => iterated("shaCrypt", Number(rounds), stored),
  },
  {
    pattern: /^\$6\$(?:rounds=(\d{1,9})\$)?[^$\s]{0,16}\$[./A-Za-z0-9]{86}$/,
    read: ([rounds = "5000"], stored) => iterated("shaCrypt", Number(rounds), stored),
  },
  {
    pattern: /^\$(?:[PH]\$[./A-Za-z0-9]{31}|S\$[./A-Za-z0-9]{52})$/,
    read: (_, stored) => iterated("phpass", 2 ** phpassRounds(stored), stored),
  },
  {
    pattern: /^\{S(SHA|SHA256|SHA512|MD5)\}([A-Za-z0-9+/]{24,512}=*)$/i,
    read([name = "", sum = ""]) {
      const algorithm = LDAP_ALGORITHMS[name.toUpperCase() as keyof typeof LDAP_ALGORITHMS];
      return single(algorithm, decode(sum), algorithm === "md5" || decode(sum).length <= BYTES[algorithm]);
    },
  },
  {
    pattern: /^\{(SHA|SHA256|SHA512|MD5)\}([A-Za-z0-9+/]{22,86}=*)$/i,
    read: ([name = "", sum = ""]) =>
      single(LDAP_ALGORITHMS[name.toUpperCase() as keyof typeof LDAP_ALGORITHMS], decode(sum), true),
  },
  {
    pattern: /^\$(?:1|apr1)\$[^$\s]{0,8}\$[./A-Za-z0-9]{22}$/,
    read: (_, stored) => iterated("md5Crypt", 1_000, stored, true),
  },
  {
    pattern: /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i,
    read(_, stored) {
      const sum = Buffer.from(stored, "hex");
      const algorithm = (Object.keys(BYTES) as Algorithm[]).find((name) => BYTES[name] === sum.length) ?? "md5";
      return single(algorithm, sum, true);
    },
  },
];

const MAX_FOREIGN_LENGTH = 2_000;
/** Directories put it before a form of crypt(3). */
const CRYPT = /^\{CRYPT\}(?=\$)/i;

/** Reads a hash in one of the forms, or returns undefined. */
export function readForeignHash(given: string): ForeignHash | undefined {
  if (given.length > MAX_FOREIGN_LENGTH) return undefined;
  const stored = given.replace(CRYPT, "");
  for (const { pattern, read } of FORMATS) {
    const [whole, ...parts] = pattern.exec(stored) ?? [];
    if (whole !== undefined) return read(parts, stored);
  }
  return undefined;
}

export interface FirebaseScrypt {
  signerKey: string;
  saltSeparator?: string;
  rounds: number;
  memoryCost: number;
}

const SHORT_FIREBASE = /^\$fbscrypt\$([\w+/-]*=*)\$([\w+/-]+=*)$/;

/** Adds the parameters of a Firebase project to a hash that has none: `$fbscrypt$salt$hash`. Others stay the same. */
export function withFirebaseScrypt(stored: string, parameters: FirebaseScrypt | undefined): string {
  const [whole, salt, sum] = SHORT_FIREBASE.exec(stored) ?? [];
  if (whole === undefined || !parameters) return stored;
  const { signerKey, saltSeparator = "", rounds, memoryCost } = parameters;
  return `$fbscrypt$v=1,n=${memoryCost},r=${rounds},p=1,ss=${saltSeparator},sk=${signerKey}$${salt}$${sum}`;
}
