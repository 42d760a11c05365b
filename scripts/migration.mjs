// npm run migration -- <name>: writes the next migration of both databases. Without a name it compares: it exits with 1
// and prints the missing SQL if models and migrations differ. The committed migrations are applied to a temporary
// database, which Prisma's schema engine, as WebAssembly, compares with the models: the native engine that `prisma
// migrate` downloads is not needed. A migration that breaks the previous release, which runs beside this one during an
// upgrade, is rejected without `--breaking` (see breaking.mjs).
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { breakingChanges } from "./breaking.mjs";
import { startPostgres } from "./postgres.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const filters = { externalTables: [], externalEnums: [] };

/** A temporary database for migrations: an adapter to an empty one, and a function that drops it. */
const throwAway = {
  async sqlite() {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "migration-"));
    const factory = new PrismaBetterSqlite3({ url: `file:${dir}/empty.db` }, { timestampFormat: "unixepoch-ms" });
    return { factory, drop: async () => fs.rmSync(dir, { recursive: true }) };
  },
  async postgresql() {
    const { url, stop } = await startPostgres({ durable: false });
    return { factory: readableCatalogue(new PrismaPg({ connectionString: url })), drop: stop };
  },
};

/**
 * Reads columns of the internal type "char" (18) in PostgreSQL's catalogue as text, because the adapter rejects the
 * type.
 */
function readableCatalogue(factory) {
  for (const method of ["connect", "connectToShadowDb"]) {
    const connect = factory[method].bind(factory);
    factory[method] = async () => {
      const adapter = await connect();
      const performIO = adapter.performIO.bind(adapter);
      adapter.performIO = async (query) => {
        const result = await performIO(query);
        for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 25;
        return result;
      };
      return adapter;
    };
  }
  return factory;
}

async function loadEngine() {
  const module = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = fs.readFileSync(path.join(path.dirname(module), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => console.error(message) };
}

function readModels(provider) {
  const dir = `prisma/${provider}`;
  const names = fs.readdirSync(path.join(root, dir)).filter((name) => name.endsWith(".prisma"));
  return names.map((name) => ({
    path: `${dir}/${name}`,
    content: fs.readFileSync(path.join(root, dir, name), "utf8"),
  }));
}

/**
 * The first words of migrations that divide tables. They are not compared, because the engine treats partitions as
 * tables that the models lack.
 */
const LAYOUT_ONLY = "-- Layout only";

/** Returns the committed migrations in the format of the engine. */
function readMigrations(dir) {
  const entries = fs.existsSync(dir) ? fs.readdirSync(dir, { withFileTypes: true }) : [];
  const lock = path.join(dir, "migration_lock.toml");
  return {
    baseDir: dir,
    shadowDbInitScript: "",
    lockfile: { path: "migration_lock.toml", content: fs.existsSync(lock) ? fs.readFileSync(lock, "utf8") : null },
    migrationDirectories: entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort()
      .map((name) => {
        const value = fs.readFileSync(path.join(dir, name, "migration.sql"), "utf8");
        return { path: name, migrationFile: { path: "migration.sql", content: { tag: "ok", value } } };
      })
      .filter(({ migrationFile }) => !migrationFile.content.value.startsWith(LAYOUT_ONLY)),
  };
}

/** Returns the SQL that leads from the committed migrations to the models; undefined if they agree. */
async function missingSql(provider, dir) {
  const files = readModels(provider);
  const { factory, drop } = await throwAway[provider]();
  try {
    const engine = await bindings.SchemaEngine.new(
      { datamodels: files.map((file) => [file.path, file.content]) },
      () => {},
      bindMigrationAwareSqlAdapterFactory(factory),
    );
    await engine.applyMigrations({ migrationsList: readMigrations(dir), filters });
    const { exitCode, stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: root },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: true,
      shadowDatabaseUrl: null,
      filters,
    });
    return exitCode === 2 ? stdout : undefined; // 2: they differ
  } finally {
    await drop();
  }
}

function writeMigration(provider, dir, folder, sql) {
  fs.mkdirSync(path.join(dir, folder), { recursive: true });
  fs.writeFileSync(path.join(dir, folder, "migration.sql"), sql);
  const lock = `# Do not edit: says which database the migrations beside it are for.\nprovider = "${provider}"\n`;
  fs.writeFileSync(path.join(dir, "migration_lock.toml"), lock);
}

const words = process.argv.slice(2);
const mayBreak = words.includes("--breaking");
const name = words.find((word) => word !== "--breaking");
if (name && !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error("A migration's name is lower case letters, digits and underscores, for instance: add_passkeys");
  process.exit(1);
}
try {
  await loadEngine();
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14); // one time stamp, so that the folders match
  let differs = false;
  const folders = Object.keys(throwAway).map((provider) => [
    provider,
    path.join(root, "prisma", provider, "migrations"),
  ]);
  const missing = new Map();
  for (const [provider, dir] of folders) missing.set(provider, await missingSql(provider, dir));
  const breaking = breakingChanges(missing.get("postgresql") ?? "");
  if (name && breaking.length > 0 && !mayBreak) {
    throw new Error(
      `The previous release, which serves on during an upgrade, would fail: the migration ${breaking.join(", ")}.\n` +
        "Add now and remove a release later; if nothing that runs reads it any more, say --breaking.",
    );
  }
  for (const [provider, dir] of folders) {
    const sql = missing.get(provider);
    if (!sql) console.log(`${provider}: migrations and models agree`);
    else if (name) {
      writeMigration(provider, dir, `${stamp}_${name}`, sql);
      console.log(`${provider}: wrote prisma/${provider}/migrations/${stamp}_${name}/migration.sql; read it`);
    } else {
      differs = true;
      console.log(`${provider}: the models need a migration (npm run migration -- <name>):\n${sql}`);
    }
  }
  process.exit(differs ? 1 : 0);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
