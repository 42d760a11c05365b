import pg from "pg";
import { describe, expect, it } from "vitest";
import { connectTestDatabase, testDatabase, testDatabaseUrl, testPool } from "../../testing/database";
import type { Database } from "../database";
import { type PostgresqlAddress, readDatabaseUrl } from "./address";
import { createAnnouncements } from "./postgresql-announcements";

/** Counts the announcements that a process receives. */
async function listening(db: Database) {
  let heard = 0;
  await db.onAnnouncement(() => heard++);
  const before = heard; // the start of listening counts once, because an announcement may have been missed before
  return () => heard - before;
}

const endListening = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'identity-service listening%'`;

describe("announcements between processes on PostgreSQL", () => {
  it("reach every listening process before the announcing one continues", async () => {
    const url = await testDatabaseUrl("postgresql");
    const [one, two, three] = [
      await connectTestDatabase(url),
      await connectTestDatabase(url),
      await connectTestDatabase(url),
    ];
    const heard = [await listening(one), await listening(two), await listening(three)];
    for (let times = 1; times <= 20; times++) {
      await one.announce();
      expect(heard.map((count) => count())).toEqual([times, times, times]);
    }
    await Promise.all([one, two, three, one, two, three].map((db) => db.announce()));
    expect(heard.map((count) => count())).toEqual([26, 26, 26]);
  });

  it("cost a few transactions for each process that listens, not the square of their number", async () => {
    const [reader] = [await connectTestDatabase(await testDatabaseUrl("postgresql"))];
    /** The number of transactions for a number of processes and announcements. Connections add theirs when they end. */
    const transactionsOf = async (processes: number, announcements: number) => {
      const url = await testDatabaseUrl("postgresql");
      const name = new URL(url).pathname.slice(1);
      const pool = new pg.Pool({ connectionString: url, max: 1 });
      const all = Array.from({ length: processes }, () =>
        createAnnouncements(readDatabaseUrl(url) as PostgresqlAddress, (sql, values) => pool.query(sql, [...values]), {
          patience: 10_000,
        }),
      );
      for (const one of all) await one.onAnnouncement(() => {});
      for (let times = 0; times < announcements; times++) await all[0]?.announce();
      for (const one of all) await one.close();
      await pool.end();
      const open = `SELECT 1 FROM pg_stat_activity WHERE "datname" = $1`;
      await expect.poll(() => reader.all(open, [name]), { timeout: 10_000 }).toEqual([]);
      const counted = `SELECT "xact_commit" AS "n" FROM pg_stat_database WHERE "datname" = $1`;
      return (await reader.one<{ n: number }>(counted, [name]))?.n ?? 0;
    };
    /** The least of three databases: the vacuum of PostgreSQL adds its own transactions to some of them. */
    const leastOf = async (processes: number, announcements: number) => {
      const counts: number[] = [];
      while (counts.length < 3) counts.push(await transactionsOf(processes, announcements));
      return Math.min(...counts);
    };
    const each = async (processes: number) => ((await leastOf(processes, 20)) - (await leastOf(processes, 0))) / 20;
    const [alone, many] = [await each(1), await each(20)];
    expect(alone).toBeLessThan(4);
    expect(many).toBeLessThan(3 * 20);
  }, 60_000);

  it("wait for a process that hangs once, not at each change", async () => {
    const url = await testDatabaseUrl("postgresql");
    const [one, two] = [await connectTestDatabase(url), await connectTestDatabase(url)];
    const heard = await listening(two);
    await listening(one);
    const hangs = await testPool(url, 1).connect();
    await hangs.query(`LISTEN directory_changed; SET application_name = 'identity-service listening -'`);
    await one.announce(); // waits in vain
    const before = performance.now();
    for (let times = 0; times < 5; times++) await one.announce();
    expect(performance.now() - before).toBeLessThan(5_000); // the patience of one is twice that in tests
    expect(heard()).toBe(6);
    hangs.release(true);
  }, 30_000);

  it("carry the names of what has changed, together where they share one, and none of what is too much to name", async () => {
    const url = await testDatabaseUrl("postgresql");
    const [one, two] = [await connectTestDatabase(url), await connectTestDatabase(url)];
    const heard: (readonly string[] | undefined)[] = [];
    await two.onAnnouncement((names) => heard.push(names));
    await listening(one);
    heard.length = 0;
    await one.announce([]);
    await one.announce(['app.changed a "b" ü']);
    await Promise.all([["first"], ["a", "b"], ["b", "c"]].map((names) => one.announce(names)));
    await one.announce(["x".repeat(7_500)]);
    expect(heard).toEqual([['app.changed a "b" ü'], ["first"], ["a", "b", "c"], ["x".repeat(7_500)]]);
    heard.length = 0;
    await one.announce(["ü".repeat(4_000)]);
    await one.announce();
    await Promise.all([["first"], ["a"], undefined].map((names) => one.announce(names)));
    expect(heard).toEqual([undefined, undefined, ["first"], undefined]);
  });

  it("are about everything if they come from another release, or cannot be read", async () => {
    const db = await connectTestDatabase(await testDatabaseUrl("postgresql"));
    const heard: unknown[] = [];
    await db.onAnnouncement((names) => heard.push(names));
    heard.length = 0;
    for (const payload of ["r id", "r id looks", "r id looks [", 'r id looks {"a":1}', "r id looks [1]", ""]) {
      await db.all("SELECT pg_notify('directory_changed', $1)", [payload]);
    }
    await db.announce(["last"]);
    expect(heard).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, ["last"]]);
  });

  it("do not reach processes on another database", async () => {
    const [one, other] = [await testDatabase("postgresql"), await testDatabase("postgresql")];
    const heard = await listening(other);
    await one.announce();
    await other.announce();
    expect(heard()).toBe(1);
  });

  it("count as missed while the connection is lost, and are heard again afterwards", async () => {
    const url = await testDatabaseUrl("postgresql");
    const [one, two] = [await connectTestDatabase(url), await connectTestDatabase(url)];
    const heard = await listening(two);
    expect(await one.all(endListening, [])).toHaveLength(1);
    await expect.poll(heard).toBe(1);
    await one.announce();
    await expect.poll(heard).toBe(2);
  });

  it("do not make a change fail that cannot be announced", async () => {
    const db = await connectTestDatabase(await testDatabaseUrl("postgresql"));
    await db.close();
    await db.announce();
  });
});

describe("a database that is closed while it listens", () => {
  it("keeps no connection", async () => {
    const url = await testDatabaseUrl("postgresql");
    const db = await connectTestDatabase(url);
    await db.onAnnouncement(() => {});
    await db.close();
    const other = await connectTestDatabase(url);
    await expect.poll(() => other.all(endListening, [])).toEqual([]);
  });
});
