import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, vi } from "vitest";
import { afterwards, testDatabaseUrl } from "../../testing/database";
import { PrismaClient } from "../generated/sqlite/client";
import { createMutex } from "./mutex";
import { createNestingCheck } from "./nesting";
import { safeSqlite } from "./safe-sqlite";

const PATIENCE = 1_000;

async function open(kind: "safe" | "stock" = "safe", findNested = false) {
  const file = (await testDatabaseUrl("sqlite")).slice("file:".length);
  const mutex = createMutex(PATIENCE);
  const nesting = createNestingCheck(findNested);
  let closed = false;
  const adapter =
    kind === "safe"
      ? safeSqlite({ path: file, mutex, nesting, isClosed: () => closed })
      : new PrismaBetterSqlite3({ url: `file:${file}` }, { timestampFormat: "unixepoch-ms" });
  const prisma = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: 5 * PATIENCE, timeout: 2 * PATIENCE },
  });
  afterwards(() => prisma.$disconnect());
  const create = (id: string) => ({ data: { id, name: id, state: "active", createdAt: new Date(0) } });
  const ids = async () => (await prisma.organization.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);
  const close = () => {
    closed = true;
    return prisma.$disconnect();
  };
  return { file, prisma, mutex, nesting, create, ids, close };
}

/** A transaction that has written "inside" and waits for the function that ends it. */
async function openTransaction({ prisma, create }: Awaited<ReturnType<typeof open>>) {
  let end: (error?: Error) => void = () => {};
  const told = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const result = prisma.$transaction(async (tx) => {
    await tx.organization.create(create("inside"));
    begun();
    await told;
  });
  result.catch(() => {});
  await hasBegun;
  return { end, result };
}

describe("a write that is acknowledged beside a transaction that is rolled back", () => {
  it("survives", async () => {
    const db = await open();
    const { end, result } = await openTransaction(db);
    const beside = db.prisma.organization.create(db.create("beside"));
    end(new Error("no"));
    await expect(result).rejects.toThrow("no");
    await beside;
    expect(await db.ids()).toEqual(["beside"]);
  });

  it("is lost with the stock adapter, which is why there is ours", async () => {
    const db = await open("stock");
    const { end, result } = await openTransaction(db);
    await db.prisma.organization.create(db.create("beside"));
    end(new Error("no"));
    await expect(result).rejects.toThrow("no");
    expect(await db.ids()).toEqual([]);
  });
});

describe("a transaction on SQLite", () => {
  it("is not seen before it is committed", async () => {
    const db = await open();
    const { end, result } = await openTransaction(db);
    expect(await db.ids()).toEqual([]);
    expect(await db.prisma.$queryRaw`SELECT "id" FROM "Organization"`).toEqual([]);
    end();
    await result;
    expect(await db.ids()).toEqual(["inside"]);
  });

  it("has the file's write lock from its beginning", async () => {
    const db = await open();
    const other = new BetterSqlite3(db.file, { timeout: 0 });
    await db.prisma.$transaction(async (tx) => {
      expect(await tx.organization.count()).toBe(0);
      expect(() => other.exec("BEGIN IMMEDIATE")).toThrow("locked");
    });
    other.exec("BEGIN IMMEDIATE; ROLLBACK");
    other.close();
  });

  it("waits for the writer of another process no longer than the busy timeout, and leaves the lock free", async () => {
    const db = await open();
    await db.ids(); // opens the connections
    const other = new BetterSqlite3(db.file, { timeout: 0 });
    other.exec("BEGIN IMMEDIATE");
    await expect(db.prisma.$transaction((tx) => tx.organization.create(db.create("a")))).rejects.toThrow();
    other.exec("ROLLBACK");
    other.close();
    await db.prisma.$transaction((tx) => tx.organization.create(db.create("b")));
    expect(await db.ids()).toEqual(["b"]);
  });

  it("gives the lock back when a statement fails", async () => {
    const db = await open();
    const twice = db.prisma.$transaction(async (tx) => {
      await tx.organization.create(db.create("a"));
      await tx.organization.create(db.create("a"));
    });
    await expect(twice).rejects.toThrow("Unique constraint");
    await expect(db.prisma.$executeRaw`INSERT INTO nowhere VALUES (1)`).rejects.toThrow("nowhere");
    await expect(db.prisma.domain.create({ data: {} as never })).rejects.toThrow();
    await db.prisma.organization.create(db.create("b"));
    await db.prisma.$transaction((tx) => tx.organization.create(db.create("c")));
    expect(await db.ids()).toEqual(["b", "c"]);
    expect(db.mutex.tryLock()).toBeTypeOf("function");
  });

  it("leaves nothing open when its COMMIT fails", async () => {
    const db = await open();
    const orphan = db.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`PRAGMA defer_foreign_keys = ON`; // until COMMIT
      await tx.$executeRaw`INSERT INTO "Domain" ("organizationId", "domain", "isVerified", "isPrimary", "createdAt") VALUES ('nobody', 'd', true, true, 0)`;
    });
    await expect(orphan).rejects.toThrow(/foreign ?key/i);
    await db.prisma.$transaction((tx) => tx.organization.create(db.create("next")));
    expect(await db.prisma.domain.count()).toBe(0);
    expect(await db.ids()).toEqual(["next"]);
  });

  it("gives the lock back when it takes too long, and is rolled back", async () => {
    const db = await open();
    const { end, result } = await openTransaction(db);
    const waiting = db.mutex.lock(); // runs out of patience before the transaction times out
    await expect(waiting).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    // The transaction times out a little later; on a busy machine, also later than another one's patience.
    await vi.waitFor(() => db.prisma.organization.create(db.create("after")), { timeout: 60_000 });
    end();
    await expect(result).rejects.toThrow(/expired transaction|already closed/i);
    expect(await db.ids()).toEqual(["after"]);
  });

  it("lets others have a turn between its statements", async () => {
    const db = await open();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const busy = db.prisma.$transaction(
      async (tx) => {
        while (turns < 5) await tx.organization.count();
      },
      { timeout: 100_000 },
    );
    await expect(busy.finally(() => clearInterval(timer))).resolves.toBeUndefined();
  });

  it("lets its own time-out have a turn", async () => {
    const db = await open();
    const endless = db.prisma.$transaction(async (tx) => {
      for (;;) await tx.organization.count();
    });
    await expect(endless).rejects.toThrow(/expired transaction|already closed/i);
  });

  it("does not keep a lock it got after its caller had given up", async () => {
    const db = await open();
    const release = await db.mutex.lock();
    const late = db.prisma.$transaction((tx) => tx.organization.create(db.create("late")), { maxWait: 20 });
    await expect(late).rejects.toThrow("Unable to start a transaction");
    release();
    await db.prisma.organization.create(db.create("next"));
    expect(await db.ids()).toEqual(["next"]);
  });

  it("makes nested ones a part of itself", async () => {
    const db = await open();
    await db.prisma.$transaction(async (tx) => {
      await tx.organization.create(db.create("outer"));
      const inner = tx.$transaction(async (nested) => {
        await nested.organization.create(db.create("inner"));
        throw new Error("no");
      });
      await expect(inner).rejects.toThrow("no");
    });
    expect(await db.ids()).toEqual(["outer"]);
  });

  it("fails, rather than waits for ever, when it writes round itself", async () => {
    const db = await open();
    const nested = db.prisma.$transaction(async (tx) => {
      await tx.organization.create(db.create("inside"));
      await db.prisma.organization.create(db.create("round"));
    });
    await expect(nested).rejects.toThrow(`another write has not ended within ${PATIENCE} ms`);
    expect(await db.ids()).toEqual([]);
  });

  it("fails at once in tests when it writes round itself", async () => {
    const db = await open("safe", true);
    const nested = db.prisma.$transaction((tx) =>
      db.nesting.inside(async () => {
        await tx.organization.create(db.create("inside"));
        await db.prisma.organization.create(db.create("round"));
      }),
    );
    await expect(nested).rejects.toThrow("inside a transaction goes round it");
    expect(await db.ids()).toEqual([]);
  });

  it("is rolled back when the database closes, and nothing opens it again", async () => {
    const db = await open();
    const { end, result } = await openTransaction(db);
    await db.close();
    end();
    await expect(result).rejects.toThrow();
    await expect(db.ids()).rejects.toThrow("the database is closed");
    const other = new BetterSqlite3(db.file);
    expect(other.prepare(`SELECT COUNT(*) AS n FROM "Organization"`).get()).toEqual({ n: 0 });
    other.close();
  });
});
