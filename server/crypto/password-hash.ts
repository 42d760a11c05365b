/**
 * Password hashing: argon2id with the parameters of OWASP's cheat sheet (19 MiB, 2 passes, 1 lane).
 * Hashes are queued at the number of cores, so that a storm of sign-ins cannot take the thread pool from token signing,
 * and an unknown user costs the same as a wrong password (no account enumeration by time).
 */
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";

const PARAMETERS = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const; // Algorithm.Argon2id is the default
const AT_ONCE = availableParallelism();
/** Beyond this many waiting sign-ins the answer would come too late to be of use: about ten seconds of work. */
const LONGEST_QUEUE = 500 * AT_ONCE;

let running = 0;
const waiting: (() => void)[] = [];

/** The hashing queue is full; the caller answers 503 and asks to come back. */
export class PasswordQueueFull extends Error {
  constructor() {
    super("too many passwords are being checked at the moment");
  }
}

async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= LONGEST_QUEUE) throw new PasswordQueueFull();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Hashes that wait for a core at this moment. */
export function passwordQueueLength(): number {
  return waiting.length;
}

/** The password in the form that is hashed: Unicode NFKC (NIST SP 800-63B §3.1.1.2), so that keyboards agree. */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/** argon2id in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(normalizePassword(password), PARAMETERS));
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password belongs to the hash. Without a hash (unknown user, no password set) a decoy is verified, and
 * the answer is false after the same work.
 */
export async function verifyPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  decoy ??= hash("decoy for users that do not exist", PARAMETERS);
  const against = passwordHash ?? (await decoy);
  const matches = await queued(() => verify(against, normalizePassword(password)).catch(() => false));
  return matches && passwordHash != null;
}
