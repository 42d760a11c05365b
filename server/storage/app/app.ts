/** Rows of apps. An app is active only if its project and organization are active. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, readOne, write, writeOne } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface AppRow extends Selectable<Tables["App"]> {
  settings: object;
  jwks: object | null;
}

export interface ActiveSecret {
  id: string;
  digest: string;
  /** Epoch milliseconds. */
  usedAt: number | null;
  expiresAt: number | null;
}

/** The rows that make up a client. */
export interface ActiveApp {
  id: string;
  name: string;
  kind: "oidc" | "api";
  clientId: string;
  secrets: ActiveSecret[];
  settings: unknown;
  jwks: unknown;
  /** Separately stored public keys, without those of the key set. */
  keys: Record<string, unknown>[];
  projectId: string;
  organizationId: string;
  organizationName: string;
  projectRoleAssertion: boolean;
  projectRoleCheck: boolean;
  hasProjectCheck: boolean;
  privateLabelingSetting: string | null;
  rolesClaim: string | null;
  isTrusted: boolean;
  mayManage: boolean;
  /** Null: an administrator registered it. */
  origin: "registration" | "document" | null;
  /** Epoch milliseconds to the day; null if it was never used, or an administrator registered it. */
  usedAt: number | null;
  /** The metadata of a client that registered itself which settings do not have. */
  metadata: Readonly<Record<string, unknown>> | null;
}

const activeApp = statement(($: Params<{ clientId: string }>) =>
  tables
    .selectFrom("App as a")
    .innerJoin("Project as p", "p.id", "a.projectId")
    .innerJoin("Organization as o", "o.id", "p.organizationId")
    .leftJoin("ClientRegistration as r", "r.appId", "a.id")
    .select(["r.kind as origin", "r.usedAt", "r.metadata"])
    .select(["a.id", "a.name", "a.kind", "a.clientId", "a.settings", "a.jwks", "a.projectId", "a.isTrusted"])
    .select(["a.mayManage", "p.organizationId", "o.name as organizationName", "p.projectRoleAssertion"])
    .select(["p.projectRoleCheck", "p.hasProjectCheck", "p.privateLabelingSetting", "p.rolesClaim"])
    .where("a.clientId", "=", $("clientId"))
    .where("a.state", "=", "active")
    .where("p.state", "=", "active")
    .where("o.state", "=", "active")
    .$narrowType<Pick<ActiveApp, "kind" | "origin" | "metadata">>(),
);

const secretsOf = statement(($: Params<{ appId: string }>) =>
  tables
    .selectFrom("AppSecret")
    .select(["id", "digest", "usedAt", "expiresAt"])
    .where("appId", "=", $("appId"))
    .orderBy("id"),
);

const keysOf = statement(($: Params<{ appId: string; now: number }>) =>
  tables
    .selectFrom("AppKey as k")
    .select((eb) => eb.ref("k.publicJwk").$castTo<Record<string, unknown>>().as("publicJwk"))
    .where("appId", "=", $("appId"))
    .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", $("now"))]))
    .orderBy("id"),
);

/**
 * Returns the app, or undefined if it is unknown or inactive, or if its project or organization is inactive.
 * @param now epoch milliseconds; keys that have expired by then are left out
 */
export async function findActiveApp(db: Database, clientId: string, now: number): Promise<ActiveApp | undefined> {
  const row = await db.one(activeApp({ clientId }));
  if (!row) return undefined;
  const [secrets, keys] = await Promise.all([
    db.all(secretsOf({ appId: row.id })),
    db.all(keysOf({ appId: row.id, now })),
  ]);
  return { ...row, secrets, keys: keys.map(({ publicJwk }) => publicJwk) };
}

const storedState = statement(($: Params<{ clientId: string }>) =>
  tables.selectFrom("App").select("state").where("clientId", "=", $("clientId")),
);

/** Returns the state of an app, also of an inactive one; undefined if it does not exist. */
export async function findStoredState(db: Database, clientId: string): Promise<string | undefined> {
  return (await db.one(storedState({ clientId })))?.state;
}

const allSettings = statement(() =>
  tables
    .selectFrom("App")
    .select((eb) => eb.ref("settings").$castTo<Record<string, unknown>>().as("settings"))
    .where("kind", "=", "oidc")
    .where("state", "=", "active"),
);

const activeApps = statement(() =>
  tables
    .selectFrom("App")
    .select((eb) => eb.fn.countAll<number>().as("apps"))
    .where("kind", "=", "oidc")
    .where("state", "=", "active"),
);

export const countActiveOidcApps = async (db: Database): Promise<number> => (await db.one(activeApps()))?.apps ?? 0;

/** Returns the settings of all active OIDC apps. It is rarely called. */
export async function listAppSettings(db: Database): Promise<Record<string, unknown>[]> {
  return (await db.all(allSettings())).map(({ settings }) => settings);
}

const rows = () => tables.selectFrom("App").selectAll().$castTo<AppRow>();

export function readApp(tx: Transaction, id: string): Promise<AppRow | undefined> {
  return readOne(tx, bind(rows().where("id", "=", id)));
}

export function readAppByClientId(tx: Transaction, clientId: string): Promise<AppRow | undefined> {
  return readOne(tx, bind(rows().where("clientId", "=", clientId)));
}

/** Returns an app of a project that the transaction has locked. */
export function readAppOfProject(tx: Transaction, projectId: string, id: string): Promise<AppRow | undefined> {
  return readOne(tx, bind(rows().where("id", "=", id).where("projectId", "=", projectId)));
}

/** Returns at most two apps with this name: enough to tell whether the name is unambiguous. */
export function readAppsByName(tx: Transaction, projectId: string, name: string): Promise<AppRow[]> {
  return readAll(tx, bind(rows().where("projectId", "=", projectId).where("name", "=", name).limit(2)));
}

export async function insertApp(tx: Transaction, row: AppRow): Promise<void> {
  await write(tx, bind(tables.insertInto("App").values(row)));
}

export async function updateApp(tx: Transaction, id: string, data: Partial<AppRow>, now: number): Promise<void> {
  const changed = tables.updateTable("App").set({ ...data, changedAt: now });
  await writeOne(tx, bind(changed.where("id", "=", id)));
}

export async function deleteApp(tx: Transaction, id: string): Promise<void> {
  await writeOne(tx, bind(tables.deleteFrom("App").where("id", "=", id)));
}

/** Returns the client ids of the apps of one project, or of all apps of an organization. */
export async function readClientIds(
  tx: Transaction,
  of: { projectId: string } | { organizationId: string },
): Promise<string[]> {
  const apps = tables.selectFrom("App as a").innerJoin("Project as p", "p.id", "a.projectId").select("a.clientId");
  const wanted =
    "projectId" in of
      ? apps.where("a.projectId", "=", of.projectId)
      : apps.where("p.organizationId", "=", of.organizationId);
  return (await readAll(tx, bind(wanted))).map(({ clientId }) => clientId);
}

/**
 * Revokes all grants and tokens of these clients. It reads every grant in the database, so it is only for rare
 * operations.
 */
export async function endTokensOf(tx: Transaction, clientIds: readonly string[], now: number): Promise<void> {
  if (clientIds.length === 0) return;
  const grants = tables.updateTable("Grant").set({ revokedAt: now }).where("clientId", "in", clientIds);
  await write(tx, bind(grants.where("revokedAt", "is", null)));
  const tokens = tables.updateTable("AccessToken").set({ revokedAt: now }).where("clientId", "in", clientIds);
  await write(tx, bind(tokens.where("revokedAt", "is", null).where("grantId", "is", null)));
}
