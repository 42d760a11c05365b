/**
 * The portable SQL of hot statements: translates `$1`-style placeholders for SQLite and builds inserts from rows.
 * Values never become part of the text of a statement. Names of tables and columns do, so they are checked.
 */
import type { Returned } from "./columns";
import { toStored } from "./compile";
import type { Bound, Insert, Statement, Value } from "./database";
import { COLUMNS } from "./generated/tables";

/** SQL with `+?` placeholders; the n-th takes the value with index `order[n]`. */
export interface PositionalSql {
  sql: string;
  order: readonly number[];
}

// Matches text that must not be changed (strings, quoted names, comments), or a placeholder.
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)/g;

/**
 * Translates `$2 … $1 … $2` to `+? … +? … +?` with the order 1, 0, 1. The plus changes no value. Without it SQLite may
 * prepare a statement again whenever another value is bound, because the value might lead to another plan.
 */
export function toPositional(sql: string): PositionalSql {
  const order: number[] = [];
  const text = sql.replace(TOKEN, (token, number?: string) => {
    if (number === undefined) return token;
    order.push(Number(number) - 1);
    return "+?";
  });
  return { sql: text, order };
}

/** Renumbers the placeholders of SQL to follow `behind` others: with three others, `$1` becomes `$4`. */
export function movePlaceholders(sql: string, behind: number): string {
  return sql.replace(TOKEN, (token, number?: string) => (number === undefined ? token : `$${Number(number) + behind}`));
}

/** Puts a name in double quotes. Only letters, digits and underscores are accepted: names come from our own code. */
export function quoteName(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`not a table or column name: ${JSON.stringify(name)}`);
  return `"${name}"`;
}

export function isReturned(value: unknown): value is Returned {
  return typeof value === "object" && value !== null && "returned" in value;
}

/**
 * Returns the key of inserts that share a statement: table, columns in order, and the columns that the guard returns.
 */
export function insertShape({ table, row, ifMissing }: Insert): string {
  const columns = Object.entries(row).map(([name, value]) => (isReturned(value) ? `${name}=${value.returned}` : name));
  return `${table}(${columns.join()})${ifMissing ? "?" : ""}`;
}

/** Returns the target of an insert: `"Table" ("a", "b")`. */
export function insertTarget(insert: Insert): string {
  return `${quoteName(insert.table)} (${Object.keys(insert.row).map(quoteName).join(", ")})`;
}

/** Returns the end of an insert statement. */
export const insertEnd = ({ ifMissing }: Insert): string => (ifMissing ? " ON CONFLICT DO NOTHING" : "");

/** Returns `$3, $4` for a row whose first value is number `first`. Columns returned by the guard refer to it. */
export function rowPlaceholders({ row }: Insert, first: number): string {
  let next = first;
  return Object.values(row)
    .map((value) => (isReturned(value) ? `(SELECT ${quoteName(value.returned)} FROM "guard")` : `$${next++}`))
    .join(", ");
}

/** Returns the values for the placeholders. */
export function rowValues({ table, row }: Insert): Value[] {
  const values: Value[] = [];
  for (const [name, value] of Object.entries(row)) {
    if (!isReturned(value)) values.push(toStored(value, COLUMNS[table]?.[name]));
  }
  return values;
}

const insertSql = new Map<string, string>();

/** Returns the insert as a statement. Its text is built once per shape. */
export function insertStatement(insert: Insert): Statement {
  const shape = insertShape(insert);
  let sql = insertSql.get(shape);
  if (sql === undefined) {
    sql = `INSERT INTO ${insertTarget(insert)} VALUES (${rowPlaceholders(insert, 1)})${insertEnd(insert)}`;
    insertSql.set(shape, sql);
  }
  return { sql, values: rowValues(insert) };
}

/**
 * Returns epoch milliseconds. Throws for an invalid Date, which would be stored as null: a token that never expires.
 */
export function toMilliseconds(date: Date): number {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new RangeError("invalid date as a value of a statement");
  return time;
}

/**
 * Returns the error for a statement with too many or too few values, because the messages of the drivers are obscure.
 */
export function missingValue(sql: string, values: readonly Value[]): Error {
  return new RangeError(`the statement needs more than ${values.length} values, or undefined is among them: ${sql}`);
}

/** A statement with its values, or its text and the values. */
export type StatementCall<Row> = [statement: Bound<Row> | string, values?: readonly Value[]];

/** Returns the statement of a call, which is given with its values or as text. */
export function asBound<Row>(statement: Bound<Row> | string, values: readonly Value[] = []): Bound<Row> {
  return typeof statement === "string" ? { sql: statement, values, results: {} } : statement;
}
