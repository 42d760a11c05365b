import { afterEach, describe, expect, it } from "vitest";
import { migrationsFolder } from "../../root";
import { afterwards, connectTestDatabase, emptyDatabaseUrl, testDatabaseUrl } from "../../testing/database";
import { NOW, sampleOrganization } from "../../testing/database-conformance/rows";
import { network } from "../../testing/network";
import type { Database } from "../database";
import { connect } from "./connect";
import { migrate } from "./migrate";
import { isUnavailable } from "./unavailable";

async function changeableDatabaseUrl(): Promise<string> {
  const url = await emptyDatabaseUrl("postgresql");
  await migrate(url, migrationsFolder);
  return url;
}

const pid = async (db: Database) => (await db.one<{ pid: number }>("SELECT pg_backend_pid() AS pid", []))?.pid;

describe("PostgreSQL that goes away", () => {
  it("is an error for statements in the meantime, and recovers afterwards", async () => {
    const net = await network(await testDatabaseUrl("postgresql"));
    const db = await connectTestDatabase(net.url);
    const transaction = db.transaction(async (tx) => {
      await tx.organization.create({ data: { id: "lost", name: "", state: "active", createdAt: NOW } });
      await net.cut();
      await tx.organization.count();
    });
    await expect(transaction).rejects.toThrow();
    await expect(db.one("SELECT 1", [])).rejects.toThrow();
    await expect(db.commit({ inserts: [sampleOrganization("o")] })).rejects.toThrow();
    await expect(db.prisma.organization.count()).rejects.toThrow();
    await expect(db.ping()).rejects.toThrow();
    await net.restore();
    await expect
      .poll(() =>
        db.ping().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await db.commit({ inserts: [sampleOrganization("o")] });
    expect(await db.prisma.organization.count()).toBe(1);
  });

  it("ends connections at its restart without ending us", async () => {
    const url = await testDatabaseUrl("postgresql");
    const db = await connectTestDatabase(url);
    const other = await connectTestDatabase(url);
    await Promise.all(Array.from({ length: 5 }, () => db.one("SELECT pg_sleep(0.01)", [])));
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()`;
    expect(await other.all(end, [])).not.toEqual([]);
    await expect.poll(() => db.one("SELECT 1 AS one", []).catch(() => undefined)).toEqual({ one: 1 });
    await db.transaction((tx) => tx.organization.count());
  });

  it("is queried over new connections after the old ones broke without an error", async () => {
    const net = await network(await testDatabaseUrl("postgresql"));
    const db = await connect(net.url, { poolSize: 2, silenceLimit: 1_000 });
    afterwards(() => db.close());
    let heard = 0;
    await db.onAnnouncement(() => heard++);
    await Promise.all([db.one("SELECT pg_sleep(0.1)", []), db.transaction((tx) => tx.organization.count())]);
    const before = heard;
    net.forget();
    const asked = [
      db.one("SELECT 1", []),
      db.commit({ inserts: [sampleOrganization("o")] }),
      db.prisma.organization.count(),
      db.transaction((tx) => tx.organization.count()),
    ];
    for (const outcome of await Promise.allSettled(asked)) {
      if (outcome.status === "rejected") expect(isUnavailable(outcome.reason)).toBe(true);
    }
    // On a machine that is busy for longer than the limit, a living connection is also taken for a dead one.
    const answered = async () => {
      await Promise.all(Array.from({ length: 4 }, () => db.one("SELECT 1", [])));
      await db.transaction((tx) => tx.organization.count());
      return true;
    };
    await expect.poll(() => answered().catch((error) => (isUnavailable(error) ? false : error))).toBe(true);
    await expect.poll(() => heard).toBeGreaterThan(before); // it listens again
    const after = heard;
    await expect.poll(() => db.announce().then(() => heard)).toBeGreaterThan(after);
  });

  it("is noticed within a second when it does not answer", async () => {
    const net = await network(await testDatabaseUrl("postgresql"));
    const db = await connectTestDatabase(net.url);
    net.silence(true);
    await expect(db.ping()).rejects.toThrow("did not answer within a second");
    await net.cut();
  });
});

describe("hot statements on PostgreSQL", () => {
  it("keep their connection after an error of their own", async () => {
    const db = await connect(await testDatabaseUrl("postgresql"), { poolSize: 1 });
    afterwards(() => db.close());
    const before = await pid(db);
    await db.commit({ inserts: [sampleOrganization("o")] });
    await expect(db.commit({ inserts: [sampleOrganization("o")] })).rejects.toThrow("duplicate key");
    await expect(db.one("SELECT nothing", [])).rejects.toThrow();
    expect(await pid(db)).toBe(before);
  });

  it("outlive a migration that changes their table", async () => {
    const url = await changeableDatabaseUrl();
    const db = await connectTestDatabase(url);
    const read = () => db.one(`SELECT * FROM "UsedAssertion"`, []);
    await db.run(`INSERT INTO "UsedAssertion" ("id", "expiresAt") VALUES ('a', $1)`, [NOW]);
    await Promise.all(Array.from({ length: 5 }, read));
    await db.run(`ALTER TABLE "UsedAssertion" ADD COLUMN "note" TEXT`, []);
    const rows = await Promise.all(Array.from({ length: 10 }, read));
    expect(rows).toEqual(rows.map(() => ({ id: "a", expiresAt: +NOW, note: null })));
  });

  it("end by themselves after five seconds", async () => {
    const db = await connectTestDatabase(await testDatabaseUrl("postgresql"));
    expect(await db.one("SHOW statement_timeout", [])).toEqual({ statement_timeout: "5s" });
    expect(await db.one("SHOW idle_in_transaction_session_timeout", [])).not.toMatchObject({
      idle_in_transaction_session_timeout: "0",
    });
  });

  describe("in any time zone of process and server", () => {
    const zone = process.env.TZ;
    afterEach(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });

    it.each(["America/New_York", "Asia/Kathmandu"])("keep times in UTC: %s", async (name) => {
      process.env.TZ = name;
      const url = await changeableDatabaseUrl();
      const first = await connectTestDatabase(url);
      const database = new URL(url).pathname.slice(1);
      await first.run(`ALTER DATABASE "${database}" SET timezone = 'Europe/Berlin'`, []);
      const db = await connectTestDatabase(url);
      expect(await db.one("SHOW timezone", [])).toEqual({ TimeZone: "Europe/Berlin" });
      await db.commit({ inserts: [sampleOrganization("hot")] });
      await db.prisma.organization.create({ data: { id: "prisma", name: "", state: "active", createdAt: NOW } });
      const rows = await db.all(`SELECT "createdAt", "createdAt"::text AS "text" FROM "Organization"`, []);
      expect(rows).toEqual(rows.map(() => ({ createdAt: +NOW, text: "2026-03-29 01:30:00.123" })));
      expect((await db.prisma.organization.findMany()).map((row) => +row.createdAt)).toEqual([+NOW, +NOW]);
      expect(await db.one(`SELECT $1::timestamptz AS t`, ["2026-03-29T03:30:00.5+02"])).toEqual({ t: 1774747800500 });
    });
  });
});

describe("units on PostgreSQL", () => {
  it("are committed again when they lose a deadlock", async () => {
    const url = await testDatabaseUrl("postgresql");
    const [db, observer] = [await connectTestDatabase(url), await connectTestDatabase(url)];
    await db.commit({ inserts: [sampleOrganization("a"), sampleOrganization("b")] });
    const rename = (id: string) => ({
      sql: `UPDATE "Organization" SET "name" = $1 WHERE "id" = $2`,
      values: ["u", id],
    });
    const waiting = `SELECT COUNT(*) AS "count" FROM pg_stat_activity
      WHERE datname = current_database() AND "wait_event_type" = 'Lock'`;
    /**
     * Commits a unit as a sign-in does, concurrently with a change of the same user: the unit has locked b and waits
     * for a.
     * @returns whether the unit lost. PostgreSQL checks for a deadlock once, a second after a wait begins. If it
     * notices late that the unit waits, the transaction loses instead.
     */
    const didUnitLose = async () => {
      let attempts = 0;
      let begin = () => {};
      const unit = new Promise<void>((resolve) => {
        begin = resolve;
      }).then(() => db.commit({ guard: rename("b"), inserts: [], updates: [rename("a")] }));
      await db.transaction(async (tx) => {
        if (++attempts > 1) return;
        await tx.organization.update({ where: { id: "a" }, data: { name: "t" } });
        begin();
        await expect.poll(async () => Number((await observer.one<{ count: number }>(waiting, []))?.count)).toBe(1);
        await tx.organization.update({ where: { id: "b" }, data: { name: "t" } });
      });
      expect(await unit).toBe(true);
      return attempts === 1;
    };
    while (!(await didUnitLose()));
    expect((await db.prisma.organization.findMany()).map(({ name }) => name)).toEqual(["u", "u"]);
  });
});

describe("transactions on PostgreSQL", () => {
  it("are run again when they lose a deadlock", async () => {
    const db = await connectTestDatabase(await testDatabaseUrl("postgresql"));
    await db.commit({ inserts: [sampleOrganization("a"), sampleOrganization("b")] });
    let runs = 0;
    let arrived = 0;
    let bothArrived = () => {};
    const both = new Promise<void>((resolve) => {
      bothArrived = resolve;
    });
    const rename = (first: string, second: string) =>
      db.transaction(async (tx) => {
        runs++;
        await tx.organization.update({ where: { id: first }, data: { name: `by ${first}` } });
        if (++arrived === 2) bothArrived();
        await both;
        await tx.organization.update({ where: { id: second }, data: { name: `by ${first}` } });
      });
    await Promise.all([rename("a", "b"), rename("b", "a")]);
    expect(runs).toBeGreaterThan(2); // both, and as many more as there were lost attempts
    const names = (await db.prisma.organization.findMany()).map((row) => row.name);
    expect(new Set(names).size).toBe(1);
  });

  it("are not run for ever, nor again after other errors", async () => {
    const db = await connectTestDatabase(await testDatabaseUrl("postgresql"));
    let runs = 0;
    const failing = (error: Error) =>
      db.transaction(async () => {
        runs++;
        throw error;
      });
    await expect(failing(new Error("no"))).rejects.toThrow("no");
    expect(runs).toBe(1);
    await expect(failing(Object.assign(new Error("conflict"), { code: "P2034" }))).rejects.toThrow("conflict");
    expect(runs).toBe(6);
  });
});
