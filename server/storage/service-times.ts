/** The row that readiness writes. */
import type { Database } from "./database";

/**
 * Writes one row, to see whether the database takes writes: one that can be read may be full, read-only, or a standby.
 * @throws what the database throws @param now epoch milliseconds
 */
export async function probeWrite(db: Database, now: number): Promise<void> {
  await db.run(
    `INSERT INTO "WriteProbe" ("id", "at") VALUES ('readiness', $1)
     ON CONFLICT ("id") DO UPDATE SET "at" = excluded."at"`,
    [new Date(now)],
  );
}
