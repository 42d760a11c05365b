/** Checks the query plans of statements: whether they read a whole table. */
import type { Bound, Database, Statement, Value } from "../storage/database";
import { asBound, type StatementCall } from "../storage/portable-sql";

/** Returns the database with a record of its statements. */
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
 * Returns the steps of the plan that scan a whole table. Sequential scans are discouraged on PostgreSQL, because the
 * tables of tests are too small for an index to pay off.
 */
export async function wholeReads(db: Database, { sql, values }: Statement): Promise<string[]> {
  if (db.kind === "sqlite") {
    const plan = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
    return plan.map(({ detail }) => detail).filter((step) => WHOLE_TABLE.test(step));
  }
  const lines = await db.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe("SET LOCAL enable_seqscan = off");
    // Values are inlined: a prepared EXPLAIN would need the types of times.
    const text = sql.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1] ?? null));
    return tx.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`EXPLAIN ${text}`);
  });
  return lines.map((line) => line["QUERY PLAN"].trim()).filter((line) => line.includes("Seq Scan on"));
}

/** Scans except those of a subquery, of an index, or of a list inside a row. */
const WHOLE_TABLE = /^SCAN (?!\(|.* (?:USING .*INDEX|VIRTUAL TABLE)|"?(?:kinds?|some)"?$)/;

function literal(value: Value): string {
  if (value instanceof Date) return `'${value.toISOString()}'::timestamp`;
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return String(value);
}
