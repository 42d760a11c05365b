/**
 * Deleting what has expired, a few hundred rows at a time, so that no sweep holds a lock for long and none has to end:
 * each statement stands for itself, and the next one goes on where it stopped, in whichever process. Every search
 * follows an index.
 */
import type { Database } from "./database";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Sweep {
  table: string;
  key: string;
  /** The indexed column that says when a row may go. */
  column: string;
  /** Milliseconds it stays beyond that. */
  keep: number;
  /** What else must hold; `x` is the row. */
  only?: string;
}

/** In an order in which what stands on something goes before it. */
export const sweeps: readonly Sweep[] = [
  { table: "AccessToken", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  // A consumed code is kept as long as its tokens live: coming back, it must still revoke them (RFC 6749 §4.1.2).
  {
    table: "Grant",
    key: "id",
    column: "expiresAt",
    keep: HOUR,
    only: `NOT EXISTS (SELECT 1 FROM "AccessToken" t WHERE t."grantId" = x."id")`,
  },
  { table: "DeviceAuthorization", key: "id", column: "expiresAt", keep: HOUR }, // the device should hear expired_token
  { table: "Session", key: "id", column: "expiresAt", keep: DAY }, // its apps may still have to be told
  { table: "UsedAssertion", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  {
    table: "LogoutNotification",
    key: "id",
    column: "createdAt",
    keep: 30 * DAY, // kept as a log
    only: `(x."deliveredAt" IS NOT NULL OR x."failedAt" IS NOT NULL)`,
  },
];

/** The statement of one batch: `$1` the instant before which rows go, `$2` how many at most. */
export function sweepStatement(kind: Database["kind"], { table, key, column, only }: Sweep): string {
  const also = only === undefined ? "" : ` AND ${only}`;
  // Processes that sweep at the same time take different rows instead of waiting for one another.
  const locked = kind === "postgresql" ? " FOR UPDATE OF x SKIP LOCKED" : "";
  return `DELETE FROM "${table}" WHERE "${key}" IN (
    SELECT x."${key}" FROM "${table}" x WHERE x."${column}" < $1${also}
     ORDER BY x."${column}" LIMIT $2${locked})`;
}

/** Deletes one batch. @returns how many rows went; fewer than `limit` when none are left */
export function sweepBatch(db: Database, sweep: Sweep, now: number, limit: number): Promise<number> {
  return db.run(sweepStatement(db.kind, sweep), [new Date(now - sweep.keep), limit]);
}
