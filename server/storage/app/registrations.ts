/** Rows about clients that no administrator registered, and about the tokens with which clients register. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, write, writeOne } from "../in-transaction";
import type { TextWanted } from "../listing";
import { type Filter, rowList, textMatches } from "../pages";
import { bind, columnsIn, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface RegistrationRow extends Selectable<Tables["ClientRegistration"]> {
  kind: "registration" | "document";
  metadata: Readonly<Record<string, unknown>>;
}

export async function insertRegistration(tx: Transaction, row: RegistrationRow): Promise<void> {
  await write(tx, bind(tables.insertInto("ClientRegistration").values(row)));
}

export async function updateRegistration(
  tx: Transaction,
  appId: string,
  data: Pick<RegistrationRow, "metadata">,
): Promise<void> {
  await writeOne(tx, bind(tables.updateTable("ClientRegistration").set(data).where("appId", "=", appId)));
}

/** A client with its registration. */
export interface RegisteredClient {
  appId: string;
  projectId: string;
  organizationId: string;
  clientId: string;
  name: string;
  settings: object;
  jwks: { keys: Record<string, unknown>[] } | null;
  isTrusted: boolean;
  mayManage: boolean;
  tokenDigest: string | null;
  metadata: Readonly<Record<string, unknown>>;
  createdAt: number;
}

const registeredClient = statement(($: Params<{ clientId: string }>) =>
  tables
    .selectFrom("ClientRegistration as r")
    .innerJoin("App as a", "a.id", "r.appId")
    .innerJoin("Project as p", "p.id", "a.projectId")
    .select(["r.appId", "a.projectId", "p.organizationId", "a.clientId", "a.name", "a.settings", "a.jwks"])
    .select(["a.isTrusted", "a.mayManage", "r.tokenDigest", "r.metadata", "r.createdAt"])
    .where("a.clientId", "=", $("clientId"))
    .where("a.state", "=", "active")
    .$castTo<RegisteredClient>(),
);

/** Returns a client that registered itself, if it is active. */
export const findRegisteredClient = (db: Database, clientId: string): Promise<RegisteredClient | undefined> =>
  db.one(registeredClient({ clientId }));

const markUsed = statement(($: Params<{ appId: string; now: number; expiresAt: number }>) =>
  tables
    .updateTable("ClientRegistration")
    .set({ usedAt: $("now"), expiresAt: $("expiresAt") })
    .where("appId", "=", $("appId")),
);

export async function markRegistrationUsed(db: Database, appId: string, now: number, expiresAt: number): Promise<void> {
  await db.run(markUsed({ appId, now, expiresAt }));
}

/** A client as administrators see it. Times are epoch milliseconds. */
export interface ShownRegistration extends Pick<RegistrationRow, "kind" | "createdAt" | "usedAt" | "expiresAt"> {
  appId: string;
  projectId: string;
  organizationId: string;
  clientId: string;
  name: string;
  state: "active" | "inactive";
  address: string | null;
  vouchedBy: string | null;
  metadata: Readonly<Record<string, unknown>>;
}

const eb = columnsIn<{ r: "ClientRegistration"; a: "App" }>();

const select = (where: Filter) =>
  tables
    .selectFrom("ClientRegistration as r")
    .innerJoin("App as a", "a.id", "r.appId")
    .innerJoin("Project as p", "p.id", "a.projectId")
    .select(["r.appId", "a.projectId", "p.organizationId", "a.clientId", "a.name", "a.state", "r.kind", "r.address"])
    .select(["r.vouchedBy", "r.metadata", "r.createdAt", "r.usedAt", "r.expiresAt"])
    .where(eb.and(where))
    .$castTo<ShownRegistration>();

/** The conditions for a list of clients. */
export function registrationsWith(wanted: { name?: TextWanted; kind?: RegistrationRow["kind"] }): Filter {
  return [
    ...(wanted.name ? [textMatches(eb.ref("a.name"), wanted.name)] : []),
    ...(wanted.kind ? [eb("r.kind", "=", wanted.kind)] : []),
  ];
}

/** Clients, newest first: their ids are UUIDv7. */
export const registeredClients = rowList(select, { sort: "r.appId", unique: "r.appId", isDescending: true });

/**
 * Deletes one batch of apps that no administrator registered and that were not used in time. Their secrets, keys and
 * consents go with them; grants and tokens have expired before. No token has ever named a client that registered itself
 * and was never used, so its identifiers and the events of its registration are deleted too: otherwise a flood of
 * registrations would stay for as long as the audit trail, and its identifiers forever.
 * @param comparableForm the form in which identifiers are claimed
 * @returns the number of deleted apps; fewer than `limit` if none are left
 */
export function deleteUnused(
  db: Database,
  { now, limit, comparableForm }: { now: number; limit: number; comparableForm: (clientId: string) => string },
): Promise<number> {
  const old = unused(now, limit);
  return db.transaction(async (tx) => {
    // Concurrent sweeps take different rows instead of waiting for each other.
    const found = await readAll(tx, bind(db.kind === "postgresql" ? old.forUpdate("r").skipLocked() : old));
    if (found.length === 0) return 0;
    const ids = (rows: readonly { appId: string }[]) => rows.map(({ appId }) => appId);
    await write(tx, bind(tables.deleteFrom("App").where("id", "in", ids(found))));
    const traceless = found.filter(({ kind, usedAt }) => kind === "registration" && usedAt === null);
    if (traceless.length > 0) {
      const keys = traceless.map(({ clientId }) => comparableForm(clientId));
      const claims = tables.deleteFrom("ClaimedIdentifier").where("space", "in", ["client", "subject"]);
      await write(tx, bind(claims.where("key", "in", keys).where("kind", "=", "app")));
      const objects = tables.deleteFrom("Aggregate").where("type", "=", "app").where("id", "in", ids(traceless));
      await write(tx, bind(objects));
      const events = tables.deleteFrom("Event").where("aggregateType", "=", "app").where("actor", "=", "system");
      const since = Math.min(...traceless.map(({ createdAt }) => createdAt));
      await write(tx, bind(events.where("aggregateId", "in", ids(traceless)).where("createdAt", ">=", since)));
    }
    return found.length;
  });
}

/** Returns the rows that expired first; exported for the test of its plan. */
const unused = (now: number, limit: number) =>
  tables
    .selectFrom("ClientRegistration as r")
    .innerJoin("App as a", "a.id", "r.appId")
    .select(["r.appId", "r.kind", "r.usedAt", "r.createdAt", "a.clientId"])
    .where("r.expiresAt", "<", now)
    .orderBy("r.expiresAt")
    .limit(limit);
