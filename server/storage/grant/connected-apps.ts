/** The apps that a user has given access: active grants and stored consents, with the names of the apps. */
import type { Database, Transaction } from "../database";
import { readAll } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";
import { outlivesSession } from "./grant";

/** Times are epoch milliseconds. */
export interface ActiveGrantRow {
  id: string;
  clientId: string;
  scope: string;
  audience: string;
  createdAt: number;
  /** When a token was last issued for it. */
  usedAt: number;
  /** Null for a client without an app: the console. */
  appName: string | null;
  organizationName: string | null;
  /** Who acts for the user, as the act claim in JSON; null without an actor. */
  actor: string | null;
  /** The user at the end of the chain of actors; null without an actor, or if that is a client. */
  actorUserId: string | null;
  /** The name of that user if it is a machine; people are not named. */
  actorName: string | null;
  /** The grant it was exchanged from. */
  parentId: string | null;
}

const activeGrants = statement(($: Params<{ userId: string; now: number }>) =>
  tables
    .selectFrom("Grant as g")
    .innerJoin("User as u", "u.id", "g.userId")
    .leftJoin("Session as s", "s.id", "g.sessionId")
    .leftJoin("App as a", "a.clientId", "g.clientId")
    .leftJoin("Project as p", "p.id", "a.projectId")
    .leftJoin("Organization as o", "o.id", "p.organizationId")
    .leftJoin("User as au", "au.id", "g.actorUserId")
    .select(["g.actor", "g.actorUserId", "g.parentId", "au.name as actorName"])
    .select([
      "g.id",
      "g.clientId",
      "g.scope",
      "g.audience",
      "g.createdAt",
      "a.name as appName",
      "o.name as organizationName",
    ])
    .select((eb) => eb.fn.coalesce("g.refreshedAt", "g.codeConsumedAt", "g.createdAt").as("usedAt"))
    .where("g.userId", "=", $("userId"))
    .where("g.revokedAt", "is", null)
    .where("g.expiresAt", ">", $("now"))
    .where((eb) => eb.or([eb("g.refreshIdleUntil", "is", null), eb("g.refreshIdleUntil", ">", $("now"))]))
    .where((eb) => eb.or([eb("g.codeDigest", "is", null), eb("g.codeConsumedAt", "is not", null)]))
    .whereRef("g.createdAt", ">=", "u.validFrom")
    .where(outlivesSession())
    .orderBy("usedAt", "desc")
    .orderBy("g.id", "desc"),
);

/**
 * Returns the grants of a user that are valid at `now`, most recently used first. Such a grant is redeemed; it is not
 * revoked, expired, idle for too long or older than the last password change; and its session has not ended, unless the
 * grant outlives the session.
 */
export function listActiveGrants(db: Database, userId: string, now: number): Promise<ActiveGrantRow[]> {
  return db.all(activeGrants({ userId, now }));
}

/** An app that a user has consented to, with or without a current grant. Times are epoch milliseconds. */
export type ConsentedAppRow = Pick<
  ActiveGrantRow,
  "clientId" | "scope" | "createdAt" | "usedAt" | "appName" | "organizationName"
>;

const consentedApps = statement(($: Params<{ userId: string }>) =>
  tables
    .selectFrom("Consent as c")
    .innerJoin("App as a", "a.clientId", "c.clientId")
    .innerJoin("Project as p", "p.id", "a.projectId")
    .innerJoin("Organization as o", "o.id", "p.organizationId")
    .select(["c.clientId", "c.scope", "c.createdAt", "c.changedAt as usedAt"])
    .select(["a.name as appName", "o.name as organizationName"])
    .where("c.userId", "=", $("userId"))
    .orderBy("c.changedAt", "desc")
    .orderBy("c.clientId"),
);

export function listConsentedApps(db: Database, userId: string): Promise<ConsentedAppRow[]> {
  return db.all(consentedApps({ userId }));
}

const validGrants = statement(($: Params<{ userId: string; clientId: string; now: number }>) =>
  tables
    .selectFrom("Grant")
    .select("id")
    .where("userId", "=", $("userId"))
    .where("clientId", "=", $("clientId"))
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", $("now"))
    .orderBy("id"),
);

/** Returns all grants of a user to a client that are valid at `now`, including those whose code is not redeemed yet. */
export async function readValidGrants(
  tx: Transaction,
  { userId, clientId }: { userId: string; clientId: string },
  now: number,
): Promise<string[]> {
  const rows = await readAll(tx, validGrants({ userId, clientId, now }));
  return rows.map(({ id }) => id);
}

/** Returns the names of the apps with these client ids, as pairs. Other clients are left out. */
export async function listAppNames(db: Database, clientIds: readonly string[]): Promise<[string, string][]> {
  if (clientIds.length === 0) return [];
  const query = tables.selectFrom("App").select(["clientId", "name"]).where("clientId", "in", clientIds);
  const rows = await db.all(bind(query));
  return rows.map(({ clientId, name }) => [clientId, name]);
}
