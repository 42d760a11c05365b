import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { removeEventsBefore } from "../storage/event/retention";
import { hadOwnMailServer } from "../storage/provider/provider-table";
import { type BareContext, bareContext, countRows } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { archiveEvents } from "./archive";
import { record } from "./record";
import { removeOldEvents } from "./retention";

const DAY = 86_400_000;

describe.each(databaseKinds)("retention of the audit trail, on %s", (kind) => {
  let ctx: BareContext;
  let directory: string;
  beforeAll(async () => {
    ctx = await bareContext(kind);
  });
  beforeEach(async () => {
    await ctx.db.prisma.event.deleteMany();
    directory = mkdtempSync(join(tmpdir(), "events-"));
    return () => rmSync(directory, { recursive: true, force: true });
  });
  afterAll(() => ctx.db.close());

  const keep = (events: number | undefined, eventArchive?: string): void => {
    ctx.config = { ...ctx.config, retention: { events, eventArchive, mails: 30 * DAY } };
  };
  /** Creates events of the day that many days ago, in order. */
  async function put(count: number, daysAgo: number, type = "user.locked"): Promise<void> {
    const last = (await ctx.db.prisma.event.aggregate({ _max: { sequence: true } }))._max.sequence ?? 0;
    await ctx.db.prisma.event.createMany({
      data: Array.from({ length: count }, (_, index) => ({
        aggregateType: type.startsWith("user") ? "user" : "organization",
        aggregateId: "u-ada",
        sequence: last + index + 1,
        type,
        resourceOwner: "acme",
        actor: "system",
        payload: { word: "grüß\n\u2028" },
        createdAt: new Date(ctx.clock() - daysAgo * DAY + index),
      })),
    });
  }
  const positions = async () =>
    (await ctx.db.prisma.event.findMany({ orderBy: { position: "asc" } })).map(({ position }) => position);
  const archived = () =>
    readdirSync(directory)
      .sort()
      .flatMap((name) => readFileSync(join(directory, name), "utf8").split("\n").slice(0, -1))
      .map((line) => (JSON.parse(line) as { position: number }).position);

  it("removes only older events, in batches", async () => {
    await put(7, 401);
    await put(3, 399);
    keep(undefined);
    expect(await removeOldEvents(ctx)).toBe(0);
    keep(400 * DAY);
    const stopped = new AbortController();
    stopped.abort();
    expect(await removeOldEvents(ctx, { signal: stopped.signal })).toBe(0);
    expect(await removeOldEvents(ctx, { batch: 3 })).toBe(7);
    expect(await countRows(ctx, "Event")).toBe(3);
  });

  it("continues each batch where the previous one ended, also within one millisecond", async () => {
    await put(9, 401);
    const at = new Date(ctx.clock() - 401 * DAY);
    await ctx.db.prisma.event.updateMany({ data: { createdAt: at } });
    const all = await positions();
    const given: number[] = [];
    const wanted = { before: ctx.clock() - 400 * DAY, limit: 4 };
    const remove = (after?: { createdAt: number; position: number }) =>
      removeEventsBefore(ctx.db, { ...wanted, after }, async (events) => {
        given.push(...events.map(({ position }) => position));
        return undefined;
      });
    const last = { createdAt: at.getTime(), position: all[3] ?? 0 };
    expect(await remove()).toMatchObject({ removed: 4, last });
    await put(1, 500);
    expect(await remove(last)).toMatchObject({ removed: 4 });
    expect(given).toEqual(all.slice(0, 8));
    keep(400 * DAY);
    const [tail, old] = [all[8], (await positions()).at(-1)];
    const searches: unknown[] = [];
    const recorded = ctx.db.prisma.$extends({
      query: {
        $queryRaw({ args, query }) {
          searches.push(args.values.find((value) => value === String(old) || value === String(tail)));
          return query(args);
        },
      },
    });
    // The embedded database is served by one process and read outside of transactions, where queries can be observed.
    const db = kind === "sqlite" ? { ...ctx.db, prisma: recorded as unknown as typeof ctx.db.prisma } : ctx.db;
    expect(await removeOldEvents({ ...ctx, db }, { batch: 1 })).toBe(2);
    if (kind === "sqlite") expect(searches).toEqual([undefined, String(old), String(tail)]);
    expect(await countRows(ctx, "Event")).toBe(0);
  });

  it("keeps sequence and dates of the object, and events that later decide whether an address is trusted", async () => {
    const change = () =>
      record(
        { ...ctx, origin: { actor: "system" } },
        {
          type: "user.locked",
          object: { id: "u-eve", organizationId: "acme" },
          state: async () => ({}),
        },
      );
    const first = await change();
    await put(1, 500, "organization.email_provider.removed");
    await ctx.db.prisma.event.updateMany({
      where: { aggregateType: "organization" },
      data: { aggregateId: "acme" },
    });
    ctx.advance(401 * DAY);
    keep(400 * DAY);
    expect(await removeOldEvents(ctx)).toBe(1);
    expect(await ctx.db.transaction((tx) => hadOwnMailServer(tx, "acme", 0))).toBe(true);
    const { sequence, creationDate } = await change();
    expect({ sequence, creationDate }).toEqual({
      sequence: String(Number(first.sequence) + 1),
      creationDate: first.creationDate,
    });
  });

  it("writes events to the file of their month before it removes them, readable only by the operator", async () => {
    keep(400 * DAY, directory);
    await put(4, 401);
    await put(2, 450);
    const all = await positions();
    const [row] = await ctx.db.prisma.event.findMany({ orderBy: { position: "asc" }, take: 1 });
    expect(await removeOldEvents(ctx, { batch: 4 })).toBe(6);
    expect(archived().sort((a, b) => a - b)).toEqual(all);
    const files = readdirSync(directory);
    expect(files.length).toBe(2);
    expect(statSync(join(directory, files[0] ?? "")).mode & 0o777).toBe(0o600);
    const lines = files.flatMap((name) => readFileSync(join(directory, name), "utf8").split("\n"));
    const line = lines.find((text) => text.startsWith(`{"position":${row?.position},`)) ?? "";
    expect(JSON.parse(line)).toEqual({ ...row, createdAt: row?.createdAt.toISOString() });
  });

  it("neither loses nor duplicates a line when the process was killed during or after the write", async () => {
    keep(400 * DAY, directory);
    await put(9, 401);
    const all = await positions();
    // Killed between the file and the database: the batch was written, but its events were not removed.
    const killed = removeEventsBefore(ctx.db, { before: ctx.clock() - 400 * DAY, limit: 4 }, async (events) => {
      await archiveEvents(directory, events);
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    expect([archived().length, await countRows(ctx, "Event")]).toEqual([4, 9]);
    // Killed in the middle of the next line.
    appendFileSync(join(directory, readdirSync(directory)[0] ?? ""), `{"position":${all[4]},"createdAt":"20`);
    expect(await removeOldEvents(ctx, { batch: 3 })).toBe(9);
    expect(archived()).toEqual(all);
  });

  it("removes nothing while the archive cannot be written, and all of it afterwards", async () => {
    keep(400 * DAY, join(directory, "gone"));
    await put(5, 401);
    const all = await positions();
    expect(await removeOldEvents(ctx)).toBe(0);
    mkdirSync(join(directory, "gone"));
    const month = new Date(ctx.clock() - 401 * DAY).toISOString().slice(0, 7);
    mkdirSync(join(directory, "gone", `events-${month}.jsonl`)); // a folder where the file should be
    expect(await removeOldEvents(ctx)).toBe(0);
    expect(await positions()).toEqual(all);
    rmSync(join(directory, "gone", `events-${month}.jsonl`), { recursive: true });
    expect(await removeOldEvents(ctx)).toBe(5);
    expect(readFileSync(join(directory, "gone", `events-${month}.jsonl`), "utf8").match(/^\{/gm)).toHaveLength(5);
  });
});

it("removes old events in one process at a time, if several share a database", async () => {
  const ctx = await bareContext("postgresql");
  await record(
    { ...ctx, origin: { actor: "system" } },
    {
      type: "user.locked",
      object: { id: "u-eve", organizationId: "acme" },
      state: async () => ({}),
    },
  );
  const wanted = { before: ctx.clock() + 1, limit: 5 };
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let first: Promise<unknown> = Promise.resolve();
  await new Promise<void>((begun) => {
    first = removeEventsBefore(ctx.db, wanted, async () => {
      begun();
      await released;
      return undefined;
    });
  });
  const second = await removeEventsBefore(ctx.db, wanted, async () => undefined).finally(release);
  expect(second).toBe("busy");
  expect(await first).toMatchObject({ removed: 2 }); // the first event is that of the instance
  await ctx.db.close();
});
