/**
 * Password hashing. A process computes at most one hash per core at a time and queues the others, so that many sign-ins
 * cannot keep the thread pool from signing tokens. Imported hashes that cost more than our own have a queue of their
 * own, so that they do not delay other sign-ins. An unknown user costs as much time as a wrong password (attack:
 * account enumeration by time).
 */
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createKeyedQueues, createQueue, QueueFull, type Slot } from "../concurrency/queue";
import { type NotedSpan, partSpan } from "../tracing/span";
import { nameElsewhere } from "./elsewhere";
import { MAX_FOREIGN_TIME, readForeignHash } from "./foreign-hash";
import { costOf, isDear, isOf, isWithin, OWN_COST, type OwnCost, STORED_LIMIT } from "./password-cost";

/** The cost of the hashes that this process makes. */
let ownCost: OwnCost = OWN_COST;
let decoy: Promise<string> | undefined;

/**
 * Sets the cost of new hashes, for tests of anything but hashing (enforced by layers.test.ts): cheaper hashes give no
 * protection.
 * @param cost the production cost by default
 */
export function hashAtCost(cost: OwnCost = OWN_COST): void {
  ownCost = cost;
  decoy = undefined;
}

/**
 * The number of sign-ins that may wait, per core. It is about ten seconds of work; more would be answered too late to
 * be useful.
 */
const MAX_QUEUE = 500;
/**
 * Limits per organization for expensive hashes: one at a time and a few that wait, so that the users of one
 * organization cannot delay those of another by more than one turn.
 */
const DEAR_OF_ONE = { atOnce: 1, waiting: 8 };
/** The number of organizations that may wait for their turn: a few seconds of work. */
const MAX_COSTLY_QUEUE = 64;

/**
 * The number of threads in libuv's pool, 4 by default. One is always left free for signing tokens and one for the queue
 * of expensive hashes.
 */
const POOL = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** How many passwords this process hashes at once; each takes 19 MiB. */
let share = hashesAtOnce(availableParallelism(), 1, POOL);

/**
 * Shares the cores among the processes of the service on this machine, so that together they never hash more passwords
 * at once than there are cores. This bounds memory and time.
 */
export function shareCores(processes: number): void {
  share = hashesAtOnce(availableParallelism(), processes, POOL);
}

/** @param pool threads in the pool of one process */
export function hashesAtOnce(cores: number, processes: number, pool: number): number {
  return Math.max(1, Math.min(Math.ceil(cores / processes), pool - 2));
}

/** Thrown when the queue of sign-ins is full. The response has status 503 with Retry-After. */
export class PasswordQueueFull extends Error {
  constructor() {
    super("too many passwords are being checked at the moment");
  }
}

const refuse = () => new PasswordQueueFull();
const longest = () => MAX_QUEUE * share;
const hashing = createQueue({ atOnce: () => share, longest, refuse });
const queuesOfCostly = createKeyedQueues();
const costlyHashing = createQueue({ atOnce: () => 1, longest: () => MAX_COSTLY_QUEUE, refuse });
// Twice as many: while half of them hash, the others use the database.
const signIns = createQueue({ atOnce: () => 2 * share, longest, refuse });

/**
 * Runs a password sign-in when a slot is free. If only the hashing were queued, the preceding work would run at once
 * for every request that arrives, and token requests would wait until it was finished.
 * @param signal aborts when the client has disconnected. A sign-in that is still queued then is dropped with
 *   `Abandoned`: its password was not compared, so nothing is learned and nothing is counted. An attempt that has begun
 *   is finished and counted.
 * @param network the network that the request comes from. Networks take turns, so that hundreds of requests from one do
 *   not delay users of another
 */
export function queuePasswordSignIn<T>(
  signIn: (slot: Slot) => Promise<T>,
  signal?: AbortSignal,
  network?: string,
): Promise<T> {
  return signIns.run(signIn, signal, network);
}

/** Returns how many sign-ins and hashes are queued. */
export function passwordQueueLength(): number {
  return signIns.length() + hashing.length() + costlyHashing.length();
}

/**
 * Normalizes a password to the form that is hashed, Unicode NFKC (NIST SP 800-63B §3.1.1.2), because keyboards encode
 * the same letter differently.
 */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/** Returns an argon2id hash in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  // Algorithm.Argon2id is the default.
  return partSpan("hash password", (noted) =>
    hashing.run(() => begun(noted, () => hash(normalizePassword(password), ownCost))),
  );
}

/** Limits passwords that are set for other users to one at a time, however many requests a program sends. */
const given = createQueue({ atOnce: () => 1, longest, refuse });

/** Hashes a password that one user sets for another. */
export function hashGivenPassword(password: string): Promise<string> {
  return given.run(() => hashPassword(password));
}

/** Whether the hash was made elsewhere or with other parameters and should be replaced while its password is known. */
export function isForeignHash(passwordHash: string): boolean {
  const cost = costOf(passwordHash);
  if (!cost) return readForeignHash(passwordHash) !== undefined || nameElsewhere(passwordHash) !== undefined;
  return !passwordHash.startsWith("$argon2id$") || !isOf(cost, ownCost);
}

interface Verifiable {
  /** Whether verifying it takes longer than verifying ours. */
  isDear: boolean;
  /** Whether verifying it may take less time than verifying ours. */
  isCheap: boolean;
  matches(password: string): Promise<boolean>;
}

/** Milliseconds, about those of our own hashes. */
const OWN_TIME = 30;

/** Returns undefined for no hash and for one that costs too much. */
function readStoredHash(passwordHash: string | null | undefined): Verifiable | undefined {
  if (passwordHash == null) return undefined;
  const cost = costOf(passwordHash);
  if (cost) {
    if (!isWithin(cost, STORED_LIMIT)) return undefined;
    const matches = (password: string) => verify(passwordHash, normalizePassword(password));
    return { isDear: isDear(cost), isCheap: false, matches };
  }
  const foreign = readForeignHash(passwordHash);
  if (!foreign || foreign.milliseconds > MAX_FOREIGN_TIME) return undefined;
  // Other systems hash what is typed, without normalizing it.
  const matches = (password: string) => foreign.matches(Buffer.from(password));
  const isDearer = foreign.milliseconds > OWN_TIME;
  return { isDear: isDearer, isCheap: !isDearer, matches };
}

/**
 * Whether the password matches the hash. If there is no usable hash (unknown user, no password set, or a hash over the
 * cost limit), a decoy is verified, so that the same work is done before the result is false. The
 * slot of the sign-in is released while an expensive hash waits in its own queue.
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null | undefined,
  { organizationId = "", slot }: { organizationId?: string; slot?: Slot } = {},
): Promise<boolean> {
  decoy ??= hash("decoy for users that do not exist", ownCost);
  const stored = readStoredHash(passwordHash);
  const againstDecoy = await decoy;
  const verifyDecoy = async () => {
    await verify(againstDecoy, normalizePassword(password));
    return false;
  };
  const verifyStored = async () => {
    if (!stored) return verifyDecoy();
    const isMatch = await stored.matches(password).catch(() => false);
    return isMatch || (stored.isCheap && (await verifyDecoy()));
  };
  return partSpan("verify password", async (noted) => {
    const work = () => begun(noted, verifyStored);
    if (!stored?.isDear) return hashing.run(work, slot?.signal);
    slot?.release();
    const queued = () => costlyHashing.run(work, slot?.signal);
    return queuesOfCostly.run(organizationId, DEAR_OF_ONE, queued, slot?.signal).catch((error: unknown) => {
      throw error instanceof QueueFull ? refuse() : error;
    });
  });
}

/** Marks the start of the work in the span; the time before it was spent in the queue. */
function begun<T>(noted: NotedSpan, work: () => Promise<T>): Promise<T> {
  noted.addEvent("hashing");
  return work();
}
