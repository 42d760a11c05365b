/** How the databases go about statements: whether they would read a whole table. */
import type { Bound, Database, Statement, Value } from "../storage/database";
import { asBound, type StatementCall } from "../storage/portable-sql";

/** The same database, which keeps what it is asked. */
export function watched(db: Database): { db: Database; seen: Statement[] } {
  const seen: Statement[] = [];
  const keep = <Row>(statement: Bound<Row>): Bound<Row> => {
    seen.push(statement);
    return statement;
  };
  return {
    seen,
    db: {
      ...db,
      all: <Row>(...asked: StatementCall<Row>) => db.all(keep(asBound(...asked))),
      one: <Row>(...asked: StatementCall<Row>) => db.one(keep(asBound(...asked))),
    },
  };
}

/**
 * The steps of the plan that walk through all rows of a table. PostgreSQL is told not to where there is another way, as
 * its tables are too small in tests for an index to be worth it.
 */
export async function wholeReads(db: Database, { sql, values }: Statement): Promise<string[]> {
  if (db.kind === "sqlite") {
    const plan = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
    return plan.map(({ detail }) => detail).filter((step) => WHOLE_TABLE.test(step));
  }
  const lines = await db.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe("SET LOCAL enable_seqscan = off");
    // Values are written into the text: a prepared EXPLAIN would have to be told the types of times.
    const text = sql.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1] ?? null));
    return tx.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`EXPLAIN ${text}`);
  });
  return lines.map((line) => line["QUERY PLAN"].trim()).filter((line) => line.includes("Seq Scan on"));
}

/** Not the rows of a subquery, of an index, or of a list inside a row. */
const WHOLE_TABLE = /^SCAN (?!\(|.* (?:USING .*INDEX|VIRTUAL TABLE)|"?(?:kinds?|some)"?$)/;

function literal(value: Value): string {
  if (value instanceof Date) return `'${value.toISOString()}'::timestamp`;
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return String(value);
}
