import type { SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { describe, expect, it } from "vitest";
import { connectTestDatabase, databaseKinds, testDatabaseUrl, testPool } from "../../testing/database";
import { createMutex } from "./mutex";
import { createNestingCheck } from "./nesting";
import { safePostgresql } from "./safe-postgresql";
import { safeSqlite } from "./safe-sqlite";

const open: Record<string, (url: string) => SqlDriverAdapterFactory> = {
  sqlite: (url) =>
    safeSqlite({
      path: url.slice("file:".length),
      mutex: createMutex(1000),
      nesting: createNestingCheck(false),
      isClosed: () => false,
    }),
  postgresql: (url) => safePostgresql(testPool(url, 1)),
};

const statement = (sql: string) => ({ sql, args: [], argTypes: [] });
const insert = (id: string) => statement(`INSERT INTO "UsedAssertion" VALUES ('${id}', CURRENT_TIMESTAMP)`);

describe.each(databaseKinds)("a transaction of Prisma's adapter: %s", (kind) => {
  it.each(["COMMIT", "ROLLBACK"])("runs its statements in their order, and none after its %s", async (end) => {
    const url = await testDatabaseUrl(kind);
    const adapter = await open[kind]?.(url).connect();
    const transaction = await adapter?.startTransaction();
    if (!adapter || !transaction) throw new Error(kind);
    const started = performance.now();
    while (performance.now() - started < 50); // other tasks run before the next statement
    const inside = transaction.executeRaw(insert("inside"));
    const ended = transaction.executeRaw(statement(end));
    await expect(transaction.executeRaw(insert("late"))).rejects.toThrow("the transaction has ended");
    await Promise.all([inside, ended]);
    await (end === "COMMIT" ? transaction.commit() : transaction.rollback());
    await expect(transaction.queryRaw(insert("later"))).rejects.toThrow("the transaction has ended");
    await adapter.dispose();
    const db = await connectTestDatabase(url);
    const rows = await db.all(`SELECT "id" FROM "UsedAssertion"`, []);
    expect(rows).toEqual(end === "COMMIT" ? [{ id: "inside" }] : []);
  });
});
