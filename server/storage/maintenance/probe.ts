/** The row that the readiness check writes. */
import { randomBytes } from "node:crypto";
import type { Database } from "../database";

/** Bytes that do not fit into the free space of existing pages and cannot be compressed. */
const ROOM = 8 * 1024;

/**
 * Writes a row that needs space and removes it, to check that the database accepts writes. A readable database may be
 * read-only, a standby, or on a full disk, where existing rows can still be changed.
 * @throws the error of the database
 * @param now epoch milliseconds
 */
export async function probeWrite(db: Database, now: number): Promise<void> {
  const content = randomBytes((ROOM * 3) / 4).toString("base64");
  await db.run(
    `INSERT INTO "WriteProbe" ("id", "at", "content") VALUES ('room', $1, $2)
     ON CONFLICT ("id") DO UPDATE SET "at" = excluded."at", "content" = excluded."content"`,
    [new Date(now), content],
  );
  await db.run(`DELETE FROM "WriteProbe" WHERE "id" = 'room'`, []);
}
