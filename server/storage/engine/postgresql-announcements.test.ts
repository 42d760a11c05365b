import { describe, expect, it } from "vitest";
import { connectTestDatabase, testDatabase, testDatabaseUrl } from "../../testing/database";
import type { Database } from "../database";

/** Counts what a process hears. */
async function listening(db: Database) {
  let heard = 0;
  await db.onAnnouncement(() => heard++);
  const before = heard; // listening itself counts once: something may have been announced before
  return () => heard - before;
}

const endListening = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'identity-service listening'`;

describe("announcements between processes on PostgreSQL", () => {
  it("have reached every process that listens before the announcing one goes on", async () => {
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

  it("reach nobody on another database", async () => {
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
