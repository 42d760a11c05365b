/**
 * Deletes expired rows, a few hundred at a time, so that no sweep holds a lock for long. Each statement is complete in
 * itself, so a sweep may be interrupted and continued by any process. Every search uses an index.
 */
import { firstIdOf } from "../../crypto/random";
import type { Database } from "../database";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Sweep {
  table: string;
  key: string;
  /** The indexed column with the time after which a row may be deleted. */
  column: string;
  /** Milliseconds that the row is kept after that time. */
  keep: number;
  /** An additional condition; `x` is the row. */
  only?: string;
}

export interface SweepOptions {
  /** Rows per statement. */
  batch?: number;
  /** Ends the run after the current statement. */
  signal?: AbortSignal;
}

/** The sweeps. Dependent rows are deleted before those they depend on. */
export const sweeps: readonly Sweep[] = [
  { table: "AccessToken", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  // A redeemed code is kept as long as its tokens are valid: if it is presented again, it must revoke them (RFC 6749
  // §4.1.2).
  {
    table: "Grant",
    key: "id",
    column: "expiresAt",
    keep: HOUR,
    only: `NOT EXISTS (SELECT 1 FROM "AccessToken" t WHERE t."grantId" = x."id")`,
  },
  { table: "DeviceAuthorization", key: "id", column: "expiresAt", keep: HOUR }, // the device should hear expired_token
  { table: "Session", key: "id", column: "expiresAt", keep: DAY }, // its apps may still have to be notified
  // Longer than the lifetime of refresh tokens: without its row an answer counts as lost.
  { table: "GivenAnswers", key: "process", column: "until", keep: 730 * DAY },
  { table: "PushedRequest", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  { table: "UsedAssertion", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  {
    table: "LogoutNotification",
    key: "id",
    column: "createdAt",
    keep: 30 * DAY, // kept as a log
    only: `(x."deliveredAt" IS NOT NULL OR x."failedAt" IS NOT NULL)`,
  },
];

/**
 * Returns the statement for one batch: `$1` is the time before which rows are deleted, `$2` the maximum number of rows.
 */
export function sweepStatement(kind: Database["kind"], { table, key, column, only }: Sweep): string {
  const also = only === undefined ? "" : ` AND ${only}`;
  // Concurrent sweeps take different rows instead of waiting for each other.
  const locked = kind === "postgresql" ? " FOR UPDATE OF x SKIP LOCKED" : "";
  return `DELETE FROM "${table}" WHERE "${key}" IN (
    SELECT x."${key}" FROM "${table}" x WHERE x."${column}" < $1${also}
     ORDER BY x."${column}" LIMIT $2${locked})`;
}

/**
 * Deletes the grants of codes that were not redeemed, by the time that their ids begin with.
 * @param made when they were created, epoch milliseconds, the end excluded
 * @returns the number of deleted rows
 */
export function deleteUnredeemed(db: Database, made: { from: number; until: number }, now: number): Promise<number> {
  const sql = `DELETE FROM "Grant" WHERE "id" >= $1 AND "id" < $2
    AND "codeDigest" IS NOT NULL AND "codeConsumedAt" IS NULL AND "codeExpiresAt" < $3`;
  return db.run(sql, [firstIdOf(made.from), firstIdOf(made.until), new Date(now)]);
}

/**
 * Deletes one batch.
 * @returns the number of deleted rows; fewer than `limit` if none are left
 */
export function sweepBatch(db: Database, sweep: Sweep, now: number, limit: number): Promise<number> {
  return db.run(sweepStatement(db.kind, sweep), [new Date(now - sweep.keep), limit]);
}
