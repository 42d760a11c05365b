import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { keepMonths } from "../../events/retention";
import { migrationsFolder } from "../../root";
import { type BareContext, bareContext } from "../../testing/bare-context";
import { connectTestDatabase, emptyDatabaseUrl, temporaryFolder, testDatabaseUrl } from "../../testing/database";
import type { Database } from "../database";
import { listEvents } from "../event/list";
import { readStorage } from "../maintenance/statistics";
import { migrate } from "./migrate";
import { dropMonths, lacksMonth, makeMonths } from "./months";

const MIGRATION = "20261126163000_divided_by_month";
const DAY = 86_400_000;
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

let sequence = 0;
/** An event of a day. */
const eventOf = (day: string, type = "user.locked") => ({
  aggregateType: "user",
  aggregateId: "u-ada",
  sequence: ++sequence,
  type,
  resourceOwner: "acme",
  actor: "system",
  payload: {},
  createdAt: new Date(at(day)),
});
const put = (db: Database, ...days: string[]) => db.prisma.event.createMany({ data: days.map((day) => eventOf(day)) });

/** Returns the partition of each event, by its day. */
const whereabouts = async (db: Database): Promise<Record<string, string>> => {
  const rows = await db.all<{ day: string; part: string }>(
    `SELECT to_char("createdAt", 'YYYY-MM-DD') AS "day", tableoid::regclass::text AS "part" FROM "Event" ORDER BY "position"`,
    [],
  );
  return Object.fromEntries(rows.map(({ day, part }) => [day, part.replaceAll('"', "")]));
};
const partsOf = async (db: Database, table: string) =>
  (
    await db.all<{ name: string }>(
      `SELECT c."relname" AS "name" FROM pg_inherits i JOIN pg_class c ON c."oid" = i."inhrelid"
        WHERE i."inhparent" = $1::regclass ORDER BY 1`,
      [`"${table}"`],
    )
  ).map(({ name }) => name);

describe("the migration that divides tables by month", () => {
  it("keeps rows, numbers and indexes, and lets the previous release go on", async () => {
    const url = await emptyDatabaseUrl("postgresql");
    const upTo = (isWanted: (name: string) => boolean) => {
      const folder = temporaryFolder();
      fs.cpSync(path.join(migrationsFolder, "postgresql"), path.join(folder, "postgresql"), {
        recursive: true,
        filter: (file) => !/^\d{14}_/.test(path.basename(file)) || isWanted(path.basename(file)),
      });
      return folder;
    };
    await migrate(
      url,
      upTo((name) => name < MIGRATION),
    );
    const old = await connectTestDatabase(url); // like a process that keeps running
    await put(old, "2026-10-31", "2026-11-20", "2999-01-01");
    const files = `SELECT "relfilenode" AS "file" FROM pg_class WHERE "relkind" = 'i' AND "relname" LIKE $1 ORDER BY 1`;
    const built = await old.all(files, ["Event\\_%"]);
    expect(built).toHaveLength(6);

    expect(
      await migrate(
        url,
        upTo((name) => name <= MIGRATION),
      ),
    ).toEqual([MIGRATION]);
    await put(old, "2026-11-21", "2999-01-02");
    const [first = ""] = await partsOf(old, "Event");
    expect(first).toMatch(/^Event_before_\d{4}_\d\d$/);
    expect(await whereabouts(old)).toEqual({
      "2026-10-31": first,
      "2026-11-20": first,
      "2999-01-01": "Event_default",
      "2026-11-21": first,
      "2999-01-02": "Event_default",
    });
    expect((await old.prisma.event.findMany({ orderBy: { position: "asc" } })).map((row) => row.position)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect(await old.all(files, ["Event\\_before\\_%"])).toEqual(built);
    const names = await old.all<{ name: string }>(
      `SELECT "indexname" AS "name" FROM pg_indexes WHERE "tablename" = 'Event' ORDER BY 1`,
      [],
    );
    expect(names.map(({ name }) => name)).toEqual([
      "Event_actor_position_idx",
      "Event_createdAt_idx",
      "Event_resourceOwner_position_idx",
      "Event_type_position_idx",
    ]);
  });
});

describe("tables by month, on PostgreSQL", () => {
  let url: string;
  let db: Database;
  beforeEach(async () => {
    url = await emptyDatabaseUrl("postgresql");
    await migrate(url, migrationsFolder);
    db = await connectTestDatabase(url);
  });

  it("have the present month and the next two, each with all indexes, and rows that were there already", async () => {
    await put(db, "2040-01-31", "2040-02-01", "2040-02-29", "2040-03-01");
    expect(await lacksMonth(db, "Event", at("2040-01-15"))).toBe(true);
    expect(await makeMonths(db, "Event", at("2040-01-15"))).toEqual(["2040-01", "2040-02", "2040-03"]);
    expect(await lacksMonth(db, "Event", at("2040-03-15"))).toBe(false);
    expect(await makeMonths(db, "Event", at("2040-01-15"))).toEqual([]);
    expect(await makeMonths(db, "Event", at("2040-02-01"))).toEqual(["2040-04"]);
    await put(db, "2040-04-30", "2040-05-01");
    expect(await whereabouts(db)).toEqual({
      "2040-01-31": "Event_2040_01",
      "2040-02-01": "Event_2040_02",
      "2040-02-29": "Event_2040_02",
      "2040-03-01": "Event_2040_03",
      "2040-04-30": "Event_2040_04",
      "2040-05-01": "Event_default",
    });
    const indexes = await db.all<{ count: number }>(
      `SELECT COUNT(*)::int AS "count" FROM pg_indexes WHERE "tablename" LIKE 'Event\\_%' GROUP BY "tablename"`,
      [],
    );
    expect(indexes.map(({ count }) => count)).toEqual(Array(6).fill(6));
    const twice = { data: eventOf("2040-04-29") };
    await db.prisma.event.create(twice);
    await expect(db.prisma.event.create(twice)).rejects.toThrow(/Unique constraint/);
  });

  it("are made once by processes that come together", async () => {
    const other = await connectTestDatabase(url);
    const made = await Promise.all([db, other].map((each) => makeMonths(each, "OutboxMessage", at("2040-01-15"))));
    const missed = await makeMonths(db, "OutboxMessage", at("2040-01-15"));
    expect([...made.flat(), ...missed].sort()).toEqual(["2040-01", "2040-02", "2040-03"]);
  });

  it("are left to the process that was faster, whatever this one has seen before", async () => {
    await makeMonths(db, "Event", at("2040-01-15"));
    const nothing: Database = { ...db, all: async () => [] };
    expect(await makeMonths(nothing, "Event", at("2040-01-15"))).toEqual([]);
    const gone = { name: "Event_2039_01", from: at("2039-01-01"), until: at("2039-02-01") };
    const old: Database = { ...db, all: async <Row>() => [gone as Row] };
    expect(await dropMonths(old, "Event", { before: at("2040-01-01"), withRows: true })).toBe(0);
  });

  it("are searched as one, newest first", async () => {
    await makeMonths(db, "Event", at("2040-01-15"));
    await put(db, "2040-01-31", "2040-02-01", "2040-03-01", "2040-05-01");
    const search = { aggregateTypes: [], ascending: false, limit: 3 } as const;
    const days = (await listEvents(db, { ...search, resourceOwner: "acme" })).map((row) => new Date(row.createdAt));
    expect(days.map((day) => day.toISOString().slice(0, 10))).toEqual(["2040-05-01", "2040-03-01", "2040-02-01"]);
    const from = await listEvents(db, { ...search, from: at("2040-02-20"), to: at("2040-03-20") });
    expect(from.map(({ position }) => position)).toEqual([3]);
  });

  it("go when their rows have gone, but for those that are kept for good", async () => {
    await makeMonths(db, "Event", at("2040-01-15"));
    const lasting = "organization.email_provider.removed";
    await db.prisma.event.create({ data: eventOf("2040-01-10", lasting) });
    await put(db, "2040-01-20", "2040-02-10");
    const old = { before: at("2040-02-20"), lasting: [lasting] };
    expect(await dropMonths(db, "Event", old)).toBe(0);
    expect(await partsOf(db, "Event")).toContain("Event_2040_01");
    await db.prisma.event.deleteMany({ where: { createdAt: new Date(at("2040-01-20")) } });
    expect(await dropMonths(db, "Event", old)).toBe(0);
    expect(await partsOf(db, "Event")).toEqual(["Event_2040_02", "Event_2040_03", "Event_default"]);
    expect(await whereabouts(db)).toEqual({ "2040-01-10": "Event_default", "2040-02-10": "Event_2040_02" });
    // If the clock was behind, the month is created again and gets the events of its time.
    await makeMonths(db, "Event", at("2040-01-15"));
    expect((await whereabouts(db))["2040-01-10"]).toBe("Event_2040_01");
  });

  it("are dropped with their rows if these are not archived", async () => {
    await makeMonths(db, "Event", at("2040-01-15"));
    await put(db, "2039-06-01", "2040-01-20", "2040-01-21", "2040-02-10");
    expect(await dropMonths(db, "Event", { before: at("2040-02-20"), withRows: true })).toBe(2);
    expect(Object.keys(await whereabouts(db))).toEqual(["2039-06-01", "2040-02-10"]);
  });

  it("do not wait for long reads, and fail no statement", async () => {
    await makeMonths(db, "Event", at("2040-01-15"));
    await put(db, "2040-01-20");
    const backup = new pg.Client({ connectionString: url });
    await backup.connect();
    await backup.query(`BEGIN; SELECT count(*) FROM "Event"`);
    const old = { before: at("2040-02-20"), withRows: true };
    expect(await dropMonths(db, "Event", old)).toBe(0);
    expect(await makeMonths(db, "Event", at("2040-02-15"))).toEqual([]);
    await put(db, "2040-01-22");
    await backup.query("COMMIT");
    await backup.end();
    expect(await dropMonths(db, "Event", old)).toBe(2);
    expect(await makeMonths(db, "Event", at("2040-02-15"))).toEqual(["2040-04"]);
  });

  it("count as one in what the status tells of room", async () => {
    await makeMonths(db, "Event", at("2040-01-15"));
    await put(db, ...Array<string>(400).fill("2040-01-20"));
    const { tables = [], bytesPerEvent } = await readStorage(db);
    expect(tables.filter(({ name }) => name.startsWith("Event")).map(({ name }) => name)).toEqual(["Event"]);
    const [whole] = await db.all<{ bytes: number }>(
      `SELECT SUM(pg_total_relation_size("relid"))::int AS "bytes" FROM pg_partition_tree('"Event"')`,
      [],
    );
    expect(tables.find(({ name }) => name === "Event")?.bytes).toBe(whole?.bytes);
    expect(bytesPerEvent).toBe(Math.round((whole?.bytes ?? 0) / 400));
  });

  it("do nothing where months end later", async () => {
    await makeMonths(db, "OutboxMessage", at("2040-01-15"));
    expect(await dropMonths(db, "OutboxMessage", { before: at("2040-02-01") - DAY })).toBe(0);
    expect(await partsOf(db, "OutboxMessage")).toContain("OutboxMessage_2040_01");
  });
});

describe("the maintenance of months", () => {
  const message = (ctx: BareContext, id: string, state: string) => ({
    id,
    type: "init",
    organizationId: "acme",
    recipient: "ada@example.com",
    payload: {},
    state,
    attempts: 1,
    createdAt: new Date(ctx.clock()),
    nextAttemptAt: new Date(ctx.clock()),
  });

  it("makes them for events and messages, and drops those of which nothing is kept", async () => {
    const ctx = await bareContext("postgresql", await connectTestDatabase(await monthly()));
    ctx.config = { ...ctx.config, retention: { events: 400 * DAY, eventArchive: undefined, mails: 31 * DAY } };
    await keepMonths(ctx); // January 2030
    await ctx.db.prisma.outboxMessage.create({ data: message(ctx, "m1", "sent") });
    await put(ctx.db, "2030-01-20");
    expect(await partsOf(ctx.db, "OutboxMessage")).toContain("OutboxMessage_2030_03");
    ctx.advance(75 * DAY);
    await keepMonths(ctx);
    expect(await partsOf(ctx.db, "OutboxMessage")).toContain("OutboxMessage_2030_01"); // its message is there yet
    await ctx.db.prisma.outboxMessage.deleteMany();
    await keepMonths(ctx);
    expect(await partsOf(ctx.db, "OutboxMessage")).toEqual(
      ["02", "03", "04", "05"].map((month) => `OutboxMessage_2030_${month}`).concat("OutboxMessage_default"),
    );
    expect(await partsOf(ctx.db, "Event")).toContain("Event_2030_01");
    ctx.advance(400 * DAY);
    ctx.config = { ...ctx.config, retention: { ...ctx.config.retention, events: undefined } };
    await keepMonths(ctx);
    expect(await partsOf(ctx.db, "Event")).toContain("Event_2030_01"); // kept permanently
    ctx.config = { ...ctx.config, retention: { ...ctx.config.retention, events: 400 * DAY } };
    await keepMonths(ctx);
    expect(await partsOf(ctx.db, "Event")).not.toContain("Event_2030_01");
    expect(await whereabouts(ctx.db)).not.toHaveProperty("2030-01-20");
  });

  it("has nothing to do on SQLite", async () => {
    const ctx = await bareContext("sqlite", await connectTestDatabase(await testDatabaseUrl("sqlite")));
    await keepMonths(ctx);
    expect(await ctx.db.prisma.event.count()).toBe(1);
  });
});

async function monthly(): Promise<string> {
  const url = await emptyDatabaseUrl("postgresql");
  await migrate(url, migrationsFolder);
  return url;
}
