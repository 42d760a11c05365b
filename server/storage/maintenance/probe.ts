/** The row that the readiness check writes. */
import { randomBytes } from "node:crypto";
import type { Database } from "../database";
import { bind, tables } from "../statement";

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
  const written = { at: now, content };
  const upsert = tables
    .insertInto("WriteProbe")
    .values({ id: "room", ...written })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(written));
  await db.run(bind(upsert));
  await db.run(bind(tables.deleteFrom("WriteProbe").where("id", "=", "room")));
}
