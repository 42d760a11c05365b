/** Times that the service keeps of itself, a row each. */
import type { Database } from "./database";

const keep = (db: Database, id: "readiness" | "rotation", now: number) =>
  db.run(
    `INSERT INTO "WriteProbe" ("id", "at") VALUES ($1, $2)
     ON CONFLICT ("id") DO UPDATE SET "at" = excluded."at"`,
    [id, new Date(now)],
  );

/**
 * Writes one row, to see whether the database takes writes: one that can be read may be full, read-only, or a standby.
 * @throws what the database throws @param now epoch milliseconds
 */
export async function probeWrite(db: Database, now: number): Promise<void> {
  await keep(db, "readiness", now);
}

/** Keeps when a refresh token was rotated last, for `readLastRotation`. @param now epoch milliseconds */
export async function keepLastRotation(db: Database, now: number): Promise<void> {
  await keep(db, "rotation", now);
}

/** When a refresh token was rotated last, as far as that was kept, epoch milliseconds. */
export async function readLastRotation(db: Database): Promise<number | undefined> {
  const row = await db.one<{ at: number }>(`SELECT "at" FROM "WriteProbe" WHERE "id" = 'rotation'`, []);
  return row?.at;
}
