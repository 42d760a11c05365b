/**
 * Migrations in Prisma's layout: one folder each with `migration.sql`, and the table `_prisma_migrations` with the
 * applied ones, so that Prisma's own tools can read the databases. This module decides which migrations are pending, or
 * why none can be applied.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export interface Migration {
  /** Folder name: time of writing and purpose, for instance `20260501120000_init`. */
  name: string;
  sql: string;
  /** SHA-256 of the file, hexadecimal. */
  checksum: string;
}

/** A row of `_prisma_migrations` that was not rolled back; `finished_at` is null if it failed half-way. */
export interface AppliedMigration {
  migration_name: string;
  checksum: string;
  finished_at: unknown;
}

export const CREATE_TABLE = {
  sqlite: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL,
    "logs" TEXT, "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`,
  postgresql: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`,
};

export const SELECT_APPLIED = `SELECT "migration_name", "checksum", "finished_at" FROM "_prisma_migrations"
  WHERE "rolled_back_at" IS NULL`;

/**
 * @param folder the folder that holds `<kind>/migrations`
 * @returns in the order in which they must be applied
 */
export function readMigrations(folder: string, kind: "sqlite" | "postgresql"): Migration[] {
  const dir = path.join(folder, kind, "migrations");
  const entries = fs.existsSync(dir) ? fs.readdirSync(dir, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (names.length === 0) throw new Error(`No migrations in ${dir}: the installation is incomplete`);
  return names.sort().map((name) => {
    const sql = fs.readFileSync(path.join(dir, name, "migration.sql"), "utf8");
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });
}

/**
 * Returns the pending migrations.
 * @throws Error whose message is one line if the database does not match this version of the code
 */
export function pendingMigrations(all: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  for (const row of applied) {
    const name = row.migration_name;
    const migration = all.find((candidate) => candidate.name === name);
    if (!migration) {
      throw new Error(`The database is newer than this version of the service: it has migration ${name}`);
    }
    if (row.finished_at === null) {
      throw new Error(`Migration ${name} failed earlier and was left half applied: restore the database from a backup`);
    }
    if (migration.checksum !== row.checksum) {
      throw new Error(`Migration ${name} was edited after it was applied: restore its file, write a new one instead`);
    }
  }
  return all.filter((migration) => !applied.some((row) => row.migration_name === migration.name));
}

/** Returns the error of a failed migration, with the name of the migration. */
export function migrationFailed(migration: Migration, error: unknown): Error {
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  return new Error(`Migration ${migration.name} failed, nothing was changed: ${reason}`, { cause: error });
}
