/**
 * Wraps a database so that the statements of a request become part of its trace. Statements are recorded as prepared,
 * without their values.
 */
import { partSpan } from "../../tracing/span";
import type { Database, Insert, Unit } from "../database";

export function traced(db: Database): Database {
  const asked = <T>(summary: string, text: string, work: () => Promise<T>): Promise<T> =>
    partSpan(summary, work, () => describe(db, summary, text));
  const statement = <T>(sql: string, work: () => Promise<T>) => asked(summaryOf(sql), sql, work);
  return {
    ...db,
    prisma: tracedModels(db),
    one: (sql, values) => statement(sql, () => db.one(sql, values)),
    lookUp: (sql, values) => statement(sql, () => db.lookUp(sql, values)),
    all: (sql, values) => statement(sql, () => db.all(sql, values)),
    run: (sql, values) => statement(sql, () => db.run(sql, values)),
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
export function summaryOf(sql: string): string {
  const [, operation = "statement"] = /\b(SELECT|INSERT|UPDATE|DELETE)\b/i.exec(sql) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+"(\w+)"/i.exec(sql) ?? [];
  return table === undefined ? operation.toUpperCase() : `${operation.toUpperCase()} ${table}`;
}

function summaryOfUnit({ guard, inserts }: Unit): string {
  const tables = [...new Set(inserts.map(({ table }: Insert) => table))];
  const parts = [guard && summaryOf(guard.sql), tables.length > 0 && `INSERT ${tables.join(" ")}`];
  return parts.filter(Boolean).join("; ");
}
