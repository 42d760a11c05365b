/**
 * Opens the database that a URL names. This is the only place that chooses between the two kinds. The driver and client
 * of PostgreSQL are loaded only if they are used.
 */

import { isTracing } from "../../tracing/span";
import type { Database } from "../database";
import { signalling } from "../message/outbox-signal";
import { connectionError, readDatabaseUrl } from "./address";
import { measured } from "./measured";
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
