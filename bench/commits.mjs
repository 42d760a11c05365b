// Durable commits per second of one small row each: SQLite in WAL mode with synchronous=FULL on the file system of the
// service, or PostgreSQL with its defaults. The writes are sequential, as in a service without group commit.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function sqliteCommits(seconds) {
  const { default: Database } = await import("better-sqlite3");
  const folder = mkdtempSync(join(tmpdir(), "commits-"));
  const db = new Database(join(folder, "commits.db"));
  try {
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT)");
    const insert = db.prepare("INSERT INTO t (value) VALUES (?)");
    const end = performance.now() + seconds * 1000;
    let count = 0;
    for (; performance.now() < end; count++) insert.run("a row about as long as an access token's digest and scope");
    return count / seconds;
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function postgresCommits(url, seconds) {
  const { default: pg } = await import("pg");
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await db.query("CREATE TABLE commits (id serial PRIMARY KEY, value text)");
    const end = performance.now() + seconds * 1000;
    let count = 0;
    const text = "INSERT INTO commits (value) VALUES ($1)";
    for (; performance.now() < end; count++) await db.query({ name: "insert", text, values: ["a row"] });
    await db.query("DROP TABLE commits");
    return count / seconds;
  } finally {
    await db.end();
  }
}
