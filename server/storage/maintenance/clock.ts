/** Measures the difference between the clocks of the database and of this machine. */
import { sql } from "kysely";
import type { Database } from "../database";
import { statement, tables } from "../statement";

const clock = statement(() =>
  tables.selectNoFrom(sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as double precision)`.as("at")),
);
const newestEvent = statement(() => tables.selectFrom("Event").select((eb) => eb.fn.max("createdAt").as("at")));

/**
 * Returns the milliseconds that the clock of PostgreSQL, or the newest event of an embedded database, is ahead of
 * `now`. An embedded database has no clock; its events can only show that the clock of this machine was ahead before,
 * so the result is never negative.
 */
export async function clockAhead(db: Database, now: number): Promise<number> {
  const row = await db.one<{ at: number | null }>(db.kind === "postgresql" ? clock() : newestEvent());
  const ahead = (row?.at ?? 0) - now;
  return db.kind === "postgresql" ? ahead : Math.max(0, ahead);
}
