/** Rows of pushed authorization requests (RFC 9126). One conditional statement decides that a request is used once. */
import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";

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
  await db.commit({ inserts: [{ table: "PushedRequest", row: { ...row, openedAt: null, consumedAt: null } }] });
}

const pushedRequest = statement(($: Params<{ id: string; now: number }>) =>
  tables
    .selectFrom("PushedRequest")
    .select(["clientId", "parameters", "openedAt"])
    .where("id", "=", $("id"))
    .where("expiresAt", ">", $("now"))
    .where("consumedAt", "is", null),
);

/** Returns the request; undefined if it is unknown, has expired, or its sign-in has ended. */
export async function findPushedRequest(db: Database, id: string, now: number): Promise<PushedRequestRow | undefined> {
  const row = await db.one(pushedRequest({ id, now }));
  return row && { clientId: row.clientId, parameters: row.parameters, isOpened: row.openedAt !== null };
}

const open = statement(($: Params<{ id: string; now: number; expiresAt: number }>) =>
  tables
    .updateTable("PushedRequest")
    .set({ openedAt: $("now"), expiresAt: $("expiresAt") })
    .where("id", "=", $("id"))
    .where("openedAt", "is", null)
    .where("consumedAt", "is", null),
);

/** Records the first opening, from which on the request lives until `expiresAt`. */
export async function openPushedRequest(db: Database, id: string, now: number, expiresAt: number): Promise<void> {
  await db.run(open({ id, now, expiresAt }));
}

const consume = statement(($: Params<{ id: string; now: number }>) =>
  tables
    .updateTable("PushedRequest")
    .set({ consumedAt: $("now") })
    .where("id", "=", $("id"))
    .where("consumedAt", "is", null)
    .where("expiresAt", ">", $("now")),
);

/** Consumes the request. Returns true for at most one caller. */
export async function consumePushedRequest(db: Database, id: string, now: number): Promise<boolean> {
  return (await db.run(consume({ id, now }))) === 1;
}
