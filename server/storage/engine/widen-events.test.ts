import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { migrationsFolder } from "../../root";
import { connectTestDatabase, emptyDatabaseUrl, temporaryFolder, testPool } from "../../testing/database";
import type { Database } from "../database";
import { listEvents } from "../event/list";
import { listSequences } from "../maintenance/sequences";
import { migrate } from "./migrate";
import { makeMonths } from "./months";

const MIGRATION = "20261128202500_sequences_of_64_bits";
const MANY = 50_001;

/** Creates a database of the previous release with a number of events in three months. */
async function oldDatabase(events: number): Promise<{ url: string; old: Database }> {
  const url = await emptyDatabaseUrl("postgresql");
  const before = temporaryFolder();
  fs.cpSync(path.join(migrationsFolder, "postgresql"), path.join(before, "postgresql"), {
    recursive: true,
    filter: (file) => !/^\d{14}_/.test(path.basename(file)) || path.basename(file) < MIGRATION,
  });
  await migrate(url, before);
  const old = await connectTestDatabase(url);
  await makeMonths(old, "Event", Date.UTC(2040, 0, 15));
  await old.run(
    `INSERT INTO "Event" ("aggregateType", "aggregateId", "sequence", "type", "resourceOwner", "actor", "payload", "createdAt")
     SELECT 'user', 'ada', n, 'user.signed_in', 'acme', 'ada', '{}', timestamp '2039-12-01' + n * interval '150 seconds'
       FROM generate_series(1, CAST($1 AS INTEGER)) AS s(n)`,
    [events],
  );
  return { url, old };
}

/** Records an event as a process of the previous release does. */
const record = (old: Database, sequence: number) =>
  old.prisma.event.create({
    data: {
      aggregateType: "user",
      aggregateId: "ada",
      sequence,
      type: "user.signed_in",
      resourceOwner: "acme",
      actor: "ada",
      payload: {},
      createdAt: new Date("2040-02-10"),
    },
  });

const typeOf = async (db: Database) =>
  (
    await db.one<{ type: string }>(
      `SELECT "atttypid"::regtype::text AS "type" FROM pg_attribute WHERE "attrelid" = '"Event"'::regclass AND "attname" = 'position'`,
      [],
    )
  )?.type;
const latest = async (db: Database) =>
  (await listEvents(db, { aggregateTypes: [], ascending: false, limit: 3 })).map(({ position }) => position);
const beyond = (db: Database) => db.all(`SELECT setval('"Event_position_seq"', 2147483646)::text AS "at"`, []);
const never = new AbortController().signal;

describe("positions of 64 bits on PostgreSQL", () => {
  it("come with the migration where there are few events", async () => {
    const { url, old } = await oldDatabase(3);
    expect(await migrate(url, migrationsFolder)).toContain(MIGRATION);
    await beyond(old);
    for (const sequence of [10, 11, 12]) await record(old, sequence);
    expect(await latest(old)).toEqual([2_147_483_649, 2_147_483_648, 2_147_483_647]);
    expect(await old.finishMigrations(never)).toBeUndefined();
  });

  it("come later where there are many, while processes of the previous release record and search", async () => {
    const { url, old } = await oldDatabase(MANY);
    await latest(old); // prepared on this connection
    expect(await migrate(url, migrationsFolder)).toContain(MIGRATION);
    expect(await typeOf(old)).toBe("integer");
    expect((await listSequences(old))[0]).toEqual({ name: "Event_position_seq", used: MANY, last: 2_147_483_647 });
    const indexes = `SELECT "indexname" AS "name" FROM pg_indexes WHERE "tablename" = 'Event' ORDER BY 1`;
    const before = await old.all(indexes, []);

    const next = await connectTestDatabase(url);
    let isDone = false;
    const done = next.finishMigrations(never).finally(() => {
      isDone = true;
    });
    let recorded = 0;
    while (!isDone) await record(old, MANY + ++recorded);
    expect(await done).toMatch(/64 bits/);
    expect(recorded).toBeGreaterThan(0);
    expect(await typeOf(old)).toBe("bigint");
    expect(await latest(old)).toEqual([0, 1, 2].map((back) => MANY + recorded - back));
    expect((await old.one<{ n: number }>(`SELECT COUNT(*) AS "n" FROM "Event"`, []))?.n).toBe(MANY + recorded);
    expect(await old.all(indexes, [])).toEqual(before);
    const parts = `SELECT "relname" AS "name" FROM pg_class WHERE "relname" LIKE 'EventWide%'`;
    expect(await old.all(parts, [])).toEqual([]);
    await beyond(old);
    await record(old, 999_999);
    await record(old, 1_000_000);
    expect((await latest(next)).slice(0, 2)).toEqual([2_147_483_648, 2_147_483_647]);
    expect(await makeMonths(next, "Event", Date.UTC(2040, 1, 15))).toEqual(["2040-04"]);
    expect(await next.finishMigrations(never)).toBeUndefined();
  });

  it("do not wait long for other users of the table, and start again when they are canceled", async () => {
    const { url } = await oldDatabase(MANY);
    await migrate(url, migrationsFolder);
    const next = await connectTestDatabase(url);
    const [long] = [await testPool(url, 1).connect()];
    await long.query(`BEGIN; UPDATE "Event" SET "actor" = 'eve' WHERE "position" = 1`);
    expect(await next.finishMigrations(never)).toBeUndefined();
    await long.query("ROLLBACK");
    long.release();
    const over = new AbortController();
    const stopped = next.finishMigrations(over.signal);
    over.abort();
    expect(await stopped).toBeUndefined();
    expect(await next.finishMigrations(never)).toMatch(/64 bits/);
    expect((await next.one<{ n: number }>(`SELECT COUNT(*) AS "n" FROM "Event"`, []))?.n).toBe(MANY);
  });
});
