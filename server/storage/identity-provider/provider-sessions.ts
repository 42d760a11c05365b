/**
 * Rows of sign-ins at providers by which sessions began, so that a sign-out on one side reaches the other. A row is
 * stored with its session, or before it where that still waits for a second factor or an account.
 */
import type { Selectable } from "kysely";
import type { Database, Transaction, Unit } from "../database";
import type { Tables } from "../generated/tables";
import { write } from "../in-transaction";
import { bind, columnsIn, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export type ProviderSessionRow = Selectable<Tables["ProviderSession"]>;

/** A sign-in that no session began by yet. */
export type NewProviderSession = Omit<ProviderSessionRow, "sessionId">;

/** A sign-in by which a session begins: the id of a stored one, or one that is stored with the session. */
export type ProviderSignIn = string | NewProviderSession;

/** Stores a sign-in whose session begins later, if it is not stored. @returns its id */
export async function storeProviderSignIn(
  db: Database,
  signIn: ProviderSignIn | undefined,
): Promise<string | undefined> {
  if (signIn === undefined || typeof signIn === "string") return signIn;
  await db.commit({ inserts: [{ table: "ProviderSession", row: { ...signIn, sessionId: null } }] });
  return signIn.id;
}

const tokensOfSignIn = statement(($: Params<{ id: string }>) =>
  tables
    .selectFrom("ProviderSession")
    .select(["providerId", "sealedTokens"])
    .where("id", "=", $("id"))
    .where("sealedTokens", "is not", null)
    .$narrowType<{ sealedTokens: string }>(),
);

/** Returns the sealed tokens of a sign-in that has just ended; undefined if none are kept. */
export const findTokensOfSignIn = (
  db: Database,
  id: string,
): Promise<{ providerId: string; sealedTokens: string } | undefined> => db.one(tokensOfSignIn({ id }));

export async function forgetTokensOfSignIn(tx: Transaction, id: string): Promise<void> {
  await write(tx, bind(tables.updateTable("ProviderSession").set({ sealedTokens: null }).where("id", "=", id)));
}

const attach = statement(($: Params<{ id: string; sessionId: string; expiresAt: number }>) =>
  tables
    .updateTable("ProviderSession")
    .set({ sessionId: $("sessionId"), expiresAt: $("expiresAt") })
    .where("id", "=", $("id"))
    .where("sessionId", "is", null),
);
const deleteOthers = statement(($: Params<{ id: string; sessionId: string }>) =>
  tables.deleteFrom("ProviderSession").where("sessionId", "=", $("sessionId")).where("id", "<>", $("id")),
);

interface BegunSession {
  sessionId: string;
  expiresAt: number;
}

/** Adds to the unit of a new session that it begins by a sign-in, if there is one. */
export function withProviderSignIn(unit: Unit, signIn: ProviderSignIn | undefined, session: BegunSession): Unit {
  if (signIn === undefined) return unit;
  const { inserts, updates = [] } = unit;
  return typeof signIn === "string"
    ? { ...unit, updates: [...updates, attach({ id: signIn, ...session })] }
    : { ...unit, inserts: [...inserts, { table: "ProviderSession", row: { ...signIn, ...session } }] };
}

/** Assigns a sign-in to a session, in place of an earlier one. */
export async function attachProviderSession(
  tx: Transaction,
  signIn: ProviderSignIn,
  session: BegunSession,
): Promise<void> {
  const isStored = typeof signIn === "string";
  const { sessionId } = session;
  const added = isStored
    ? attach({ id: signIn, ...session })
    : bind(tables.insertInto("ProviderSession").values({ ...signIn, ...session }));
  if ((await write(tx, added)) === 1) await write(tx, deleteOthers({ id: isStored ? signIn : signIn.id, sessionId }));
}

/** Shortens the life of a session's sign-in, whose id_token is needed only until the provider knows of the sign-out. */
export async function expireProviderSession(tx: Transaction, sessionId: string, expiresAt: number): Promise<void> {
  const update = tables.updateTable("ProviderSession").set({ expiresAt }).where("sessionId", "=", sessionId);
  await write(tx, bind(update.where("expiresAt", ">", expiresAt)));
}

/** Returns the ids of the sign-ins of these sessions whose providers are informed of a sign-out. */
export async function listProviderLogouts(db: Database, sessionIds: readonly string[]): Promise<string[]> {
  if (sessionIds.length === 0) return [];
  const rows = tables.selectFrom("ProviderSession").select("id").where("sessionId", "in", sessionIds);
  return (await db.all(bind(rows.where("sealedIdToken", "is not", null).orderBy("id")))).map(({ id }) => id);
}

const withId = statement(($: Params<{ id: string }>) =>
  tables.selectFrom("ProviderSession").selectAll().where("id", "=", $("id")),
);

/** Deletes and returns a sign-in; undefined if that was done before. */
export async function takeProviderSession(db: Database, id: string): Promise<ProviderSessionRow | undefined> {
  const row = await db.one(withId({ id }));
  const deleted = await db.run(bind(tables.deleteFrom("ProviderSession").where("id", "=", id)));
  return deleted === 1 ? row : undefined;
}

/** Returns the sessions that began at a provider by its session, by its user, or by both, and have not ended. */
export function findSessionsAtProvider(
  db: Database,
  { providerId, sid, subject }: { providerId: string; sid?: string; subject?: string },
): Promise<{ id: string; userId: string; organizationId: string }[]> {
  const eb = columnsIn<{ p: "ProviderSession" }>();
  const sessions = tables
    .selectFrom("ProviderSession as p")
    .innerJoin("Session as s", "s.id", "p.sessionId")
    .innerJoin("User as u", "u.id", "s.userId")
    .select(["s.id", "s.userId", "u.organizationId"])
    .where(eb("p.providerId", "=", providerId))
    .where("s.endedAt", "is", null);
  const ofSession = sid === undefined ? sessions : sessions.where(eb("p.sid", "=", sid));
  return db.all(bind(subject === undefined ? ofSession : ofSession.where(eb("p.subject", "=", subject))));
}
