/** Figures for the console's charts and for monitoring, cached for a minute, so that they can be read often. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Context } from "../context";
import { root } from "../root";
import {
  countAll,
  countEventsByDay,
  countMailsByDay,
  DAY,
  listAppliedMigrations,
  readStorage,
} from "../storage/statistics";
import { operation } from "./operation";
import { moment } from "./schemas";

const DAYS = 30;
/** Milliseconds. */
const REMEMBERED = 60_000;
const STORAGE_REMEMBERED = 10 * REMEMBERED;

const memories = new WeakMap<Context["db"], Map<string, { at: number; value: Promise<unknown> }>>();

/** The cached value if it is recent, else a new one; concurrent callers share one computation. */
function remembered<T>(ctx: Context, key: string, time: number, load: () => Promise<T>): Promise<T> {
  const memory = memories.get(ctx.db) ?? new Map();
  memories.set(ctx.db, memory);
  const now = ctx.clock();
  const known = memory.get(key);
  if (known && now >= known.at && now - known.at < time) return known.value;
  for (const [old, { at }] of memory) if (now - at >= STORAGE_REMEMBERED) memory.delete(old);
  const value = load();
  memory.set(key, { at: now, value });
  value.catch(() => memory.delete(key));
  return value;
}

const count = z.int().nonnegative();
const date = z.iso.date().meta({ description: "A day in UTC" });

const figures = {
  viewTimestamp: moment.meta({ description: "When the figures were computed; they are cached for a minute" }),
  counts: z.object({
    organizations: count.optional(),
    users: count,
    projects: count,
    apps: count,
    userGrants: count,
    livingSessions: count,
  }),
  signIns: z.array(z.object({ date, count })).meta({ description: `The last ${DAYS} days, oldest first` }),
  mail: z.array(z.object({ date, queued: count, sent: count, kept: count, failed: count, expired: count })),
};

const service = z.object({
  version: z.string(),
  runtime: z.string(),
  database: z.enum(["sqlite", "postgresql"]),
  workers: count,
  migrations: z.object({ applied: count, last: z.string() }),
});

const storage = z.object({
  bytes: count,
  tables: z
    .array(z.object({ name: z.string(), bytes: count }))
    .optional()
    .meta({ description: "With their indexes; left out for large files, as they would have to be read as a whole" }),
  bytesPerSession: count.optional(),
});

async function takeFigures(ctx: Context, organizationId: string | undefined) {
  const now = ctx.clock();
  const today = Math.floor(now / DAY);
  const days = Array.from({ length: DAYS + 1 }, (_, index) => today - DAYS + 1 + index);
  const signIns = await countEventsByDay(ctx.db, {
    type: "user.signed_in",
    organizationId,
    days: days.map((day) => day * DAY),
  });
  const mails = await countMailsByDay(ctx.db, organizationId, (days[0] ?? today) * DAY);
  const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
  const mailsOf = (day: number) => {
    const states = { queued: 0, sent: 0, kept: 0, failed: 0, expired: 0 };
    for (const mail of mails) if (mail.day === day) states[mail.state] += mail.count;
    return { date: dateOf(day), ...states };
  };
  const shown = days.slice(0, -1);
  return {
    viewTimestamp: new Date(now).toISOString(),
    counts: await countAll(ctx.db, organizationId, { now, idleSince: now - ctx.config.lifetimes.sessionIdle }),
    signIns: shown.map((day, index) => ({ date: dateOf(day), count: signIns[index] ?? 0 })),
    mail: shown.map(mailsOf),
  };
}

const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };

async function describeService(ctx: Context): Promise<z.input<typeof service>> {
  const migrations = await listAppliedMigrations(ctx.db);
  return {
    ...{ version, runtime: `Node.js ${process.versions.node}`, database: ctx.db.kind, workers: ctx.config.workers },
    migrations: { applied: migrations.length, last: migrations.at(-1) ?? "" },
  };
}

const tag = "Statistics";

export const statisticsOperations = [
  operation({
    id: "GetInstanceStatistics",
    method: "GET",
    path: "/admin/v1/statistics",
    tag,
    summary: "Read figures of the whole service: counts, sign-ins and mails by day, storage, versions",
    scope: { level: "instance", permission: "iam.read" },
    effort: "search",
    answer: z.object({ ...figures, storage, service }),
    async handle(ctx) {
      const [taken, stored, described] = await Promise.all([
        remembered(ctx, "instance", REMEMBERED, () => takeFigures(ctx, undefined)),
        remembered(ctx, "storage", STORAGE_REMEMBERED, () => readStorage(ctx.db)),
        describeService(ctx),
      ]);
      return { ...taken, storage: stored, service: described };
    },
  }),
  operation({
    id: "GetStatistics",
    method: "GET",
    path: "/management/v1/statistics",
    tag,
    summary: "Read figures of an organization: counts, sign-ins and mails by day",
    scope: { level: "organization", permission: "org.read" },
    effort: "search",
    answer: z.object(figures),
    handle: (ctx, { organizationId }) =>
      remembered(ctx, `organization ${organizationId}`, REMEMBERED, () => takeFigures(ctx, organizationId)),
  }),
];
