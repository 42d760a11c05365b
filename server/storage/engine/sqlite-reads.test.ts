import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PRAGMAS } from "./safe-sqlite";
import { readingWith } from "./sqlite-database";

let folder: string;
let writer: BetterSqlite3.Database;
let reader: BetterSqlite3.Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reads-"));
  [writer, reader] = [0, 1].map(() => new BetterSqlite3(join(folder, "test.db"))) as [typeof writer, typeof reader];
  for (const connection of [writer, reader]) connection.exec(PRAGMAS);
  writer.exec(`CREATE TABLE "t" ("n" INTEGER); INSERT INTO "t" VALUES (1)`);
  reader.exec("PRAGMA query_only = ON");
});

afterEach(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

const COUNT = `SELECT COUNT(*) AS "n" FROM "t"`;

describe("reads by the connection that writes", () => {
  it("see what is committed, by whomever, and nothing else", () => {
    const read = readingWith(writer, reader);
    expect(read.one(COUNT, [])).toEqual({ n: 1 });
    writer.exec(`BEGIN IMMEDIATE; INSERT INTO "t" VALUES (2)`);
    expect(read.one(COUNT, [])).toEqual({ n: 1 });
    expect(read.all(`SELECT "n" FROM "t"`, [])).toEqual([{ n: 1 }]);
    writer.exec("COMMIT");
    expect(read.one(COUNT, [])).toEqual({ n: 2 });
    reader.exec(`PRAGMA query_only = OFF; INSERT INTO "t" VALUES (3)`); // as another process would
    expect(read.all(`SELECT "n" FROM "t" ORDER BY "n"`, [])).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it("change nothing", () => {
    const read = readingWith(writer, reader);
    for (const ask of [read.one, read.all]) {
      expect(() => ask(`INSERT INTO "t" VALUES (2) RETURNING "n"`, [])).toThrow("readonly");
    }
    expect(read.one(COUNT, [])).toEqual({ n: 1 });
  });

  it("are the reader's where the file is not free, which waits for it; other errors are theirs", () => {
    const failing = (code: string) => {
      const get = () => {
        throw Object.assign(new Error("from the writer"), { code });
      };
      return { inTransaction: false, prepare: () => ({ readonly: true, get }) } as unknown as BetterSqlite3.Database;
    };
    expect(readingWith(failing("SQLITE_BUSY"), reader).one(COUNT, [])).toEqual({ n: 1 });
    expect(() => readingWith(failing("SQLITE_IOERR"), reader).one(COUNT, [])).toThrow("from the writer");
  });
});
