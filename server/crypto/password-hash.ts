/**
 * Password hashing. At most as many hashes as there are cores are computed at once, the others wait, so that many
 * sign-ins cannot keep the thread pool from signing tokens. Hashes that were made elsewhere and are dearer than our own
 * have a lane of their own, so that nobody else waits for them. An unknown user costs as much time as a wrong password
 * (attack: account enumeration by time).
 */
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createLines, LineFull } from "../concurrency/lines";
import { createWorkQueue, type Turn } from "../concurrency/work-queue";
import { type NotedSpan, partSpan } from "../tracing/span";
import { costOf, isDear, isOf, isWithin, OWN_COST, type OwnCost, STORED_LIMIT } from "./password-cost";

/** What the hashes cost that this process makes. */
let ownCost: OwnCost = OWN_COST;
let decoy: Promise<string> | undefined;

/**
 * For tests of everything but hashes, and for nothing else (layers.test.ts), as cheaper hashes protect nobody.
 * @param cost as outside of tests if not given
 */
export function hashAtCost(cost: OwnCost = OWN_COST): void {
  ownCost = cost;
  decoy = undefined;
}

/**
 * Sign-ins that may wait per core. More would be answered too late to be of use: these are about ten seconds of work.
 */
const MAX_QUEUE = 500;
/**
 * Sign-ins with a dear hash: one at a time for an organization, and a few that wait, so that the people of one cannot
 * keep those of another waiting for more than their turn.
 */
const DEAR_OF_ONE = { atOnce: 1, waiting: 8 };
/** Organizations that may wait for their turn: seconds of work. */
const MAX_COSTLY_QUEUE = 64;

/**
 * The threads of libuv's pool, 4 by default. One is always left free for signing tokens, and one for the lane of dear
 * hashes.
 */
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
  return Math.max(1, Math.min(Math.ceil(cores / processes), pool - 2));
}

/** The queue of sign-ins is full; the answer is status 503 with Retry-After. */
export class PasswordQueueFull extends Error {
  constructor() {
    super("too many passwords are being checked at the moment");
  }
}

const refuse = () => new PasswordQueueFull();
const longest = () => MAX_QUEUE * share;
const hashing = createWorkQueue({ atOnce: () => share, longest, refuse });
const dearLines = createLines();
const dearHashing = createWorkQueue({ atOnce: () => 1, longest: () => MAX_COSTLY_QUEUE, refuse });
// Twice as many: while half of them hash, the others use the database.
const signIns = createWorkQueue({ atOnce: () => 2 * share, longest, refuse });

/**
 * Runs a sign-in by password when its turn comes. If only the hashing were queued, the work before it would be done at
 * once for everybody who arrives, and token requests would wait until it was finished.
 * @param signal aborts when the client has left: who still waits then is dropped, with `Abandoned`. Nothing was compared
 * with their password, so nothing is learned and nothing is counted; an attempt that has begun is finished and counted.
 * @param network from which it comes: networks take turns, so that the people of one do not wait for hundreds from another
 */
export function queueHash<T>(signIn: (turn: Turn) => Promise<T>, signal?: AbortSignal, network?: string): Promise<T> {
  return signIns.run(signIn, signal, network);
}

/** How many sign-ins wait for their turn now. */
export function passwordQueueLength(): number {
  return signIns.length() + hashing.length() + dearHashing.length();
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
  // Algorithm.Argon2id is the default.
  return partSpan("hash password", (noted) =>
    hashing.run(() => begun(noted, () => hash(normalizePassword(password), ownCost))),
  );
}

/** Programs that set passwords for others have one place among the sign-ins, however many requests they send. */
const given = createWorkQueue({ atOnce: () => 1, longest, refuse });

/** The same for a password that somebody sets for somebody else. */
export function hashGivenPassword(password: string): Promise<string> {
  return given.run(() => hashPassword(password));
}

/** Whether the hash was made with other parameters than ours, so that it should be replaced while its password is known. */
export function isForeignHash(passwordHash: string): boolean {
  const cost = costOf(passwordHash);
  return cost !== undefined && !isOf(cost, ownCost);
}

/**
 * Whether the password matches the hash. Without a hash (unknown user, no password set, or one that demands more work
 * than anybody may cause) a decoy is verified, so that the same work is done before the answer is false.
 * @param signIn the person's organization, and the sign-in's place, which is left to others while it is in the lane of dear
 * hashes
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null | undefined,
  { organizationId = "", turn }: { organizationId?: string; turn?: Turn } = {},
): Promise<boolean> {
  decoy ??= hash("decoy for users that do not exist", ownCost);
  const cost = passwordHash == null ? undefined : costOf(passwordHash);
  const isVerified = passwordHash != null && cost !== undefined && isWithin(cost, STORED_LIMIT);
  const against = isVerified ? passwordHash : await decoy;
  return partSpan("verify password", async (noted) => {
    const work = () => begun(noted, () => verify(against, normalizePassword(password)).catch(() => false));
    if (!isVerified || !isDear(cost)) return (await hashing.run(work, turn?.signal)) && isVerified;
    turn?.leave();
    const inTheLane = () => dearHashing.run(work, turn?.signal);
    return dearLines.run(organizationId, DEAR_OF_ONE, inTheLane, turn?.signal).catch((error: unknown) => {
      throw error instanceof LineFull ? refuse() : error;
    });
  });
}

/** What comes before in the span is the wait in the queue. */
function begun<T>(noted: NotedSpan, work: () => Promise<T>): Promise<T> {
  noted.addEvent("hashing");
  return work();
}
