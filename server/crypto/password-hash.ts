/**
 * Password hashing: argon2id with the parameters of OWASP's cheat sheet (19 MiB, 2 passes, 1 lane). At most as many
 * hashes as there are cores are computed at once, the others wait, so that many sign-ins cannot keep the thread pool
 * from signing tokens. An unknown user costs as much time as a wrong password (attack: account enumeration by time).
 */
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createWorkQueue } from "./work-queue";

const PARAMETERS = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const; // Algorithm.Argon2id is the default
/**
 * Sign-ins that may wait per core. More would be answered too late to be of use: these are about ten seconds of work.
 */
const LONGEST_QUEUE = 500;

/** The threads of libuv's pool, 4 by default. One is always left free for signing tokens. */
const POOL = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** How many passwords this process hashes at once, 19 MiB each. */
let share = hashesAtOnce(availableParallelism(), 1, POOL);

/**
 * Shares the cores among the processes of the service on this machine, so that together they never hash more passwords
 * at once than there are cores, which bounds memory and time.
 */
export function shareCores(processes: number): void {
  share = hashesAtOnce(availableParallelism(), processes, POOL);
}

/** @param pool threads in the pool of one process */
export function hashesAtOnce(cores: number, processes: number, pool: number): number {
  return Math.max(1, Math.min(Math.ceil(cores / processes), pool - 1));
}

/** The queue of sign-ins is full; the answer is status 503 with Retry-After. */
export class PasswordQueueFull extends Error {
  constructor() {
    super("too many passwords are being checked at the moment");
  }
}

const refuse = () => new PasswordQueueFull();
const longest = () => LONGEST_QUEUE * share;
const hashing = createWorkQueue({ atOnce: () => share, longest, refuse });
// Twice as many: while half of them hash, the others use the database.
const signIns = createWorkQueue({ atOnce: () => 2 * share, longest, refuse });

/**
 * Runs a sign-in by password when its turn comes. If only the hashing were queued, the work before it would be done at
 * once for everybody who arrives, and token requests would wait until it was finished.
 */
export function takeTurn<T>(signIn: () => Promise<T>): Promise<T> {
  return signIns.run(signIn);
}

/** How many sign-ins wait for their turn now. */
export function passwordQueueLength(): number {
  return signIns.length() + hashing.length();
}

/**
 * The password in the form that is hashed: Unicode NFKC (NIST SP 800-63B §3.1.1.2), as keyboards encode the same letter
 * differently.
 */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/** An argon2id hash in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(normalizePassword(password), PARAMETERS));
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password matches the hash. Without a hash (unknown user, no password set) a decoy is verified, so that
 * the same work is done before the answer is false.
 */
export async function verifyPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  decoy ??= hash("decoy for users that do not exist", PARAMETERS);
  const against = passwordHash ?? (await decoy);
  const matches = await hashing.run(() => verify(against, normalizePassword(password)).catch(() => false));
  return matches && passwordHash != null;
}
