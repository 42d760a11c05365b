/** Wraps a database to measure its reads and writes and to count errors that report damage. */
import { countDamage, timeRead, timeWrite } from "../../metrics/database-metrics";
import type { Database } from "../database";
import { asBound, type StatementCall } from "../portable-sql";

export function measured(db: Database): Database {
  return {
    ...db,
    one: <Row>(...asked: StatementCall<Row>) => timeRead(() => noticed(db.one(asBound(...asked)))),
    lookUp: <Row>(...asked: StatementCall<Row>) => timeRead(() => noticed(db.lookUp(asBound(...asked)))),
    all: <Row>(...asked: StatementCall<Row>) => timeRead(() => noticed(db.all(asBound(...asked)))),
    run: (...asked: StatementCall<unknown>) => timeWrite("run", () => noticed(db.run(asBound(...asked)))),
    commit: (unit) => timeWrite("commit", () => noticed(db.commit(unit))),
    transaction: (work, options) => timeWrite("transaction", () => noticed(db.transaction(work, options))),
  };
}

/** Error codes of SQLite and PostgreSQL (class XX and 58) for damaged pages and unreadable files. */
const DAMAGE = /^(?:SQLITE_(?:CORRUPT|NOTADB|IOERR).*|XX001|XX002|58030)$/;

async function noticed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isDamage(error)) countDamage();
    throw error;
  }
}

function isDamage(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 5) return false;
  const { code, originalCode, cause, meta } = error as Record<string, unknown>;
  if ([code, originalCode].some((one) => typeof one === "string" && DAMAGE.test(one))) return true;
  return (
    isDamage(cause, depth + 1) || isDamage((meta as { driverAdapterError?: unknown })?.driverAdapterError, depth + 1)
  );
}
