import { existsSync, readdirSync, readlinkSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/database";
import { createGroupCommit, type GroupCommit } from "./group-commit";
import { createMutex, type Mutex } from "./mutex";

let file: string;
let connection: BetterSqlite3.Database;
let mutex: Mutex;
let group: GroupCommit;
let commits: number;
let savepoints: number;

beforeEach(() => {
  file = `${temporaryFolder()}/group.db`;
  commits = 0;
  savepoints = 0;
  const verbose = (sql: unknown) => {
    if (sql === "COMMIT") commits++;
    if (sql === "SAVEPOINT unit") savepoints++;
  };
  connection = new BetterSqlite3(file, { verbose });
  connection.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY)");
  mutex = createMutex(50);
  group = createGroupCommit(connection, mutex);
});

const insert = (id: number) => () => connection.prepare("INSERT INTO t VALUES (?)").run(id).changes;
/** The open files of this process, on systems that list them. */
const OPEN_FILES = "/proc/self/fd";
function linkOf(id: string): string {
  try {
    return readlinkSync(`${OPEN_FILES}/${id}`);
  } catch {
    return ""; // closed meanwhile
  }
}
/** Returns what another connection sees, which is only committed data. */
const committed = () => {
  const other = new BetterSqlite3(file, { readonly: true });
  const rows = other.prepare("SELECT id FROM t ORDER BY id").pluck().all();
  other.close();
  return rows;
};

describe("group commit", () => {
  it("makes what arrives in one turn durable by one commit, and answers after it", async () => {
    let answered = 0;
    const units = [1, 2, 3].map(async (id) => {
      await group.submit(insert(id));
      answered++;
      expect(committed()).toEqual([1, 2, 3]);
    });
    expect(answered).toBe(0);
    await Promise.all(units);
    expect(commits).toBe(1);
  });

  it("rejects a unit that fails alone and undoes what it had done", async () => {
    const failing = () => {
      insert(7)();
      return insert(1)();
    };
    const results = await Promise.allSettled([insert(1), failing, insert(2)].map(group.submit));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(committed()).toEqual([1, 2]);
    expect(commits).toBe(1);
  });

  it("rolls back a unit that fails alone, and continues with the next one", async () => {
    const failing = group.submit(() => {
      insert(7)();
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    expect(connection.inTransaction).toBe(false);
    await group.submit(insert(2));
    expect(committed()).toEqual([2]);
  });

  it.runIf(existsSync(OPEN_FILES))("keeps in memory what a unit of many pages is undone with", async () => {
    const temporary = () => readdirSync(OPEN_FILES).filter((id) => linkOf(id).includes("etilqs_")); // SQLite's name for them
    connection.exec("CREATE TABLE large (page INTEGER PRIMARY KEY, content)");
    const fill = connection.prepare("INSERT INTO large VALUES (?, randomblob(4000))");
    for (let page = 0; page < 40; page++) fill.run(page);
    let found: string[] | undefined;
    const change = () => {
      connection.exec("UPDATE large SET content = randomblob(4000)");
      found = temporary();
      throw new Error("undone");
    };
    const before = connection.prepare("SELECT page, hex(content) FROM large").all();
    const results = await Promise.allSettled([insert(1), change].map(group.submit));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(found).toEqual([]);
    expect(connection.prepare("SELECT page, hex(content) FROM large").all()).toEqual(before);
  });

  it("gives a savepoint only to units that share a transaction", async () => {
    await group.submit(insert(1));
    expect(savepoints).toBe(0);
    await Promise.all([2, 3].map((id) => group.submit(insert(id))));
    expect(savepoints).toBe(2);
  });

  it("rejects all units of a batch whose transaction cannot commit, and continues with the next batch", async () => {
    connection.exec("PRAGMA foreign_keys = ON; CREATE TABLE c (t INTEGER REFERENCES t DEFERRABLE INITIALLY DEFERRED)");
    const orphan = () => connection.prepare("INSERT INTO c VALUES (99)").run();
    const results = await Promise.allSettled([group.submit(insert(1)), group.submit(orphan)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(committed()).toEqual([]);
    expect(connection.inTransaction).toBe(false);
    await group.submit(insert(2));
    expect(committed()).toEqual([2]);
  });

  it("commits long queues in several batches", async () => {
    await Promise.all(Array.from({ length: 1100 }, (_, id) => group.submit(insert(id))));
    expect(committed()).toHaveLength(1100);
    expect(commits).toBe(3);
  });

  it("collects what arrives while another writes", async () => {
    const release = await mutex.lock();
    const first = group.submit(insert(1));
    await new Promise((resolve) => setImmediate(resolve));
    const second = group.submit(insert(2));
    release();
    await Promise.all([first, second]);
    expect(commits).toBe(1);
  });

  it("rejects units that waited too long for the writer, and continues afterwards", async () => {
    const release = await mutex.lock();
    await expect(group.submit(insert(1))).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    release();
    await group.submit(insert(2));
    expect(committed()).toEqual([2]);
  });
});
