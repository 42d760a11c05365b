/** The parts of lists that pages.ts and the search of users share: where a page begins, and conditions as text. */
import type { Value } from "./database";

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

export interface Page<Row> {
  rows: Row[];
  /** Undefined on the last page. */
  next: Cursor | undefined;
}

export type TextMatch = "equals" | "starts" | "contains" | "ends";

/** Text to find, and how it must match. */
export interface TextWanted {
  text: string;
  match: TextMatch;
  ignoreCase: boolean;
}

/** A time to compare with, in epoch milliseconds. */
export interface TimeWanted {
  sign: "=" | "<" | "<=" | ">" | ">=";
  at: number;
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
