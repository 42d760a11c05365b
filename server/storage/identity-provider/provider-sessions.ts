/**
 * Rows of sign-ins at OpenID Connect providers by which sessions began, so that a sign-out on one side reaches the
 * other. A row is stored before its session, which may still wait for a second factor.
 */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { write } from "../in-transaction";
import { bind, columnsIn, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export type ProviderSessionRow = Selectable<Tables["ProviderSession"]>;

export async function insertProviderSession(db: Database, row: ProviderSessionRow): Promise<void> {
  await db.run(bind(tables.insertInto("ProviderSession").values(row)));
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

/** Assigns the sign-in to its session, in place of an earlier one. */
export async function attachProviderSession(
  db: Database,
  id: string,
  { sessionId, expiresAt }: { sessionId: string; expiresAt: number },
): Promise<void> {
  if ((await db.run(attach({ id, sessionId, expiresAt }))) === 1) await db.run(deleteOthers({ id, sessionId }));
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
