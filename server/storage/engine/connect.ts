/**
 * Opens the database that a URL names. This is the only place that chooses between the two kinds. The driver and client
 * of PostgreSQL are loaded only if they are used.
 */

import { countDamage, timeRead, timeWrite } from "../../metrics/database-metrics";
import { isTracing } from "../../tracing/span";
import type { Database } from "../database";
import { signalling } from "../message/outbox-signal";
import { asBound, type StatementCall } from "../portable-sql";
import { connectionError, readDatabaseUrl } from "./address";
import type { PostgresqlOptions } from "./postgresql-database";
import { openSqlite } from "./sqlite-database";
import { traced } from "./traced";

/** Options of a connection. An embedded database only uses `findNested`. */
export type ConnectOptions = PostgresqlOptions;

/**
 * Opens the database and checks that it responds. It does not migrate the schema; see migrate().
 * @throws Error with a message of one line: unknown scheme, folder not writable, connection refused
 */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Database> {
  const address = readDatabaseUrl(url);
  try {
    if (address.kind === "sqlite") return watched(openSqlite(address.file, options.findNested));
    const { openPostgresql } = await import("./postgresql-database");
    return watched(await answering(openPostgresql(address, options)));
  } catch (error) {
    throw connectionError(address, error);
  }
}

const watched = (db: Database): Database => signalling(isTracing() ? traced(measured(db)) : measured(db));

async function answering(database: Database): Promise<Database> {
  try {
    await database.one("SELECT 1", []);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Wraps a database to measure its reads and writes and to count errors that report damage. */
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
