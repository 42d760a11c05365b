import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KEY_FILE } from "../../config/secret-key";
import { root } from "../../root";
import { temporaryFolder } from "../../testing/database";
import { connect } from "./connect";
import { claimDatabase } from "./sqlite-lock";

/** Starts a process that holds the lock of the file, as a serving process does. */
async function processHolding(file: string) {
  const script = join(temporaryFolder(), "holder.mjs");
  const driver = join(root, "node_modules/better-sqlite3/lib/index.js");
  writeFileSync(
    script,
    `import Database from ${JSON.stringify(driver)};
     globalThis.held = new Database(${JSON.stringify(`${file}.lock`)});
     globalThis.held.exec("BEGIN EXCLUSIVE");
     process.send("held");
     setInterval(() => {}, 1e6);`,
  );
  const child = fork(script);
  await once(child, "message");
  return child;
}

describe("one process serves the embedded database", () => {
  it("refuses a second one in one line that names the setting, until the first has given it back", () => {
    const url = `file:${temporaryFolder()}/data/service.db`;
    const giveBack = claimDatabase(url);
    expect(() => claimDatabase(url)).toThrow(/^DATABASE_URL: another process serves .*service\.db already; [^\n]*$/);
    giveBack();
    claimDatabase(url)();
  });

  it("is not kept from it by a process that was killed", async () => {
    const file = `${temporaryFolder()}/service.db`;
    claimDatabase(`file:${file}`)();
    const holder = await processHolding(file);
    expect(() => claimDatabase(`file:${file}`)).toThrow("another process serves");
    holder.kill("SIGKILL");
    await once(holder, "exit");
    claimDatabase(`file:${file}`)();
  });

  it("follows symbolic links, also to a database that is gone", () => {
    const [file, other] = [`${temporaryFolder()}/service.db`, `${temporaryFolder()}/other.db`];
    const giveBack = claimDatabase(`file:${file}`);
    symlinkSync(file, other);
    expect(() => claimDatabase(`file:${other}`)).toThrow("another process serves");
    giveBack();
    claimDatabase(`file:${other}`)();
    rmSync(file);
    expect(() => claimDatabase(`file:${other}`)).toThrow(/is gone, but .*service\.db\.lock says/);
  });

  it("refuses a file that has a second name, by each of them, until one is removed", () => {
    const [file, other] = [`${temporaryFolder()}/service.db`, `${temporaryFolder()}/other.db`];
    const giveBack = claimDatabase(`file:${file}`);
    linkSync(file, other);
    const refusal = /^DATABASE_URL: .*(service|other)\.db has 2 names \(hard links\), [^\n]*$/;
    expect(() => claimDatabase(`file:${other}`)).toThrow(refusal);
    giveBack();
    expect(() => claimDatabase(`file:${file}`)).toThrow(refusal);
    rmSync(other);
    claimDatabase(`file:${file}`)();
  });

  it("lets the operator's tool work beside it", async () => {
    const url = `file:${temporaryFolder()}/service.db`;
    const giveBack = claimDatabase(url);
    const database = await connect(url);
    await database.run("CREATE TABLE t (id INTEGER)", []);
    await database.close();
    giveBack();
  });

  it("takes a key without its database for one whose database is lost, unless another database uses it", () => {
    const folder = temporaryFolder();
    const file = join(folder, "service.db");
    writeFileSync(join(folder, KEY_FILE), "k".repeat(43));
    expect(() => claimDatabase(`file:${file}`)).toThrow(/service\.db is gone, but [^\n]*secret\.key says/);
    expect(existsSync(file)).toBe(false);
    rmSync(join(folder, KEY_FILE));
    claimDatabase(`file:${join(folder, "other.db")}`)();
    writeFileSync(join(folder, KEY_FILE), "k".repeat(43));
    claimDatabase(`file:${file}`)();
    expect(existsSync(file)).toBe(true);
  });

  it("takes a database that is gone for lost, not for new", () => {
    const file = `${temporaryFolder()}/service.db`;
    claimDatabase(`file:${file}`)();
    rmSync(file);
    expect(() => claimDatabase(`file:${file}`)).toThrow(/^DATABASE_URL: .*service\.db is gone, but [^\n]*$/);
    rmSync(`${file}.lock`);
    claimDatabase(`file:${file}`)();
  });

  it("lets any number of processes serve PostgreSQL", () => {
    const url = "postgresql://localhost/db";
    claimDatabase(url);
    claimDatabase(url)();
  });
});
