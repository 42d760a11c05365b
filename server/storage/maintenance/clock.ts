/** Measures the difference between the clocks of the database and of this machine. */
import type { Database } from "../database";

/**
 * Returns the milliseconds that the clock of PostgreSQL, or the newest event of an embedded database, is ahead of
 * `now`. An embedded database has no clock; its events can only show that the clock of this machine was ahead before,
 * so the result is never negative.
 */
export async function clockAhead(db: Database, now: number): Promise<number> {
  const sql =
    db.kind === "postgresql"
      ? `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS "at"`
      : `SELECT COALESCE(MAX("createdAt"), 0) AS "at" FROM "Event"`;
  const row = await db.one<{ at: number }>(sql, []);
  const ahead = Number(row?.at ?? 0) - now;
  return db.kind === "postgresql" ? ahead : Math.max(0, ahead);
}
