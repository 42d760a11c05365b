import { statSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, vi } from "vitest";
import { connectTestDatabase, testDatabaseUrl } from "../../testing/database";
import { NOW, sampleOrganization } from "../../testing/database-conformance/rows";

const ORGANIZATION = { id: "prisma", name: "", state: "active", createdAt: NOW };

describe("the embedded database", () => {
  it("stores times as integer milliseconds through every interface", async () => {
    const url = await testDatabaseUrl("sqlite");
    const db = await connectTestDatabase(url);
    await db.commit({ inserts: [sampleOrganization("hot")] });
    await db.run(`INSERT INTO "Organization" ("id", "name", "state", "createdAt") VALUES ('run', '', '', $1)`, [NOW]);
    await db.prisma.organization.create({ data: ORGANIZATION });
    const stored = await db.all(`SELECT DISTINCT "createdAt", typeof("createdAt") AS "type" FROM "Organization"`, []);
    expect(stored).toEqual([{ createdAt: +NOW, type: "integer" }]);
  });

  it("keeps working with more statements than it keeps prepared", async () => {
    const db = await connectTestDatabase(await testDatabaseUrl("sqlite"));
    for (let i = 0; i < 1200; i++) expect(await db.one(`SELECT $1 + ${i} AS "n"`, [1])).toEqual({ n: i + 1 });
  });

  it("prepares a statement of joins once, whatever values it is given", async () => {
    const db = await connectTestDatabase(await testDatabaseUrl("sqlite"));
    const token = { clientId: "c", scope: "", audience: "", createdAt: NOW, expiresAt: NOW };
    for (const id of ["t0", "t1"]) await db.commit({ inserts: [{ table: "AccessToken", row: { id, ...token } }] });
    const makeRow = vi.spyOn(globalThis, "Function"); // compiled by the driver per statement
    for (let n = 0; n < 20; n++) {
      const row = await db.one<{ id: string }>(
        `SELECT t."id", u."name" FROM "AccessToken" t LEFT JOIN "User" u ON u."id" = t."userId"
          WHERE t."id" = $1 AND t."expiresAt" > $2`,
        [`t${n % 2}`, n],
      );
      expect(row?.id).toBe(`t${n % 2}`);
    }
    expect(makeRow).toHaveBeenCalledTimes(1);
    makeRow.mockRestore();
  });

  it("takes turns with another process that writes, for instance the admin command", async () => {
    const url = await testDatabaseUrl("sqlite");
    const db = await connectTestDatabase(url);
    const other = new BetterSqlite3(url.slice("file:".length));
    await db.commit({ inserts: [sampleOrganization("a")] });
    other.exec(`UPDATE "Organization" SET "name" = 'other'`);
    expect(await db.one(`SELECT "name" FROM "Organization"`, [])).toEqual({ name: "other" });
    await db.transaction(async (tx) => {
      expect((await tx.organization.findFirstOrThrow()).name).toBe("other");
      await tx.organization.create({ data: ORGANIZATION });
    });
    expect(other.prepare(`SELECT COUNT(*) AS "n" FROM "Organization"`).get()).toEqual({ n: 2 });
    other.close();
  });

  it("lets everything else go on while another process writes", async () => {
    const url = await testDatabaseUrl("sqlite");
    const db = await connectTestDatabase(url);
    await db.commit({ inserts: [sampleOrganization("a")] });
    await db.transaction((tx) => tx.organization.count());
    const other = new BetterSqlite3(url.slice("file:".length));
    other.exec("BEGIN IMMEDIATE");
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const writes = Promise.all([
      db.commit({ inserts: [sampleOrganization("b")] }),
      db.transaction((tx) => tx.organization.create({ data: ORGANIZATION })),
      db.prisma.organization.create({ data: { ...ORGANIZATION, id: "c" } }),
    ]);
    await expect.poll(() => turns).toBeGreaterThan(20);
    other.exec("COMMIT");
    clearInterval(timer);
    await writes;
    expect(await db.prisma.organization.count()).toBe(4);
    other.close();
  });

  it("returns the space of the write-ahead log that grew during a long read", async () => {
    const url = await testDatabaseUrl("sqlite");
    const db = await connectTestDatabase(url);
    const file = url.slice("file:".length);
    const limit = 64 * 1024 * 1024;
    await db.run(`CREATE TABLE "Filler" ("content" BLOB)`, []);
    const reader = new BetterSqlite3(file);
    reader.exec("BEGIN");
    reader.prepare(`SELECT COUNT(*) FROM "Filler"`).get();
    for (let i = 0; i < 9; i++) await db.run(`INSERT INTO "Filler" VALUES (zeroblob($1))`, [8 * 1024 * 1024]);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(limit);
    reader.close();
    for (let i = 0; i < 3; i++) await db.run(`INSERT INTO "Filler" VALUES (zeroblob($1))`, [1]);
    expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(limit);
  });
});
