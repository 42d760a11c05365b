/**
 * Migrates the schema to the one that the code expects, at start. Several processes may start at once: a lock lets one
 * of them migrate while the others wait. All pending migrations run in one transaction, so that a crash has no partial
 * effect.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import type { Client } from "pg";
import { connectionError, type PostgresqlAddress, readDatabaseUrl, type SqliteAddress } from "./address";
import { lockTables } from "./migration-locks";
import {
  type AppliedMigration,
  CREATE_TABLE,
  type Migration,
  migrationFailed,
  pendingMigrations,
  readMigrations,
  SELECT_APPLIED,
} from "./migrations";
import { openClient } from "./postgresql-hosts";
import { createDatabaseFile } from "./sqlite-file";

/** The key of the advisory lock that Prisma's own engine takes. */
const ADVISORY_LOCK = 72707369;
/** Milliseconds to wait for another process's migration, and for locks on tables in use. */
const LOCK_TIMEOUT = 60_000;
/** Milliseconds between two attempts to change the journal of a new file. */
const JOURNAL_PAUSE = 20;

/**
 * Applies missing migrations to the database of `url`; a missing file is created.
 * @param folder the folder that holds `sqlite/migrations` and `postgresql/migrations`
 * @returns the names of the migrations it applied
 * @throws Error with a message of one line: not reachable, edited, failed or newer than the code
 */
export async function migrate(url: string, folder: string): Promise<string[]> {
  const address = readDatabaseUrl(url);
  const all = readMigrations(folder, address.kind);
  const pending = await (address.kind === "sqlite" ? migrateSqlite(address, all) : migratePostgresql(address, all));
  return pending.map((migration) => migration.name);
}

async function migrateSqlite(address: SqliteAddress, all: readonly Migration[]): Promise<Migration[]> {
  let connection: BetterSqlite3.Database | undefined;
  try {
    createDatabaseFile(address.file);
    connection = new BetterSqlite3(address.file, { timeout: LOCK_TIMEOUT });
    // Changing a table means copying it and dropping the old one, which would delete its children by cascade. This
    // pragma has no effect inside a transaction, so it is set before BEGIN.
    await enterWriteAheadLog(connection);
    connection.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
  } catch (error) {
    connection?.close();
    throw connectionError(address, error);
  }
  try {
    const pending = applySqlite(connection, all);
    connection.exec("COMMIT");
    return pending;
  } finally {
    connection.close(); // rolls back what is not committed
  }
}

/**
 * Switches the journal to WAL. This is the only statement that does not wait for other processes: it fails at once
 * while another process changes the journal of a new file, whatever the timeout of the connection.
 */
async function enterWriteAheadLog(connection: BetterSqlite3.Database): Promise<void> {
  const deadline = Date.now() + LOCK_TIMEOUT;
  while (true) {
    try {
      connection.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      const isBusy = error instanceof BetterSqlite3.SqliteError && error.code === "SQLITE_BUSY";
      if (!isBusy || Date.now() > deadline) throw error;
      await sleep(JOURNAL_PAUSE);
    }
  }
}

function applySqlite(connection: BetterSqlite3.Database, all: readonly Migration[]): Migration[] {
  connection.exec(CREATE_TABLE.sqlite);
  const pending = pendingMigrations(all, connection.prepare(SELECT_APPLIED).all() as AppliedMigration[]);
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
  return pending;
}

/** Throws if there are rows that violate foreign keys. */
function refuseOrphans(connection: BetterSqlite3.Database): void {
  const [orphan] = connection.pragma("foreign_key_check") as { table: string; parent: string }[];
  if (orphan) throw new Error(`a row of ${orphan.table} has lost its ${orphan.parent}`);
}

async function migratePostgresql(address: PostgresqlAddress, all: readonly Migration[]): Promise<Migration[]> {
  let client: Client | undefined;
  try {
    ({ client } = await openClient(address));
    await client.query("BEGIN");
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    await client.query("SELECT pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
  } catch (error) {
    await client?.end();
    throw connectionError(address, error);
  }
  try {
    const pending = await applyPostgresql(client, all);
    await client.query("COMMIT");
    return pending;
  } finally {
    await client.end(); // rolls back what is not committed
  }
}

async function applyPostgresql(client: Client, all: readonly Migration[]): Promise<Migration[]> {
  await client.query(CREATE_TABLE.postgresql);
  const pending = pendingMigrations(all, (await client.query<AppliedMigration>(SELECT_APPLIED)).rows);
  await lockTables(client, pending, LOCK_TIMEOUT).catch((error) => {
    throw new Error(`Migrations wait for tables in use, nothing was changed: ${error.message}`, { cause: error });
  });
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
  return pending;
}
