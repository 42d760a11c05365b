/**
 * Inserting many rows, each statement with one parameter: the rows as JSON. Parameters of their own for hundreds of
 * thousands of values cost ten times what the database does with them, and meanwhile nobody else can write to SQLite.
 */
import { nextTurn } from "../concurrency/pauses";
import type { Database, Transaction } from "./database";

/** Rows per statement: a longer one would keep everybody else waiting. */
const AT_ONCE = 100;

/**
 * Inserts the rows in their order. What is undefined gets the column's default.
 * @param table as it is called in the database
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
      const values = kind === "postgresql" ? alike : alike.map((row) => columns.map((name) => toSqlite(row[name])));
      await tx.$executeRawUnsafe(
        `INSERT INTO ${quoted(table)} (${target}) ${source}`,
        JSON.stringify(values, wellFormed),
      );
    }
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Neighbours that have the same columns. */
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

/** Names of columns are members of rows, which our own code makes; what is no plain name is a mistake there. */
function quoted(name: string): string {
  if (!/^[A-Za-z]\w*$/.test(name)) throw new Error(`not a table or column name: ${JSON.stringify(name)}`);
  return `"${name}"`;
}

/** As the drivers store it: times in milliseconds. */
const toSqlite = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);

/** Halves of characters, which are no text, become what they become on the way to any database. */
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value;
