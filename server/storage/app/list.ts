/** Apps for lists and pages, with their first and last event and the number of their keys. */
import type { Database } from "../database";
import { HEAD_COLUMNS, type Heads, type TextWanted } from "../listing";
import {
  closenessTo,
  type Filter,
  rowList,
  type SearchedColumns,
  type SearchedText,
  textFinds,
  textMatches,
} from "../pages";
import { bind, columnsIn, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface ShownApp extends Heads {
  id: string;
  projectId: string;
  projectName: string;
  organizationId: string;
  name: string;
  state: "active" | "inactive";
  kind: "oidc" | "api";
  clientId: string;
  settings: unknown;
  jwks: unknown;
  isTrusted: boolean;
  mayManage: boolean;
  /** The number of separately stored keys, without those of the key set. */
  keyCount: number;
  /** The time of the last stored successful sign-in, epoch milliseconds; null without one. */
  lastSignIn: number | null;
}

/** The tables of the conditions: `a` is the app, `p` its project. */
const eb = columnsIn<{ a: "App"; p: "Project" }>();

const select = (where: Filter) =>
  tables
    .selectFrom("App as a")
    .innerJoin("Project as p", "p.id", "a.projectId")
    .innerJoin("Aggregate as h", (join) => join.on("h.type", "=", "app").onRef("h.id", "=", "a.id"))
    .select(["a.id", "a.projectId", "p.name as projectName", "p.organizationId", "a.name", "a.state", "a.kind"])
    .select(["a.clientId", "a.settings", "a.jwks", "a.isTrusted", "a.mayManage", ...HEAD_COLUMNS])
    .select((of) => [
      of
        .selectFrom("AppKey as k")
        .select((key) => key.cast<number>(key.fn.countAll(), "integer").as("count"))
        .whereRef("k.appId", "=", "a.id")
        .$asScalar()
        .$notNull()
        .as("keyCount"),
      of
        .selectFrom("SignInAttempt as s")
        .select("s.lastAt")
        .whereRef("s.clientId", "=", "a.clientId")
        .where("s.reason", "=", "signed_in")
        .orderBy("s.createdAt", "desc")
        .limit(1)
        .as("lastSignIn"),
    ])
    .where(eb.and(where))
    .$narrowType<Pick<ShownApp, "state" | "kind">>();

export interface AppRef {
  organizationId: string;
  projectId: string;
  appId: string;
}

export function findApp(db: Database, { organizationId, projectId, appId }: AppRef): Promise<ShownApp | undefined> {
  const isIt = eb.and([
    eb("a.id", "=", appId),
    eb("p.id", "=", projectId),
    eb("p.organizationId", "=", organizationId),
  ]);
  return db.one(bind(select([isIt])));
}

/**
 * The conditions for the apps of an organization.
 * @param projectIds only apps of these projects; not empty
 */
export function appsOf(organizationId: string, projectIds?: readonly string[]): Filter {
  const ofProjects = projectIds ? [eb("a.projectId", "in", projectIds)] : [];
  return [eb("p.organizationId", "=", organizationId), ...ofProjects];
}

export function matchApps(
  where: Filter,
  wanted: {
    name?: TextWanted;
    state?: "active" | "inactive";
    clientId?: string;
    kind?: ShownApp["kind"];
    text?: SearchedText;
  },
): void {
  if (wanted.text) {
    // SQLite changes only ASCII letters to lower case, so a name is found as it is written, too.
    const { text } = wanted.text;
    const written = textMatches(eb.ref("a.name"), { text, match: "contains", ignoreCase: false });
    where.push(eb.or([textFinds(wanted.text, SEARCHED), written]));
  }
  if (wanted.name) where.push(textMatches(eb.ref("a.name"), wanted.name));
  if (wanted.state) where.push(eb("a.state", "=", wanted.state));
  if (wanted.kind) where.push(eb("a.kind", "=", wanted.kind));
  if (wanted.clientId !== undefined) where.push(eb("a.clientId", "=", wanted.clientId));
}

/** By its id, its client id, and its name in lower case. */
const SEARCHED: SearchedColumns = {
  ids: [eb.ref("a.id"), eb.ref("a.clientId")],
  names: [eb.fn<string>("lower", ["a.name"]), eb.fn<string>("lower", ["a.clientId"])],
};

/**
 * Returns the list of apps, ordered by name.
 * @param text orders by closeness to it first
 */
export const appList = (text?: SearchedText) =>
  rowList(select, { sort: text ? closenessTo(text, SEARCHED) : "a.name", unique: "a.id" });

export interface ShownKey {
  id: string;
  publicJwk: { kty?: string; crv?: string };
  createdAt: number;
  expiresAt: number | null;
}

const keyColumns = columnsIn<{ k: "AppKey" }>();

const selectKeys = (where: Filter) =>
  tables
    .selectFrom("AppKey as k")
    .select(["k.id", "k.createdAt", "k.expiresAt"])
    .select((of) => of.ref("k.publicJwk").$castTo<ShownKey["publicJwk"]>().as("publicJwk"))
    .where(keyColumns.and(where));

export const keysOfApp = (appId: string): Filter => [keyColumns("k.appId", "=", appId)];

/** The keys of an app, oldest first. */
export const appKeyList = rowList(selectKeys, { sort: "k.createdAt", unique: "k.id", cursor: ["number", "string"] });

export function findAppKey(db: Database, appId: string, id: string): Promise<ShownKey | undefined> {
  return db.one(bind(selectKeys([...keysOfApp(appId), keyColumns("k.id", "=", id)])));
}
