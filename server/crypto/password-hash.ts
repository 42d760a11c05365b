/**
 * Password hashing: argon2id with the parameters of OWASP's cheat sheet (19 MiB, 2 passes, 1 lane).
 * Hashes are queued at the number of cores, so that a storm of sign-ins cannot take the thread pool from token signing,
 * and an unknown user costs the same as a wrong password (no account enumeration by time).
 */
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createWorkQueue } from "./work-queue";

const PARAMETERS = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const; // Algorithm.Argon2id is the default
/** Beyond this many waiting sign-ins a core the answer would come too late to be of use: about ten seconds of work. */
const LONGEST_QUEUE = 500;

/** Threads of libuv's pool; its own default where nothing is set. One is always left for what signs tokens. */
const POOL = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** Hashed at once in this process, 19 MiB each. */
let share = hashesAtOnce(availableParallelism(), 1, POOL);

/**
 * Leaves the other processes of the service on this machine their part of the cores: together they hash as many at
 * once as there are cores, so that a storm of sign-ins takes no more memory and no more time from the others than that.
 */
export function shareCores(processes: number): void {
  share = hashesAtOnce(availableParallelism(), processes, POOL);
}

/** @param pool threads of the process */
export function hashesAtOnce(cores: number, processes: number, pool: number): number {
  return Math.max(1, Math.min(Math.ceil(cores / processes), pool - 1));
}

/** The hashing queue is full; the caller answers 503 and asks to come back. */
export class PasswordQueueFull extends Error {
  constructor() {
    super("too many passwords are being checked at the moment");
  }
}

const refuse = () => new PasswordQueueFull();
const longest = () => LONGEST_QUEUE * share;
const hashing = createWorkQueue({ atOnce: () => share, longest, refuse });
// Twice as many: while one half hashes, the other reads and writes.
const signIns = createWorkQueue({ atOnce: () => 2 * share, longest, refuse });

/**
 * Runs a sign-in by password when its turn comes. Were only the hashing queued, all that stands before it would happen
 * in one go for everybody who comes at once, and whoever wants a token would wait for the end of that.
 */
export function takeTurn<T>(signIn: () => Promise<T>): Promise<T> {
  return signIns.run(signIn);
}

/** Passwords that wait for their turn at this moment. */
export function passwordQueueLength(): number {
  return signIns.length() + hashing.length();
}

/** The password in the form that is hashed: Unicode NFKC (NIST SP 800-63B §3.1.1.2), so that keyboards agree. */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/** argon2id in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(normalizePassword(password), PARAMETERS));
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password belongs to the hash. Without a hash (unknown user, no password set) a decoy is verified, and
 * the answer is false after the same work.
 */
export async function verifyPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  decoy ??= hash("decoy for users that do not exist", PARAMETERS);
  const against = passwordHash ?? (await decoy);
  const matches = await hashing.run(() => verify(against, normalizePassword(password)).catch(() => false));
  return matches && passwordHash != null;
}
