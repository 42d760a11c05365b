import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "./connect";
import { migrate } from "./migrate";
import { isUnavailable } from "./unavailable";

describe("an outage of the database", () => {
  it.each([
    ["no connection", { code: "ECONNREFUSED" }],
    ["a connection lost", { code: "08006" }],
    ["a server that shuts down", { code: "57P01" }],
    ["a standby", { code: "25006" }],
    ["a full disk under PostgreSQL", { code: "53100" }],
    ["a full disk", { code: "SQLITE_FULL" }],
    ["a busy file", { code: "SQLITE_BUSY_SNAPSHOT" }],
    ["a disk that fails", { code: "SQLITE_IOERR_WRITE" }],
    ["a file that became read-only", { code: "SQLITE_READONLY_DBMOVED" }],
    ["what an adapter wrapped", { cause: { kind: "sqlite", originalCode: "SQLITE_FULL" } }],
    ["what Prisma wrapped", { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: "57P03" } } } }],
    ["an adapter's lost connection", { cause: { kind: "ConnectionClosed" } }],
    [
      "a connection that was lost before",
      { message: "Client has encountered a connection error and is not queryable" },
    ],
    [
      "what Prisma has no code for",
      { code: "P2010", message: "Code: `N/A`. Message: `Server has closed the connection.`" },
    ],
    ["a pool without a free connection", { message: "timeout exceeded when trying to connect" }],
  ])("is %s", (_, error) => expect(isUnavailable(Object.assign(new Error(), error))).toBe(true));

  it.each([
    ["a mistake in a statement", { code: "42601" }],
    ["a broken rule", { code: "SQLITE_CONSTRAINT_UNIQUE" }],
    ["a row that is not there", { code: "P2025" }],
    ["anything else", { message: "x is not a function" }],
    ["nothing", null],
  ])("is not %s", (_, error) => expect(isUnavailable(error && Object.assign(new Error(), error))).toBe(false));
});

describe("a full disk under the embedded database", () => {
  const folder = mkdtempSync(join(tmpdir(), "full-"));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is an outage inside and outside of transactions, and over when there is room again", async () => {
    const file = join(folder, "service.db");
    await migrate(`file:${file}`, join(import.meta.dirname, "../../../prisma"));
    const database = await connect(`file:${file}`);
    // SQLite itself reports a full disk, at the configured size.
    const pages = (most: number) => `PRAGMA max_page_count = ${most}`;
    const size = new Sqlite(file).pragma("page_count", { simple: true }) as number;
    const long = "x".repeat(100_000);
    const row = (id: string) => ({ id, defaultLanguage: long, features: {}, security: {}, createdAt: new Date() });
    await database.prisma.$executeRawUnsafe(pages(size));
    const ways = [
      database.prisma.instance.create({ data: row("1") }),
      database.transaction((tx) => tx.instance.create({ data: row("2") })),
    ];
    for (const [index, outcome] of (await Promise.allSettled(ways)).entries()) {
      expect(outcome.status === "rejected" && isUnavailable(outcome.reason), `way ${index}`).toBe(true);
    }
    await database.prisma.$executeRawUnsafe(pages(size + 1000));
    await database.transaction((tx) => tx.instance.create({ data: row("4") }));
    await database.close();
  });
});
