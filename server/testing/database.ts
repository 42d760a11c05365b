/**
 * Fresh, migrated databases for tests of both kinds. Each is a copy of a template that is migrated once: a file copy
 * on SQLite, CREATE DATABASE … TEMPLATE on PostgreSQL. They are removed after the test, or after the file if they were
 * created outside a test (beforeAll).
 */
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { onTestFinished } from "vitest";
import { migrationsFolder } from "../root";
import type { Database } from "../storage/database";
import { connect } from "../storage/engine/connect";
import { migrate } from "../storage/engine/migrate";
import { readMigrations } from "../storage/engine/migrations";
import { contentOf, emptyTables, fillTables } from "./postgresql-content";

export const databaseKinds = ["sqlite", "postgresql"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];
/**
 * The databases for rules above storage, which none of them decides: one in a usual run, both with EVERY_DATABASE=1.
 * The scenarios of `server/api/contract.test.ts` and the plans of `conformance.ts` send every statement to both.
 */
export const ruleDatabases: readonly DatabaseKind[] = process.env.EVERY_DATABASE ? databaseKinds : ["sqlite"];

/** Opens a new database with the current schema and no rows. */
export async function testDatabase(kind: DatabaseKind): Promise<Database> {
  return connectTestDatabase(await testDatabaseUrl(kind));
}

/** Opens a database of tests. It is closed afterwards. */
export async function connectTestDatabase(url: string): Promise<Database> {
  const database = await connect(url, { poolSize: 5, announcementPatience: 10_000, findNested: true });
  afterwards(() => database.close());
  return database;
}

/**
 * Returns the URL of a database with the current schema, for tests that open it several times or not at all.
 * @param content the result of `keepContent` for another database; no rows if omitted
 */
export async function testDatabaseUrl(kind: DatabaseKind, content?: Content): Promise<string> {
  return kind === "sqlite" ? copyTemplateFile(content) : recycledDatabase(content);
}

/** The rows of a database, to fill others with: the whole file of SQLite, statements for PostgreSQL. */
export type Content = string | Buffer;

/** Returns the current content of a test database. */
export async function keepContent(url: string): Promise<Content> {
  if (!url.startsWith("file:")) return onCluster(contentOf, url);
  const connection = new BetterSqlite3(url.slice("file:".length), { readonly: true });
  const file = connection.serialize();
  connection.close();
  return file;
}

/** Returns the URL of an empty database without a schema, also for tests that change the schema. */
export async function emptyDatabaseUrl(kind: DatabaseKind): Promise<string> {
  if (kind === "sqlite") return `file:${temporaryFolder()}/empty.db`;
  const name = await createDatabase("template0");
  afterwards(() => dropDatabase(name));
  return databaseUrl(name);
}

/** Opens connections to PostgreSQL. They are closed afterwards. */
export function testPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  // end() does not wait for the server. If the database is dropped in the meantime, the server reports it on an unused
  // connection.
  pool.on("error", () => {});
  afterwards(() => pool.end());
  return pool;
}

/** Returns the URL of the PostgreSQL cluster of this run, as superuser. Starts the cluster on the first call. */
export async function postgresUrl(): Promise<string> {
  if (process.env.TEST_POSTGRES_URL === undefined) {
    const starter = process.env.TEST_POSTGRES_STARTER;
    if (starter === undefined) throw new Error("no PostgreSQL: vitest's globalSetup did not run");
    const response = await fetch(starter);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    process.env.TEST_POSTGRES_URL = text;
  }
  return process.env.TEST_POSTGRES_URL;
}

/** Creates a folder that is removed afterwards. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(process.env.TEST_FOLDER ?? os.tmpdir(), "test-"));
  afterwards(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const atEnd: (() => unknown)[] = [];

/** Cleans up after a test file (testing/setup.ts): connections are closed before their targets are removed. */
export async function cleanUp(): Promise<void> {
  for (const clean of atEnd.splice(0).reverse()) await clean();
}

/** Runs `clean` after the test, or after the file if not called inside a test, in reverse order. */
export function afterwards(clean: () => unknown): void {
  try {
    onTestFinished(async () => {
      await clean();
    });
  } catch {
    atEnd.push(clean); // not inside a test
  }
}

/** Shared by all test files of this process. */
let templateFile: Promise<string> | undefined;

async function migratedFile(): Promise<string> {
  const file = `${process.env.TEST_FOLDER}/${process.pid}.db`;
  await migrate(`file:${file}`, migrationsFolder);
  return file;
}

async function copyTemplateFile(content?: Content): Promise<string> {
  const file = `${temporaryFolder()}/test.db`;
  if (content) {
    fs.writeFileSync(file, content);
    return `file:${file}`;
  }
  templateFile ??= migratedFile();
  fs.copyFileSync(await templateFile, file);
  return `file:${file}`;
}

/**
 * Returns the name of the migrated template. There is one per state of the migrations, created by the first worker
 * that needs it.
 */
async function template(): Promise<string> {
  const migrations = readMigrations(migrationsFolder, "postgresql").map((migration) => migration.checksum);
  const name = `template_${createHash("sha256").update(migrations.join()).digest("hex").slice(0, 16)}`;
  await onCluster(async (client) => {
    await client.query("SET lock_timeout = '2min'"); // the others wait for all migrations
    await client.query("SELECT pg_advisory_lock(1)"); // until the connection ends
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate", [name]);
    if (rowCount) return;
    await client.query(`DROP DATABASE IF EXISTS "${name}"`); // left by a killed run
    await client.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
    await migrate(await databaseUrl(name), migrationsFolder);
    await client.query(`ALTER DATABASE "${name}" IS_TEMPLATE true`);
  });
  return name;
}

/** Unused databases of this process. Creating one takes much longer than emptying one. */
const free: string[] = [];

async function recycledDatabase(content?: Content): Promise<string> {
  const used = free.pop();
  const url = used ?? (await databaseUrl(await createDatabase(await template())));
  afterwards(() => free.push(url));
  if (used !== undefined || content !== undefined) {
    await onCluster(async (client) => {
      if (used !== undefined) await emptyTables(client);
      if (content !== undefined) await fillTables(client, content.toString());
    }, url);
  }
  return url;
}

async function createDatabase(from: string): Promise<string> {
  const name = `${process.env.TEST_DATABASES}${randomUUID().replaceAll("-", "")}`;
  await onCluster((client) => client.query(`CREATE DATABASE "${name}" TEMPLATE "${from}"`));
  return name;
}

function dropDatabase(name: string): Promise<unknown> {
  return onCluster((client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
}

async function databaseUrl(name: string): Promise<string> {
  const url = new URL(await postgresUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function onCluster<T>(use: (client: pg.Client) => Promise<T>, url?: string): Promise<T> {
  const client = new pg.Client({ connectionString: url ?? (await postgresUrl()), lock_timeout: 10_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
