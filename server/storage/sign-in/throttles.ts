/**
 * Rows that count failures. Counting is one conditional statement: of many concurrent attempts, in any number of
 * processes, exactly the allowed ones are counted and the rest are rejected (attack: parallel guesses that all read a
 * count of zero). Counters expire and are swept.
 */
import type { Database } from "../database";

export interface ThrottleRow {
  id: string;
  failures: number;
  /** Epoch milliseconds. */
  blockedUntil: number;
}

/** Returns these counters at `now`; expired ones are left out. */
export function listThrottles(db: Database, ids: readonly string[], now: number): Promise<ThrottleRow[]> {
  const placeholders = ids.map((_, index) => `$${index + 2}`).join(", ");
  return db.all<ThrottleRow>(
    `SELECT "id", "failures", "blockedUntil" FROM "Throttle" WHERE "expiresAt" > $1 AND "id" IN (${placeholders})`,
    [new Date(now), ...ids],
  );
}

/** Five delays in milliseconds; the last one also applies to all further failures. */
export type Delays = readonly [number, number, number, number, number];

export interface CountedFailure {
  id: string;
  /** The key for `deleteThrottlesOf`; undefined for counters that are only deleted by their id. */
  subject?: string;
  /** Epoch milliseconds. */
  now: number;
  /** The number of the first failure that blocks. */
  blockAt: number;
  delays: Delays;
  /** Milliseconds without a failure after which the counter expires. */
  resetAfter: number;
}

// $2 now, $3 expiry, $4 the first failure that blocks, $5–$9 blocked until, $10–$14 expiry once blocked, $15 subject,
// $16 not blocked. The latter is the epoch and not "now": of two concurrent attempts, the one whose clock was read
// first may be counted last, and the other's "now" would be ahead of its own.
const FORGOTTEN = `"Throttle"."expiresAt" <= $2`;
const timeStep = (first: number, otherwise: string) => `CASE
    WHEN ${FORGOTTEN} OR "Throttle"."failures" + 1 < $4 THEN ${otherwise}
    WHEN "Throttle"."failures" + 1 = $4 THEN $${first}
    WHEN "Throttle"."failures" = $4 THEN $${first + 1}
    WHEN "Throttle"."failures" - 1 = $4 THEN $${first + 2}
    WHEN "Throttle"."failures" - 2 = $4 THEN $${first + 3}
    ELSE $${first + 4} END`;
const COUNT_FAILURE = `
  INSERT INTO "Throttle" ("id", "failures", "blockedUntil", "expiresAt", "subject") VALUES ($1, 1, $16, $3, $15)
  ON CONFLICT ("id") DO UPDATE SET
    "failures" = CASE WHEN ${FORGOTTEN} THEN 1 ELSE "Throttle"."failures" + 1 END,
    "blockedUntil" = ${timeStep(5, "$16")},
    "expiresAt" = ${timeStep(10, "$3")}
  WHERE "Throttle"."blockedUntil" <= $2 OR ${FORGOTTEN}`;

/** Counts a failure. Returns false, without counting, while the counter is blocked. */
export async function countFailure(db: Database, failure: CountedFailure): Promise<boolean> {
  const { id, now, blockAt, delays, resetAfter, subject = null } = failure;
  const at = (ms: number) => new Date(now + ms);
  const changed = await db.run(COUNT_FAILURE, [
    id,
    at(0),
    at(resetAfter),
    blockAt,
    ...delays.map(at),
    // A block outlasts the counter's expiry.
    ...delays.map((delay) => at(Math.max(delay, resetAfter))),
    subject,
    new Date(0),
  ]);
  return changed === 1;
}

export async function deleteThrottles(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const placeholders = ids.map((_, index) => `$${index + 1}`).join(", ");
  await db.run(`DELETE FROM "Throttle" WHERE "id" IN (${placeholders})`, ids);
}

/**
 * Deletes all counters of this subject that have not expired.
 * @returns the number of deleted rows
 */
export function deleteThrottlesOf(db: Database, subject: string, now: number): Promise<number> {
  return db.run(`DELETE FROM "Throttle" WHERE "subject" = $1 AND "expiresAt" > $2`, [subject, new Date(now)]);
}

/**
 * Deletes up to `most` expired counters.
 * @returns the number of deleted rows
 */
export function deleteForgottenThrottles(db: Database, now: number, most: number): Promise<number> {
  return db.run(
    `DELETE FROM "Throttle" WHERE "id" IN (SELECT "id" FROM "Throttle" WHERE "expiresAt" <= $1 LIMIT ${most})`,
    [new Date(now)],
  );
}
