/**
 * Lists of the management APIs: conditions, one sort order, and pages by offset or after the last row. The order ends
 * in a unique column, so that no row is skipped or repeated. Only names from our own code become part of the text of a
 * statement; all input is passed as values.
 */
import type { Database, Value } from "./database";

/** The maximum number of counted rows: users do not page further, and counting a million rows takes a second. */
const COUNTED = 10_000;

/** Conditions joined by AND, with their values as `$1`, `$2` … */
export interface Conditions {
  readonly values: Value[];
  readonly all: string[];
  /** Adds a value and returns its placeholder. */
  parameter(value: Value): string;
}

export function conditions(): Conditions {
  const values: Value[] = [];
  return { values, all: [], parameter: (value) => `$${values.push(value)}` };
}

/** The position where a list continues: the sort value and the unique value of the last row. */
export type Cursor = readonly [sorted: string | number, unique: string | number];

/** The position where a list continues, and its direction. */
export interface ListReading {
  after: Cursor | undefined;
  offset: number;
  limit: number;
  descending: boolean;
}

/** The creation and the last change of an object, and its event count. Times are epoch milliseconds. */
export interface Heads {
  sequence: number;
  createdAt: number;
  changedAt: number;
  resourceOwner: string;
}

/** The columns of Heads, of the aggregate `h`. */
export const HEAD_COLUMNS = ["h.sequence", "h.createdAt", "h.changedAt", "h.resourceOwner"] as const;

export const HEADS = `h."sequence", h."createdAt", h."changedAt", h."resourceOwner"`;

export interface Listing {
  /** The SELECT list. */
  columns: string;
  /** Table and joins. */
  from: string;
  where: Conditions;
  /** The sort column. */
  sort: { sql: string; kind: "text" | "time" | "number"; descending: boolean };
  /** The unique column that breaks ties. */
  unique: string;
  after: Cursor | undefined;
  offset: number;
  limit: number;
}

export interface Page<Row> {
  rows: Row[];
  /** Undefined on the last page. */
  next: Cursor | undefined;
}

export async function listPage<Row>(db: Database, listing: Listing): Promise<Page<Row>> {
  const { columns, from, where, sort, unique, after, offset, limit } = listing;
  const values = [...where.values];
  const all = [...where.all];
  const parameter = (value: Value) => `$${values.push(value)}`;
  if (after) {
    const [sorted, last] = after;
    const value = sort.kind === "time" ? new Date(sorted) : sorted;
    all.push(`(${sort.sql}, ${unique}) ${sort.descending ? "<" : ">"} (${parameter(value)}, ${parameter(last)})`);
  }
  const direction = sort.descending ? "DESC" : "ASC";
  const rows = await db.all<Row & { sortedBy: string | number; uniqueBy: string | number }>(
    `SELECT ${columns}, ${sort.sql} AS "sortedBy", ${unique} AS "uniqueBy" FROM ${from}
      ${all.length > 0 ? `WHERE ${all.join(" AND ")}` : ""}
      ORDER BY ${sort.sql} ${direction}, ${unique} ${direction} LIMIT ${parameter(limit + 1)} OFFSET ${parameter(offset)}`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: rows.length > limit && last ? [last.sortedBy, last.uniqueBy] : undefined };
}

/** Returns the number of rows that meet the conditions, up to 10000. */
export async function countListed(db: Database, { from, where }: Pick<Listing, "from" | "where">): Promise<number> {
  const filter = where.all.length > 0 ? `WHERE ${where.all.join(" AND ")}` : "";
  const row = await db.one<{ count: number }>(
    `SELECT CAST(COUNT(*) AS INTEGER) AS "count" FROM (SELECT 1 FROM ${from} ${filter} LIMIT ${COUNTED}) AS "some"`,
    where.values,
  );
  return row?.count ?? 0;
}

export type TextMatch = "equals" | "starts" | "contains" | "ends";

/** Text to find, and how it must match. */
export interface TextWanted {
  text: string;
  match: TextMatch;
  ignoreCase: boolean;
}

/**
 * Returns a text condition that works the same on both databases, unlike LIKE, which is case-sensitive on only one of
 * them.
 */
export function matchesText(where: Conditions, column: string, { match, ignoreCase, text }: TextWanted): string {
  const given = where.parameter(ignoreCase ? text.toLowerCase() : text);
  const stored = ignoreCase ? `LOWER(${column})` : column;
  switch (match) {
    case "equals":
      return `${stored} = ${given}`;
    case "starts":
      return `SUBSTR(${stored}, 1, ${[...text].length}) = ${given}`;
    case "ends":
      return `SUBSTR(${stored}, LENGTH(${stored}) - ${[...text].length - 1}) = ${given} AND LENGTH(${stored}) >= ${[...text].length}`;
    case "contains":
      return text === "" ? "1 = 1" : `REPLACE(${stored}, ${given}, '') <> ${stored}`;
  }
}
