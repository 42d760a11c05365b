/**
 * Inserts many rows. Each statement has one parameter: the rows as JSON. Separate parameters for hundreds of thousands
 * of values cost ten times as much as the work of the database, and block all other writers of SQLite meanwhile.
 */
import { nextTurn } from "../concurrency/pauses";
import type { Database, Transaction } from "./database";
import { COLUMNS } from "./generated/tables";

/** Rows per statement: a longer one would make other users wait. */
const AT_ONCE = 100;

/**
 * Inserts the rows in their order. An undefined value becomes the default of the column.
 * @param table the name of the table in the database
 */
export async function insertRows(
  { kind }: Pick<Database, "kind">,
  tx: Transaction,
  table: string,
  rows: readonly object[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    await nextTurn();
    for (const { columns, alike } of byColumns(rows.slice(start, start + AT_ONCE))) {
      const target = columns.map(quoted).join(", ");
      const source =
        kind === "postgresql"
          ? `SELECT ${target} FROM json_populate_recordset(NULL::${quoted(table)}, $1::json)`
          : `SELECT ${columns.map((_, index) => `json_extract("value", '$[${index}]')`).join(", ")} FROM json_each(?)`;
      const values =
        kind === "postgresql"
          ? alike.map((row) => withDates(table, row))
          : alike.map((row) => columns.map((name) => toSqlite(row[name])));
      await tx.$executeRawUnsafe(
        `INSERT INTO ${quoted(table)} (${target}) ${source}`,
        JSON.stringify(values, wellFormed),
      );
    }
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Groups adjacent rows with the same columns. */
function byColumns(rows: readonly object[]): { columns: string[]; alike: Row[] }[] {
  const groups: { columns: string[]; alike: Row[] }[] = [];
  for (const row of rows as readonly Row[]) {
    const columns = Object.keys(row).filter((name) => row[name] !== undefined);
    const last = groups.at(-1);
    if (last && last.columns.join() === columns.join()) last.alike.push(row);
    else groups.push({ columns, alike: [row] });
  }
  return groups;
}

/** Quotes a column name. Names come from members of rows in our own code, so any other name is a bug. */
function quoted(name: string): string {
  if (!/^[A-Za-z]\w*$/.test(name)) throw new Error(`not a table or column name: ${JSON.stringify(name)}`);
  return `"${name}"`;
}

/** Returns the row with its times as dates, which PostgreSQL reads from JSON. */
function withDates(table: string, row: Row): Row {
  const kinds = COLUMNS[table] ?? {};
  const isTime = ([name, value]: [string, unknown]) => kinds[name] === "time" && typeof value === "number";
  const times = Object.entries(row).filter(isTime);
  return { ...row, ...Object.fromEntries(times.map(([name, at]) => [name, new Date(at as number)])) };
}

/** Converts a value to its stored form: times are stored in milliseconds. */
const toSqlite = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);

/** Replaces lone surrogates, as every driver does. */
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value;
