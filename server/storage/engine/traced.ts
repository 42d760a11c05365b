/**
 * Wraps a database so that the statements of a request become part of its trace. Statements are recorded as prepared,
 * without their values.
 */
import { partSpan } from "../../tracing/span";
import type { Bound, Database, Insert, Unit } from "../database";
import { asBound, type StatementCall } from "../portable-sql";

export function traced(db: Database): Database {
  const asked = <T>(summary: string, text: string, work: () => Promise<T>): Promise<T> =>
    partSpan(summary, work, () => describe(db, summary, text));
  const statement = <Row, T>([given, values]: StatementCall<Row>, work: (bound: Bound<Row>) => Promise<T>) => {
    const bound = asBound(given, values);
    return asked(summaryOf(bound.sql), bound.sql, () => work(bound));
  };
  return {
    ...db,
    prisma: tracedModels(db),
    one: <Row>(...given: StatementCall<Row>) => statement(given, (bound) => db.one(bound)),
    lookUp: <Row>(...given: StatementCall<Row>) => statement(given, (bound) => db.lookUp(bound)),
    all: <Row>(...given: StatementCall<Row>) => statement(given, (bound) => db.all(bound)),
    run: (...given: StatementCall<unknown>) => statement(given, (bound) => db.run(bound)),
    commit: (unit) => asked(summaryOfUnit(unit), unit.guard?.sql ?? "", () => db.commit(unit)),
    transaction: (work, options) => asked("transaction", "", () => db.transaction(work, options)),
  };
}

function describe({ kind }: Database, summary: string, text: string) {
  const attributes = {
    "db.system.name": kind,
    "db.query.summary": summary,
    ...(text !== "" && { "db.query.text": text }),
  };
  return { attributes, isCall: true };
}

/** Traces Prisma's queries by model and operation, because it does not expose their statements. */
function tracedModels(db: Database): Database["prisma"] {
  const extended = db.prisma.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) => {
          const summary = `${operation} ${model}`;
          return partSpan(
            summary,
            async () => query(args),
            () => describe(db, summary, ""),
          );
        },
      },
    },
  });
  return extended as unknown as Database["prisma"];
}

/** Returns the operation and its table, as the semantic conventions define it: `SELECT User`. */
function summaryOf(sql: string): string {
  const [, operation = "statement"] = /\b(SELECT|INSERT|UPDATE|DELETE)\b/i.exec(sql) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+"(\w+)"/i.exec(sql) ?? [];
  return table === undefined ? operation.toUpperCase() : `${operation.toUpperCase()} ${table}`;
}

function summaryOfUnit({ guard, inserts }: Unit): string {
  const tables = [...new Set(inserts.map(({ table }: Insert) => table))];
  const parts = [guard && summaryOf(guard.sql), tables.length > 0 && `INSERT ${tables.join(" ")}`];
  return parts.filter(Boolean).join("; ");
}
