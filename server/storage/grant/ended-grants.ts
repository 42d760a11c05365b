/**
 * Revokes grants: one grant with its token exchanges, the grants that end with a session, and those that an app or a
 * user ends.
 */
import type { Expression, SqlBool } from "kysely";
import type { Database, Transaction } from "../database";
import { readAll, write } from "../in-transaction";
import { bind, columnsIn, type Params, statement, tables } from "../statement";
import type { GrantRow } from "./grant";

const revoke = statement(($: Params<{ id: string; now: number }>) =>
  tables
    .updateTable("Grant")
    .set({ revokedAt: $("now") })
    .where("id", "=", $("id"))
    .where("revokedAt", "is", null),
);

/** The grants that were exchanged from a grant, directly or by way of others. */
const exchangedFrom = statement(($: Params<{ id: string }>) =>
  tables
    .withRecursive("family(id)", (db) =>
      db
        .selectFrom("Grant")
        .select("id")
        .where("parentId", "=", $("id"))
        .union(db.selectFrom("Grant as g").innerJoin("family as f", "f.id", "g.parentId").select("g.id")),
    )
    .selectFrom("family")
    .select("id"),
);

/**
 * Revokes a grant with its code, refresh tokens and access tokens, and every grant that was exchanged from it.
 * @returns false if it has already ended
 */
export async function revokeGrantRow(tx: Transaction, id: string, now: number): Promise<boolean> {
  const isRevoked = (await write(tx, revoke({ id, now }))) === 1;
  if (isRevoked) await revokeAll(tx, await readAll(tx, exchangedFrom({ id })), now);
  return isRevoked;
}

/**
 * The grants with refresh tokens that end with their session, in addition to all grants without refresh tokens: all,
 * those of the app that requested the sign-out, or none (rule SIGNOUT-4).
 */
export type EndingOffline = "all" | "none" | AskingApp;

/** The app that requests a sign-out. */
export interface AskingApp {
  clientId: string;
  /** The grant of the id_token_hint. */
  grantId: string | undefined;
}

/** The grants that were exchanged from ended grants of a session, directly or by way of others. */
const exchangedInSession = statement(($: Params<{ sessionId: string }>) =>
  tables
    .withRecursive("family(id)", (db) =>
      db
        .selectFrom("Grant as p")
        .innerJoin("Grant as c", "c.parentId", "p.id")
        .select("c.id")
        .where("p.sessionId", "=", $("sessionId"))
        .where("p.revokedAt", "is not", null)
        .union(db.selectFrom("Grant as g").innerJoin("family as f", "f.id", "g.parentId").select("g.id")),
    )
    .selectFrom("family")
    .select("id"),
);

/** Revokes grants of a session that ends. */
export async function revokeGrantsOfSession(
  tx: Transaction,
  sessionId: string,
  now: number,
  offline: EndingOffline,
): Promise<void> {
  let ending = tables
    .updateTable("Grant as g")
    .set({ revokedAt: now })
    .where("g.sessionId", "=", sessionId)
    .where("g.revokedAt", "is", null);
  if (offline !== "all") ending = ending.where(grantsOfApp(offline));
  const count = await write(tx, bind(ending));
  if (count === 0 || offline === "all") return;
  // Grants that were exchanged from an ended grant end with it, with or without refresh tokens. They are read
  // afterwards, because an exchange locks its parent: this query sees what an exchange stored meanwhile.
  await revokeAll(tx, await readAll(tx, exchangedInSession({ sessionId })), now);
}

/**
 * The condition for grants that end with their session: those without refresh tokens, and those of the requesting app.
 * A device has a grant without a code, which ends only if the device itself requests it.
 */
function grantsOfApp(offline: "none" | AskingApp): Expression<SqlBool> {
  const eb = columnsIn<{ g: "Grant" }>();
  const isOnline = eb("g.refreshIdleUntil", "is", null);
  if (offline === "none") return isOnline;
  const { clientId, grantId } = offline;
  const isNamed = grantId === undefined ? [] : [eb("g.id", "=", grantId)];
  return eb.or([isOnline, eb.and([eb("g.clientId", "=", clientId), eb.or([isOfBrowser(), ...isNamed])])]);
}

/** Whether an app got the grant `g` in a browser. */
function isOfBrowser() {
  const eb = columnsIn<{ g: "Grant" }>();
  return eb.or([eb("g.codeDigest", "is not", null), eb("g.parentId", "is not", null)]);
}

/** A grant and the organization of its user. */
export type OwnedGrant = Pick<GrantRow, "id" | "clientId" | "userId"> & { organizationId: string };

/** Selects the open grants of a user with refresh tokens. */
const selectOffline = ($: Params<{ userId: string }>) =>
  tables
    .selectFrom("Grant as g")
    .innerJoin("User as u", "u.id", "g.userId")
    .select(["g.id", "g.clientId", "g.userId", "u.organizationId"])
    .where("g.userId", "=", $("userId"))
    .where("g.revokedAt", "is", null)
    .where("g.refreshIdleUntil", "is not", null);

const offlineOfApp = statement(($: Params<{ clientId: string; userId: string; sessionId: string; grantId: string }>) =>
  selectOffline($)
    .where("g.clientId", "=", $("clientId"))
    .where((eb) =>
      eb.or([eb("g.id", "=", $("grantId")), eb.and([eb("g.sessionId", "=", $("sessionId")), isOfBrowser()])]),
    ),
);

/**
 * Returns the open grants of an app with refresh tokens that came from a session, which may have ended, or that its
 * hint names.
 */
export function listOfflineGrants(
  db: Database,
  { clientId, userId, sessionId = "", grantId = "" }: AskingApp & { userId: string; sessionId: string | undefined },
): Promise<OwnedGrant[]> {
  return db.all(offlineOfApp({ clientId, userId, sessionId, grantId }));
}

const offlineElsewhere = statement(($: Params<{ userId: string; sessionId: string }>) =>
  selectOffline($).where((eb) =>
    eb.not(eb.and([eb("g.sessionId", "is not", null), eb("g.sessionId", "=", $("sessionId")), isOfBrowser()])),
  ),
);

/**
 * Returns the open grants of a user with refresh tokens, except those that an app got in the browser of this session.
 */
export function listOfflineGrantsElsewhere(db: Database, userId: string, sessionId: string): Promise<OwnedGrant[]> {
  return db.all(offlineElsewhere({ userId, sessionId }));
}

/** Less than the maximum number of values of a statement. */
const CHUNK = 500;

async function revokeAll(tx: Transaction, rows: readonly { id: string }[], now: number): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    const ids = rows.slice(start, start + CHUNK).map((row) => row.id);
    const revoked = tables.updateTable("Grant").set({ revokedAt: now }).where("id", "in", ids);
    await write(tx, bind(revoked.where("revokedAt", "is", null)));
  }
}
