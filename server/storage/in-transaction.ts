/** Runs statements inside a transaction, through Prisma's connection. */
import { Sql } from "@prisma/client/runtime/client";
import { fromPrisma } from "./compile";
import type { Bound, Transaction } from "./database";
import { missingValue, toMilliseconds, toPositional } from "./portable-sql";

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
