/** How the clocks of the database and of this machine differ. */
import type { Database } from "./database";

/**
 * Milliseconds that the clock of PostgreSQL, or the newest event in an embedded database, is ahead of `now`. An embedded
 * database has no clock of its own, so it can only show that this machine's was ahead once: never less than 0.
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
