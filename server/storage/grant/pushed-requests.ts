/** Rows of pushed authorization requests (RFC 9126). One conditional statement decides that a request is used once. */
import type { Database } from "../database";

export interface PushedRequestRow {
  clientId: string;
  /** Form-encoded, without the client's credentials. */
  parameters: string;
  /** Whether its address has been opened in a browser. */
  isOpened: boolean;
}

/** @param row.expiresAt epoch milliseconds until which the request must be opened */
export async function insertPushedRequest(
  db: Database,
  row: { id: string; clientId: string; parameters: string; expiresAt: number },
): Promise<void> {
  const expiresAt = new Date(row.expiresAt);
  await db.commit({
    inserts: [{ table: "PushedRequest", row: { ...row, expiresAt, openedAt: null, consumedAt: null } }],
  });
}

/** Returns the request; undefined if it is unknown, has expired, or its sign-in has ended. */
export async function findPushedRequest(db: Database, id: string, now: number): Promise<PushedRequestRow | undefined> {
  const row = await db.one<{ clientId: string; parameters: string; openedAt: number | null }>(
    `SELECT "clientId", "parameters", "openedAt" FROM "PushedRequest"
      WHERE "id" = $1 AND "expiresAt" > $2 AND "consumedAt" IS NULL`,
    [id, new Date(now)],
  );
  return row && { clientId: row.clientId, parameters: row.parameters, isOpened: row.openedAt !== null };
}

/** Records the first opening, from which on the request lives until `expiresAt`. */
export async function openPushedRequest(db: Database, id: string, now: number, expiresAt: number): Promise<void> {
  await db.run(
    `UPDATE "PushedRequest" SET "openedAt" = $1, "expiresAt" = $2
      WHERE "id" = $3 AND "openedAt" IS NULL AND "consumedAt" IS NULL`,
    [new Date(now), new Date(expiresAt), id],
  );
}

/** Consumes the request. Returns true for at most one caller. */
export async function consumePushedRequest(db: Database, id: string, now: number): Promise<boolean> {
  return (
    (await db.run(
      `UPDATE "PushedRequest" SET "consumedAt" = $1 WHERE "id" = $2 AND "consumedAt" IS NULL AND "expiresAt" > $1`,
      [new Date(now), id],
    )) === 1
  );
}
