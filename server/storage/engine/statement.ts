/**
 * The portable SQL of hot statements: `$1`-style placeholders translated for SQLite, inserts made from rows. Values
 * never become part of a statement's text; names of tables and columns do, so they are checked.
 */
import type { Insert, Returned, Statement, Value } from "../database";

/** SQL with `+?` placeholders; the n-th takes the value with index `order[n]`. */
export interface PositionalSql {
  sql: string;
  order: readonly number[];
}

// Matches what must be left alone (strings, quoted names, comments), or a placeholder.
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)/g;

/**
 * `$2 … $1 … $2` becomes `+? … +? … +?` with the order 1, 0, 1. The plus changes no value. Without it SQLite may prepare
 * a statement again whenever another value is bound, because the value might lead to another plan.
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

/** The same SQL with its placeholders behind so many others: `$1` becomes `$4` behind three. */
export function movePlaceholders(sql: string, behind: number): string {
  return sql.replace(TOKEN, (token, number?: string) => (number === undefined ? token : `$${Number(number) + behind}`));
}

/** A name in double quotes. Only letters, digits and underscores: table and column names come from our own code. */
export function quoteName(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`not a table or column name: ${JSON.stringify(name)}`);
  return `"${name}"`;
}

export function isReturned(value: Value | Returned): value is Returned {
  return typeof value === "object" && value !== null && "returned" in value;
}

/** Inserts with the same shape share a statement: table, columns in order, and which of them the guard returns. */
export function insertShape({ table, row, ifMissing }: Insert): string {
  const columns = Object.entries(row).map(([name, value]) => (isReturned(value) ? `${name}=${value.returned}` : name));
  return `${table}(${columns.join()})${ifMissing ? "?" : ""}`;
}

/** `"Table" ("a", "b")` */
export function insertTarget(insert: Insert): string {
  return `${quoteName(insert.table)} (${Object.keys(insert.row).map(quoteName).join(", ")})`;
}

/** What an insert ends with. */
export const insertEnd = ({ ifMissing }: Insert): string => (ifMissing ? " ON CONFLICT DO NOTHING" : "");

/** `$3, $4` for a row whose first value is number `first`; columns returned by the guard refer to it. */
export function rowPlaceholders({ row }: Insert, first: number): string {
  let next = first;
  return Object.values(row)
    .map((value) => (isReturned(value) ? `(SELECT ${quoteName(value.returned)} FROM "guard")` : `$${next++}`))
    .join(", ");
}

/** The values for the placeholders. */
export function rowValues({ row }: Insert): Value[] {
  return Object.values(row).filter((value) => !isReturned(value)) as Value[];
}

const insertSql = new Map<string, string>();

/** The insert as a statement; its text is made once per shape. */
export function insertStatement(insert: Insert): Statement {
  const shape = insertShape(insert);
  let sql = insertSql.get(shape);
  if (sql === undefined) {
    sql = `INSERT INTO ${insertTarget(insert)} VALUES (${rowPlaceholders(insert, 1)})${insertEnd(insert)}`;
    insertSql.set(shape, sql);
  }
  return { sql, values: rowValues(insert) };
}

/** Epoch milliseconds. Throws for an invalid Date, which would be stored as null: a token that never expires. */
export function toMilliseconds(date: Date): number {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new RangeError("invalid date as a value of a statement");
  return time;
}

/** The error for a statement with too many or too few values; the drivers' own messages are obscure. */
export function missingValue(sql: string, values: readonly Value[]): Error {
  return new RangeError(`the statement needs more than ${values.length} values, or undefined is among them: ${sql}`);
}
