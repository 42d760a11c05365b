import { rmSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { connect } from "../storage/engine/connect";
import { claimDatabase } from "../storage/engine/sqlite-lock";
import { databaseKinds, emptyDatabaseUrl, temporaryFolder } from "../testing/database";
import { runCommand } from "./run";

/** Returns the operator's tool for a database. */
function toolFor(url: string, more: Record<string, string> = {}) {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "test",
    DATABASE_URL: url,
    BASE_URL: "http://localhost:9",
    SECRET_KEY: "k".repeat(32),
    ...more,
  };
  return async (...words: string[]) => {
    const lines: string[] = [];
    const status = await runCommand(words, env, { out: (text) => lines.push(text), err: (text) => lines.push(text) });
    return { status, out: lines.join("\n") };
  };
}

/** Starts the service once on a database, which makes real keys, and returns the tool for it. */
async function started(url: string) {
  const admin = toolFor(url);
  await admin("keys", "rotate");
  return admin;
}

describe.each(databaseKinds)("the doctor's check of free space on %s", (kind) => {
  it("uses a write that needs space", async () => {
    const url = kind === "sqlite" ? `file:${temporaryFolder()}/service.db` : await emptyDatabaseUrl(kind);
    const admin = await started(url);
    const well = await admin("doctor");
    expect(well.out).toMatch(/^ok +tables +\d+\.\d MB in total, \w+ \d+\.\d MB/m);
    expect(well.out).toMatch(/^(?:ok|note) +room +(?:\d+ MB free on the disk of |the database takes writes$)/m);
    expect(well.status).toBe(0);

    const db = await connect(url);
    await db.run(
      kind === "sqlite"
        ? `CREATE TRIGGER "full" BEFORE INSERT ON "WriteProbe" WHEN length(NEW."content") > 4096
           BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END`
        : `ALTER TABLE "WriteProbe" ADD CONSTRAINT "full" CHECK (length("content") <= 4096)`,
      [],
    );
    await db.close();
    const full = await admin("doctor");
    expect(full.out).toMatch(/^wrong +room +the database takes no writes \(.+\): make room on its disk/m);
    expect(full.status).toBe(1);
  });
});

describe.each(databaseKinds)("the doctor's check of event numbers on %s", (kind) => {
  let url: string;
  beforeAll(async () => {
    url = kind === "sqlite" ? `file:${temporaryFolder()}/service.db` : await emptyDatabaseUrl(kind);
    await started(url);
  });

  it.each([
    [0.4, "ok", 0],
    [0.6, "note", 0],
    [0.95, "wrong", 1],
  ])("reports for a used fraction of %d: %s", async (part, level, expected) => {
    const db = await connect(url);
    const used = Math.floor(part * Number.MAX_SAFE_INTEGER);
    await (kind === "sqlite"
      ? db.run(`UPDATE "sqlite_sequence" SET "seq" = $1`, [used])
      : db.all(`SELECT setval('"Event_position_seq"', $1)`, [used]));
    await db.close();
    const { status, out } = await toolFor(url)("doctor");
    expect(out).toMatch(new RegExp(`^${level} +sequence +${used} of \\d+ numbers of Event_position_seq are used`, "m"));
    expect(status).toBe(expected);
  });
});

describe("the doctor reports", () => {
  it("a write-ahead log that was removed while the service runs, before it opens the file", async () => {
    const url = `file:${temporaryFolder()}/service.db`;
    const admin = await started(url);
    const giveBack = claimDatabase(url);
    const running = await connect(url);
    await running.run(`UPDATE "Instance" SET "defaultLanguage" = 'en'`, []);
    expect((await admin("doctor")).status).toBe(0);
    rmSync(`${url.slice("file:".length)}-wal`);
    const { status, out } = await admin("doctor");
    expect(out).toMatch(/^wrong +write-ahead +.*-wal is gone while the service runs: stop the service in order/m);
    expect(out).not.toMatch(/^ok +database /m);
    expect(status).toBe(1);
    await running.close();
    giveBack();
  });

  it("more connections than PostgreSQL allows", async () => {
    const url = await emptyDatabaseUrl("postgresql");
    await started(url);
    const few = toolFor(url, { WORKERS: "1" });
    expect((await few("doctor")).out).toMatch(/^ok +connections +a node of 1 processes opens up to 21 of \d+$/m);
    const many = toolFor(url, { WORKERS: "100" });
    const { status, out } = await many("doctor");
    expect(out).toMatch(/^wrong +connections +a node of 100 processes opens up to \d+ of \d+: raise max_connections/m);
    expect(status).toBe(1);
  });
});

describe("the doctor's check of proxies", () => {
  let url: string;
  beforeAll(async () => {
    url = `file:${temporaryFolder()}/service.db`;
    await started(url);
  });

  it.each([
    ["10.1.0.0/16,192.0.2.7", "ok"],
    ["10.0.0.0/8", "note"],
    ["0.0.0.0/0", "note"],
    ["10.1.2.3,8.0.0.0/16", "note"],
    ["::/0", "note"],
  ])("names networks in which others could forge addresses and client certificates: %s", async (proxies, level) => {
    const admin = toolFor(url, { TRUSTED_PROXIES: proxies });
    expect((await admin("doctor")).out).toMatch(new RegExp(`^${level} +proxies `, "m"));
  });
});
