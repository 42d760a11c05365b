/** Runs statements inside a transaction, through Prisma's connection. */
import { Sql } from "@prisma/client/runtime/client";
import { type SelectQueryBuilder, sql } from "kysely";
import { fromPrisma } from "./compile";
import type { Bound, Transaction } from "./database";
import { missingValue, toMilliseconds, toPositional } from "./portable-sql";
import { bind } from "./statement";

export async function readAll<Row>(tx: Pick<Transaction, "$queryRaw">, statement: Bound<Row>): Promise<Row[]> {
  const rows = await tx.$queryRaw<Record<string, unknown>[]>(toPrisma(statement));
  for (const row of rows) fromPrisma(row, statement.results);
  return rows as Row[];
}

/** Returns the first row. */
export async function readOne<Row>(
  tx: Pick<Transaction, "$queryRaw">,
  statement: Bound<Row>,
): Promise<Row | undefined> {
  return (await readAll(tx, statement))[0];
}

/** Executes a writing statement. Resolves with the number of changed rows. */
export function write(tx: Pick<Transaction, "$executeRaw">, statement: Bound<unknown>): Promise<number> {
  return tx.$executeRaw(toPrisma(statement));
}

/** Executes a statement that changes one row. Throws an error for `isOvertaken` if the row is gone. */
export async function writeOne(tx: Pick<Transaction, "$executeRaw">, statement: Bound<unknown>): Promise<void> {
  const changed = await write(tx, statement);
  if (changed === 0) throw Object.assign(new Error(`no row to change: ${statement.sql}`), { code: "P2025" });
}

/** Returns the number of rows of a query that selects no columns yet. */
export async function readCount<DB, TB extends keyof DB>(
  tx: Pick<Transaction, "$queryRaw">,
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const row = await readOne<{ count: number }>(tx, bind(query.select(sql`count(*)`.as("count")).$castTo()));
  return row?.count ?? 0;
}

/** Prisma gives each of its connections the placeholders of its database, and each placeholder a value of its own. */
function toPrisma({ sql, values }: Bound<unknown>): Sql {
  const { sql: text, order } = toPositional(sql);
  const bound = order.map((index) => {
    const value = values[index];
    if (value === undefined) throw missingValue(sql, values);
    if (value instanceof Date) toMilliseconds(value); // throws for an invalid one
    return value;
  });
  return new Sql(text.split("+?"), bound);
}
