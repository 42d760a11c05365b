/**
 * Searches the audit trail: newest first, page by page. Every search uses an index: event types are queried one by one
 * and merged, so that rare ones are found without reading a million sign-ins.
 */
import { LAST_MOMENT } from "../../protocol/moment";
import type { Database, Value } from "../database";
import { readJson } from "../json-column";

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
  actor?: string;
  /** Epoch milliseconds, both included. */
  from?: number;
  to?: number;
  /** The position before the start of the page. */
  after?: number;
  ascending: boolean;
  limit: number;
}

const COLUMNS = `"position", "aggregateType", "aggregateId", "sequence", "type", "resourceOwner", "actor", "requestId",
  "address", "clientId", "payload", "createdAt"`;
/**
 * Milliseconds by which clocks of different processes may differ: a later position may have a time this much earlier.
 */
const CLOCKS_DIFFER = 60_000;

export async function listEvents(db: Database, wanted: EventsWanted): Promise<EventRow[]> {
  const { types, aggregateTypes, aggregateId, ascending, limit } = wanted;
  if (types?.length === 0) return [];
  const values: Value[] = [];
  const parameter = (value: Value) => `$${values.push(value)}`;
  const all: string[] = [];
  if (wanted.resourceOwner !== undefined) all.push(`"resourceOwner" = ${parameter(wanted.resourceOwner)}`);
  if (wanted.actor !== undefined) all.push(`"actor" = ${parameter(wanted.actor)}`);
  if (aggregateId !== undefined) {
    all.push(
      `"aggregateType" IN (${aggregateTypes.map(parameter).join(", ")}) AND "aggregateId" = ${parameter(aggregateId)}`,
    );
  }
  if (wanted.after !== undefined)
    all.push(`"position" ${ascending ? ">" : "<"} CAST(${parameter(wanted.after)} AS BIGINT)`);
  await boundTime(db, wanted, all, parameter);
  const order = `ORDER BY "position" ${ascending ? "ASC" : "DESC"} LIMIT ${parameter(limit)}`;
  const one = (and: readonly string[]) =>
    `SELECT ${COLUMNS} FROM "Event" ${and.length > 0 ? `WHERE ${and.join(" AND ")}` : ""} ${order}`;
  const rows = await db.all<EventRow>(
    types === undefined
      ? one(all)
      : `SELECT * FROM (${types
          .map((type) => `SELECT * FROM (${one([...all, `"type" = ${parameter(type)}`])}) AS "kind"`)
          .join(" UNION ALL ")}) AS "kinds" ${order}`,
    values,
  );
  return rows.map((row) => ({ ...row, payload: readJson(row.payload) }));
}

/** Translates times to positions, which all indexes end in. The exact times decide at the edges. */
async function boundTime(
  db: Database,
  { from, to }: EventsWanted,
  all: string[],
  parameter: (value: Value) => string,
): Promise<void> {
  const edge = (sql: string, at: number) => db.one<{ position: number }>(sql, [new Date(at)]);
  if (from !== undefined) {
    const sql = `SELECT "position" FROM "Event" WHERE "createdAt" < $1 ORDER BY "createdAt" DESC LIMIT 1`;
    const before = await edge(sql, from - CLOCKS_DIFFER);
    if (before) all.push(`"position" >= CAST(${parameter(before.position)} AS BIGINT)`);
    all.push(`"createdAt" >= ${parameter(new Date(from))}`);
  }
  if (to !== undefined) {
    const sql = `SELECT "position" FROM "Event" WHERE "createdAt" > $1 ORDER BY "createdAt" LIMIT 1`;
    const behind = await edge(sql, Math.min(to + CLOCKS_DIFFER, LAST_MOMENT));
    if (behind) all.push(`"position" <= CAST(${parameter(behind.position)} AS BIGINT)`);
    all.push(`"createdAt" <= ${parameter(new Date(to))}`);
  }
}

const NAMES = {
  user: `SELECT "id", COALESCE("displayName", "name", "userName") AS "name", "kind", "organizationId" FROM "User"`,
  organization: `SELECT "id", "name", 'organization' AS "kind", "id" AS "organizationId" FROM "Organization"`,
  project: `SELECT "id", "name", 'project' AS "kind", "organizationId" FROM "Project"`,
  app: `SELECT a."id", a."name", 'app' AS "kind", p."organizationId", a."projectId"
          FROM "App" a JOIN "Project" p ON p."id" = a."projectId"`,
  client: `SELECT a."clientId" AS "id", a."name", a."id" AS "kind", p."organizationId", a."projectId"
             FROM "App" a JOIN "Project" p ON p."id" = a."projectId"`,
} as const;

/** The kinds of named objects, looked up by id; `client` is an app by its client id. */
export type NamedKind = keyof typeof NAMES;

const KEYS: Readonly<Record<NamedKind, string>> = {
  user: `"id"`,
  organization: `"id"`,
  project: `"id"`,
  app: `a."id"`,
  client: `a."clientId"`,
};

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
  const rows = await db.all<NamedObject & { id: string }>(
    `${NAMES[of]} WHERE ${KEYS[of]} IN (${ids.map((_, index) => `$${index + 1}`).join(", ")})`,
    ids,
  );
  return new Map(rows.map(({ id, ...called }) => [id, called]));
}
