/**
 * Searches the audit trail: newest first, page by page. Every search uses an index: event types are queried one by one
 * and merged, so that rare ones are found without reading a million sign-ins.
 */
import { LAST_MOMENT } from "../../protocol/moment";
import type { Database } from "../database";
import type { Filter } from "../pages";
import { bind, columnsIn, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface EventRow {
  /**
   * Increases with every event of the service: 64 bits in the database, but always less than 2^53 like all numbers of
   * the trail.
   */
  position: number;
  aggregateType: string;
  aggregateId: string;
  sequence: number;
  type: string;
  resourceOwner: string;
  actor: string;
  requestId: string | null;
  address: string | null;
  clientId: string | null;
  payload: Record<string, unknown>;
  createdAt: number;
}

export interface EventsWanted {
  /** Undefined for all organizations and the instance. */
  resourceOwner?: string;
  /** Exact names; undefined for all types. */
  types?: readonly string[];
  aggregateTypes: readonly string[];
  aggregateId?: string;
  /** The position of the only event. */
  position?: number;
  actor?: string;
  /** Epoch milliseconds, both included. */
  from?: number;
  to?: number;
  /** The position before the start of the page. */
  after?: number;
  ascending: boolean;
  limit: number;
}

const eb = columnsIn<{ e: "Event" }>();

/** The columns of an EventRow, in the order of archives. */
export const EVENT_COLUMNS = [
  ...(["e.position", "e.aggregateType", "e.aggregateId", "e.sequence", "e.type", "e.resourceOwner"] as const),
  ...(["e.actor", "e.requestId", "e.address", "e.clientId", "e.payload", "e.createdAt"] as const),
] as const;

/** 64 bits, whatever the driver takes a number for. */
const position = (at: number) => eb.cast<number>(eb.val(at), "bigint");

/**
 * Milliseconds by which clocks of different processes may differ: a later position may have a time this much earlier.
 */
const CLOCKS_DIFFER = 60_000;

export async function listEvents(db: Database, wanted: EventsWanted): Promise<EventRow[]> {
  const { types, aggregateTypes, aggregateId, ascending, limit } = wanted;
  if (types?.length === 0) return [];
  const where: Filter = [];
  if (wanted.resourceOwner !== undefined) where.push(eb("e.resourceOwner", "=", wanted.resourceOwner));
  if (wanted.actor !== undefined) where.push(eb("e.actor", "=", wanted.actor));
  if (aggregateId !== undefined) {
    where.push(eb("e.aggregateType", "in", aggregateTypes), eb("e.aggregateId", "=", aggregateId));
  }
  if (wanted.position !== undefined) where.push(eb("e.position", "=", position(wanted.position)));
  if (wanted.after !== undefined) where.push(eb("e.position", ascending ? ">" : "<", position(wanted.after)));
  where.push(...(await betweenTimes(db, wanted)));
  const order = ascending ? "asc" : "desc";
  const events = tables.selectFrom("Event as e").select(EVENT_COLUMNS).orderBy("e.position", order).limit(limit);
  const found = (and: Filter) => [...where, ...and].reduce((query, condition) => query.where(condition), events);
  if (types === undefined) return db.all(bind(found([]).$castTo<EventRow>()));
  const [first, ...others] = types.map((type) =>
    tables.selectFrom(found([eb("e.type", "=", type)]).as("kind")).selectAll("kind"),
  );
  if (!first) return [];
  const kinds = others.reduce((all, next) => all.unionAll(next), first);
  const merged = tables.selectFrom(kinds.as("kinds")).selectAll("kinds").orderBy("position", order).limit(limit);
  return db.all(bind(merged.$castTo<EventRow>()));
}

const lastBefore = statement(($: Params<{ at: number }>) =>
  tables.selectFrom("Event").select("position").where("createdAt", "<", $("at")).orderBy("createdAt", "desc").limit(1),
);
const firstAfter = statement(($: Params<{ at: number }>) =>
  tables.selectFrom("Event").select("position").where("createdAt", ">", $("at")).orderBy("createdAt").limit(1),
);

/** Translates times to positions, which all indexes end in. The exact times decide at the edges. */
async function betweenTimes(db: Database, { from, to }: EventsWanted): Promise<Filter> {
  const where: Filter = [];
  if (from !== undefined) {
    const before = await db.one(lastBefore({ at: from - CLOCKS_DIFFER }));
    if (before) where.push(eb("e.position", ">=", position(before.position)));
    where.push(eb("e.createdAt", ">=", from));
  }
  if (to !== undefined) {
    const behind = await db.one(firstAfter({ at: Math.min(to + CLOCKS_DIFFER, LAST_MOMENT) }));
    if (behind) where.push(eb("e.position", "<=", position(behind.position)));
    where.push(eb("e.createdAt", "<=", to));
  }
  return where;
}

/** Selects the current names of objects of a kind, by their ids; `client` is an app by its client id. */
const NAMES = {
  user: (ids: readonly string[]) =>
    tables
      .selectFrom("User")
      .select(["id", "kind", "organizationId"])
      .select((of) => of.fn.coalesce("displayName", "name", "userName").as("name"))
      .where("id", "in", ids),
  organization: (ids: readonly string[]) =>
    tables
      .selectFrom("Organization")
      .select(["id", "name", "id as organizationId"])
      .select((of) => of.val("organization").as("kind"))
      .where("id", "in", ids),
  project: (ids: readonly string[]) =>
    tables
      .selectFrom("Project")
      .select(["id", "name", "organizationId"])
      .select((of) => of.val("project").as("kind"))
      .where("id", "in", ids),
  app: (ids: readonly string[]) =>
    appNames()
      .select("a.id")
      .select((of) => of.val("app").as("kind"))
      .where("a.id", "in", ids),
  client: (ids: readonly string[]) =>
    appNames().select(["a.clientId as id", "a.id as kind"]).where("a.clientId", "in", ids),
};

const appNames = () =>
  tables
    .selectFrom("App as a")
    .innerJoin("Project as p", "p.id", "a.projectId")
    .select(["a.name", "p.organizationId", "a.projectId"]);

/** The kinds of named objects, looked up by id. */
export type NamedKind = keyof typeof NAMES;

export interface NamedObject {
  name: string;
  /** For a user: `human` or `machine`; for a client: the id of its app. */
  kind: string;
  /** Only for an app. */
  projectId?: string;
  /** The current owner. */
  organizationId: string;
}

/** Returns the current names of objects. Removed objects are left out. */
export async function readNames(
  db: Database,
  of: NamedKind,
  ids: readonly string[],
): Promise<Map<string, NamedObject>> {
  if (ids.length === 0) return new Map();
  const rows: (NamedObject & { id: string })[] = await db.all(bind<NamedObject & { id: string }>(NAMES[of](ids)));
  return new Map(rows.map(({ id, ...called }) => [id, called]));
}
