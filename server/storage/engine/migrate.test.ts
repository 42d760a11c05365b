import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { build } from "esbuild";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connectTestDatabase, databaseKinds, emptyDatabaseUrl, temporaryFolder } from "../../testing/database";
import { migrate } from "./migrate";

/** The source of a program that reports when it is loaded, waits until its input ends, and migrates. */
let program: string;
beforeAll(async () => {
  const contents = `import { migrate } from "./migrate";
    console.log("loaded");
    for await (const _ of process.stdin);
    console.log(JSON.stringify(await migrate(process.env.URL, process.env.FOLDER)));`;
  const stdin = { contents, resolveDir: import.meta.dirname };
  const options = { bundle: true, platform: "node", format: "esm", packages: "external", write: false } as const;
  program = (await build({ stdin, ...options })).outputFiles[0]?.text ?? "";
});

/** Starts a process that migrates as soon as `go` is called. */
async function start(url: string, folder: string) {
  const env = { ...process.env, URL: url, FOLDER: folder };
  const argv = ["--input-type=module", "--eval", program];
  const child = spawn(process.execPath, argv, { env, stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const output = once(child, "close").then(() => text);
  return { go: () => child.stdin.end(), kill: () => child.kill("SIGKILL"), output };
}

describe.each(databaseKinds)("migrations at start: %s", (kind) => {
  const first = `CREATE TABLE a (id INTEGER PRIMARY KEY);`;
  const second = `CREATE TABLE b (id INTEGER PRIMARY KEY); INSERT INTO b VALUES (1);`;
  let url: string;
  let folder: string;

  beforeEach(async () => {
    url = await emptyDatabaseUrl(kind);
    folder = temporaryFolder();
    write({ "1_first": first });
  });

  /** Replaces the migrations of the code. */
  function write(migrations: Record<string, string>) {
    fs.rmSync(path.join(folder, kind), { recursive: true, force: true });
    for (const [name, sql] of Object.entries(migrations)) {
      fs.mkdirSync(path.join(folder, kind, "migrations", name), { recursive: true });
      fs.writeFileSync(path.join(folder, kind, "migrations", name, "migration.sql"), sql);
    }
    fs.writeFileSync(path.join(folder, kind, "migrations", "migration_lock.toml"), `provider = "${kind}"\n`);
  }

  /** Runs statements on the database and returns the rows of the last one. */
  async function query(sql: string): Promise<unknown[]> {
    const database = await connectTestDatabase(url);
    try {
      return /^SELECT/.test(sql) ? await database.all(sql, []) : [await database.run(sql, [])];
    } finally {
      await database.close();
    }
  }
  const recorded = async () =>
    (
      await query(
        `SELECT "migration_name" AS "n", "finished_at" IS NOT NULL AS "f" FROM "_prisma_migrations" ORDER BY 1`,
      )
    ).map((row) => [(row as { n: string }).n, Boolean((row as { f: unknown }).f)]);

  it("are applied in order, once, and recorded as Prisma does", async () => {
    write({ "2_second": second, "1_first": first });
    expect(await migrate(url, folder)).toEqual(["1_first", "2_second"]);
    expect(await migrate(url, folder)).toEqual([]);
    write({ "1_first": first, "2_second": second, "3_third": `INSERT INTO a SELECT id FROM b;` });
    expect(await migrate(url, folder)).toEqual(["3_third"]);
    expect(await query("SELECT id FROM a")).toEqual([{ id: 1 }]);
    expect(await recorded()).toEqual([
      ["1_first", true],
      ["2_second", true],
      ["3_third", true],
    ]);
  });

  it.each([
    ["an empty database", {}],
    ["a database that is in use", { "1_first": first }],
  ])("are applied once to %s by four processes that start together", async (_, before) => {
    const all = { "1_first": first, "2_second": second, "3_slow": `INSERT INTO a ${count(300_000)};` };
    if (Object.keys(before).length > 0) {
      write(before);
      await migrate(url, folder);
    }
    write(all);
    const processes = await Promise.all(Array.from({ length: 4 }, () => start(url, folder)));
    for (const { go } of processes) go();
    const applied = (await Promise.all(processes.map(({ output }) => output))).map((text) => JSON.parse(text));
    const expected = Object.keys(all).filter((name) => !(name in before));
    expect(applied.filter((names) => names.length > 0)).toEqual([expected]);
    expect(await query("SELECT id FROM b")).toEqual([{ id: 1 }]);
  });

  it("leave nothing half when the process is killed", async () => {
    write({ "1_first": first, "2_second": `${second} INSERT INTO a ${count(1e15)};` });
    const { go, kill, output } = await start(url, folder);
    go();
    await vi.waitFor(() => isUnderWay(kind, url), PATIENCE);
    kill();
    await output;
    if (kind === "postgresql") await endBackends(url);
    write({ "1_first": first, "2_second": second });
    expect(await migrate(url, folder)).toEqual(["1_first", "2_second"]);
  });

  it("leave nothing when one fails, which is named in one line", async () => {
    write({ "1_first": first, "2_broken": `${second} INSERT INTO nowhere VALUES (1);` });
    await expect(migrate(url, folder)).rejects.toThrow(/^Migration 2_broken failed, nothing was changed: .*nowhere.*$/);
    write({ "1_first": first, "2_second": second });
    expect(await migrate(url, folder)).toEqual(["1_first", "2_second"]);
  });

  it("are refused when one was edited after it was applied", async () => {
    await migrate(url, folder);
    write({ "1_first": `${first} -- edited`, "2_second": second });
    await expect(migrate(url, folder)).rejects.toThrow(/^Migration 1_first was edited after it was applied: .*$/);
    expect(await recorded()).toEqual([["1_first", true]]);
  });

  it("are refused when the database is newer than the code", async () => {
    write({ "1_first": first, "2_second": second });
    await migrate(url, folder);
    write({ "1_first": first });
    await expect(migrate(url, folder)).rejects.toThrow(/^The database is newer than this version.* 2_second$/);
  });

  it("are refused when one has failed half-way, unless it was rolled back", async () => {
    await migrate(url, folder);
    await query(`UPDATE "_prisma_migrations" SET "finished_at" = NULL`);
    await expect(migrate(url, folder)).rejects.toThrow(/^Migration 1_first failed earlier/);
    await query(`DROP TABLE a`);
    await query(`UPDATE "_prisma_migrations" SET "rolled_back_at" = "started_at"`);
    expect(await migrate(url, folder)).toEqual(["1_first"]);
  });

  it("must be there", async () => {
    await expect(migrate(url, `${folder}/nowhere`)).rejects.toThrow(/^No migrations in .*nowhere/);
  });
});

/** A query whose duration grows with `n`. */
function count(n: number): string {
  return `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${n}) SELECT MAX(n) FROM c`;
}

async function isUnderWay(kind: "sqlite" | "postgresql", url: string): Promise<void> {
  if (kind === "sqlite") {
    const connection = new BetterSqlite3(url.slice("file:".length), { timeout: 0 });
    try {
      expect(() => connection.exec("BEGIN IMMEDIATE")).toThrow("locked");
    } finally {
      connection.close();
    }
    return;
  }
  const database = await connectTestDatabase(url);
  const running = await database.one(
    `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%INSERT INTO b%' AND pid <> pg_backend_pid()`,
    [],
  );
  await database.close();
  expect(running).toBeDefined();
}

/** Ends the server processes, because PostgreSQL notices only at the end of a statement that its client has gone. */
async function endBackends(url: string): Promise<void> {
  const database = await connectTestDatabase(url);
  await database.all(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE '%INSERT INTO b%' AND pid <> pg_backend_pid()`,
    [],
  );
  await database.close();
}

/** Milliseconds, enough for a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 50 };

describe("migrations of PostgreSQL beside a service that is in use", () => {
  it("take no lock that a transaction waits for while they wait for it", async () => {
    const url = await emptyDatabaseUrl("postgresql");
    const folder = temporaryFolder();
    const write = (name: string, sql: string) => {
      fs.mkdirSync(`${folder}/postgresql/migrations/${name}`, { recursive: true });
      fs.writeFileSync(`${folder}/postgresql/migrations/${name}/migration.sql`, sql);
    };
    write("1_before", `CREATE TABLE "A" ("id" INTEGER); CREATE TABLE "B" ("id" INTEGER); INSERT INTO "A" VALUES (1);`);
    await migrate(url, folder);
    write("2_both", `ALTER TABLE "A" ADD COLUMN "x" INTEGER; ALTER TABLE "B" ADD COLUMN "x" INTEGER;`);

    const [request, observer] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([request.connect(), observer.connect()]);
    await request.query(`BEGIN; INSERT INTO "B" VALUES (1)`);
    const migrated = migrate(url, folder);
    // The migration holds A and waits for B, and now the request waits for A.
    await vi.waitFor(async () => {
      const { rowCount } = await observer.query(
        `SELECT 1 FROM pg_locks WHERE relation = '"B"'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`,
      );
      expect(rowCount).toBe(1);
    }, PATIENCE);
    expect((await request.query(`SELECT "id" FROM "A"`)).rows).toEqual([{ id: 1 }]);
    await request.query("COMMIT");
    expect(await migrated).toEqual(["2_both"]);
    await Promise.all([request.end(), observer.end()]);
  });
});

describe("migrations of SQLite that recreate a table", () => {
  const before = `PRAGMA foreign_keys = ON;
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE);
    INSERT INTO parent VALUES (1); INSERT INTO child VALUES (7, 1);`;
  const rebuild = (copied: string) => `PRAGMA defer_foreign_keys = ON; PRAGMA foreign_keys = OFF;
    CREATE TABLE new_parent (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO new_parent (id) SELECT id FROM parent WHERE ${copied};
    DROP TABLE parent; ALTER TABLE new_parent RENAME TO parent;
    PRAGMA foreign_keys = ON; PRAGMA defer_foreign_keys = OFF;`;

  async function run(copied: string): Promise<BetterSqlite3.Database> {
    const folder = temporaryFolder();
    for (const [name, sql] of [
      ["1_before", before],
      ["2_rebuild", rebuild(copied)],
    ] as const) {
      fs.mkdirSync(`${folder}/sqlite/migrations/${name}`, { recursive: true });
      fs.writeFileSync(`${folder}/sqlite/migrations/${name}/migration.sql`, sql);
    }
    await migrate(`file:${folder}/test.db`, folder);
    return new BetterSqlite3(`${folder}/test.db`);
  }

  it("keep its children", async () => {
    const connection = await run("true");
    expect(connection.prepare("SELECT * FROM child").all()).toEqual([{ id: 7, parent: 1 }]);
    connection.close();
  });

  it("are refused when they leave children without their parent", async () => {
    await expect(run("false")).rejects.toThrow(/^Migration 2_rebuild failed, nothing was changed: .*child.*parent$/);
  });
});
