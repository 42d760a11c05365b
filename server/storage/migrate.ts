/**
 * Brings the schema to what the code expects, at start. Several processes may start at once: a lock lets one of them do
 * it while the others wait, and all that is pending happens in one transaction, so that a crash leaves nothing half.
 */
import { randomUUID } from "node:crypto";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { connectionError, readDatabaseUrl } from "./address";
import {
  CREATE_TABLE,
  type Migration,
  migrationFailed,
  pendingMigrations,
  readMigrations,
  SELECT_APPLIED,
} from "./migrations";
import { createDatabaseFile } from "./sqlite-file";

/** The key of the advisory lock that Prisma's own engine takes. */
const ADVISORY_LOCK = 72707369;
/** Milliseconds to wait for another process that migrates, and for locks on tables that are in use. */
const LOCK_TIMEOUT = 60_000;

/**
 * Applies what is missing to the database of `url`, which is created if it is a file.
 * @param folder the folder that holds `sqlite/migrations` and `postgresql/migrations`
 * @returns the names of the migrations it applied
 * @throws Error with a message of one line: not reachable, edited, failed or newer than the code
 */
export async function migrate(url: string, folder: string): Promise<string[]> {
  const address = readDatabaseUrl(url);
  const all = readMigrations(folder, address.kind);
  const pending = await (address.kind === "sqlite"
    ? withSqlite(address.file, (connection) => migrateSqlite(connection, all))
    : withPostgresql(address.url, (client) => migratePostgresql(client, all)));
  return pending.map((migration) => migration.name);

  async function withSqlite<T>(file: string, use: (connection: BetterSqlite3.Database) => T): Promise<T> {
    let connection: BetterSqlite3.Database;
    try {
      createDatabaseFile(file);
      connection = new BetterSqlite3(file, { timeout: LOCK_TIMEOUT });
    } catch (error) {
      throw connectionError(address, error);
    }
    try {
      return use(connection);
    } finally {
      connection.close();
    }
  }

  async function withPostgresql<T>(connectionString: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, lock_timeout: LOCK_TIMEOUT });
    client.on("error", () => {}); // the statement that was running gets it, too
    try {
      await client.connect();
    } catch (error) {
      throw connectionError(address, error);
    }
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }
}

function migrateSqlite(connection: BetterSqlite3.Database, all: readonly Migration[]): Migration[] {
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  // A table is changed by making it anew and dropping the old one, which would delete its children by cascade.
  // This pragma does nothing inside a transaction: it must stand before BEGIN.
  connection.pragma("foreign_keys = OFF");
  connection.exec("BEGIN IMMEDIATE");
  try {
    connection.exec(CREATE_TABLE.sqlite);
    const pending = pendingMigrations(all, connection.prepare(SELECT_APPLIED).all() as never[]);
    const record = connection.prepare(
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at",
       "applied_steps_count") VALUES (?, ?, ?, ?, ?, 1)`,
    );
    for (const migration of pending) {
      const started = Date.now();
      try {
        connection.exec(migration.sql);
        refuseOrphans(connection);
      } catch (error) {
        throw migrationFailed(migration, error);
      }
      record.run(randomUUID(), migration.checksum, migration.name, started, Date.now());
    }
    connection.exec("COMMIT");
    return pending;
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

/** What foreign keys would have refused, had they been on. */
function refuseOrphans(connection: BetterSqlite3.Database): void {
  const [orphan] = connection.pragma("foreign_key_check") as { table: string; parent: string }[];
  if (orphan) throw new Error(`a row of ${orphan.table} has lost its ${orphan.parent}`);
}

async function migratePostgresql(client: pg.Client, all: readonly Migration[]): Promise<Migration[]> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
    await client.query(CREATE_TABLE.postgresql);
    const pending = pendingMigrations(all, (await client.query(SELECT_APPLIED)).rows);
    for (const migration of pending) {
      await client.query(migration.sql).catch((error) => {
        throw migrationFailed(migration, error);
      });
      await client.query(
        `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at",
         "applied_steps_count") VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
        [randomUUID(), migration.checksum, migration.name],
      );
    }
    await client.query("COMMIT");
    return pending;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // fails when the connection is gone, which rolls back as well
    throw error;
  }
}
