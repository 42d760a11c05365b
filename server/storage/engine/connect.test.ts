import { once } from "node:events";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { postgresUrl, temporaryFolder } from "../../testing/database";
import { connect } from "./connect";
import { migrate } from "./migrate";

const mode = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);

describe("opening an SQLite file", () => {
  it("makes folder and files that are their owner's alone", async () => {
    const folder = `${temporaryFolder()}/a/b`;
    const database = await connect(`file:${folder}/service.db`);
    await database.run("CREATE TABLE t (id INTEGER)", []);
    expect(mode(folder)).toBe("700");
    expect(fs.readdirSync(folder).sort()).toEqual(["service.db", "service.db-shm", "service.db-wal"]);
    for (const name of fs.readdirSync(folder)) expect(mode(`${folder}/${name}`)).toBe("600");
    await database.close();
    expect(fs.readdirSync(folder)).toEqual(["service.db"]);
  });

  it("notices that its file was removed or replaced: what is written from then on would be lost", async () => {
    const file = `${temporaryFolder()}/service.db`;
    const database = await connect(`file:${file}`);
    await database.ping();
    fs.renameSync(file, `${file}.moved`);
    await expect(database.ping()).rejects.toThrow("service.db was removed or replaced");
    fs.copyFileSync(`${file}.moved`, file);
    await expect(database.ping()).rejects.toThrow("service.db was removed or replaced");
    fs.renameSync(`${file}.moved`, file);
    await database.ping();
    await database.close();
  });

  it("notices that its write-ahead log was removed, and with it what was acknowledged", async () => {
    const file = `${temporaryFolder()}/service.db`;
    const database = await connect(`file:${file}`);
    await database.run("CREATE TABLE t (id INTEGER)", []);
    await database.ping();
    fs.renameSync(`${file}-wal`, `${file}-wal.moved`);
    await expect(database.ping()).rejects.toThrow("service.db-wal was removed or replaced");
    fs.renameSync(`${file}-wal.moved`, `${file}-wal`);
    await database.ping();
    await database.close();
  });

  it("waits for the disk at every commit, and checks foreign keys", async () => {
    const database = await connect(`file:${temporaryFolder()}/test.db`);
    expect(await database.all("PRAGMA journal_mode", [])).toEqual([{ journal_mode: "wal" }]);
    expect(await database.all("PRAGMA synchronous", [])).toEqual([{ synchronous: 2 }]);
    expect(await database.all("PRAGMA foreign_keys", [])).toEqual([{ foreign_keys: 1 }]);
    await database.close();
  });

  it("takes file: URLs with three slashes, too", async () => {
    const file = `${temporaryFolder()}/with space.db`;
    await (await connect(pathToFileURL(file).href)).close();
    expect(fs.existsSync(file)).toBe(true);
  });

  it("never writes where it should only read", async () => {
    const database = await connect(`file:${temporaryFolder()}/test.db`);
    await database.run("CREATE TABLE t (id INTEGER)", []);
    await expect(database.one("INSERT INTO t VALUES (1) RETURNING id", [])).rejects.toThrow("readonly");
    await database.close();
  });
});

describe("a folder that cannot be created", () => {
  it("is refused at once", async () => {
    await expect(connect("file:/proc/nope/deeper/x.db")).rejects.toThrow(/^DATABASE_URL: cannot open .*ENOENT/);
  });
});

describe.each([
  ["connecting", (url: string) => connect(url)],
  ["migrating", (url: string) => migrate(url, new URL("../../../prisma", import.meta.url).pathname)],
])("%s says in one line what is wrong", (_, open) => {
  it.each(["mysql://localhost/db", "service.db", "", "postgresql:nonsense", "file"])("with %j", async (url) => {
    await expect(open(url)).rejects.toThrow(/^The database's URL must start with file: or postgresql:\/\/$/);
  });

  it.each(["file:", "file::memory:"])("with %j", async (url) => {
    await expect(open(url)).rejects.toThrow("The database's URL must name a file after file:");
  });

  it("with a folder that cannot be made", async () => {
    const file = `${temporaryFolder()}/file`;
    fs.writeFileSync(file, "");
    await expect(open(`file:${file}/test.db`)).rejects.toThrow(
      /^DATABASE_URL: cannot open the database file .*test\.db: E[A-Z]+: .*$/,
    );
  });

  it("with a folder in place of the file", async () => {
    await expect(open(`file:${temporaryFolder()}`)).rejects.toThrow(
      /^DATABASE_URL: cannot open the database file .*: EISDIR: .*$/,
    );
  });

  it("with a file that is something else", async () => {
    const file = `${temporaryFolder()}/letter.txt`;
    fs.writeFileSync(file, "Dear reader, ".repeat(1000));
    await expect(open(`file:${file}`)).rejects.toThrow(
      /^DATABASE_URL: cannot open the database file .*: file is not a database$/,
    );
  });

  it("without a listener, and does not reveal the password", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const error = await open(`postgresql://me:secret@127.0.0.1:${port}/db`).catch((e) => e);
    expect(error.message).toBe(
      `DATABASE_URL: cannot open PostgreSQL at 127.0.0.1:${port}/db: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  it("with a database that does not exist", async () => {
    const url = new URL(await postgresUrl());
    url.pathname = "/nowhere";
    await expect(open(url.href)).rejects.toThrow(
      /^DATABASE_URL: cannot open PostgreSQL at .*: database "nowhere" does not exist$/,
    );
  });
});
