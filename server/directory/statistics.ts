/** Figures of the service and of organizations, cached for a minute, so that they can be read often. */
import type { Context } from "../context";
import {
  countAll,
  countAttemptsByApp,
  countEventsByDay,
  countFailedAttemptsByDay,
  countMailsByDay,
  DAY,
  listAppliedMigrations,
  readStorage,
} from "../storage/statistics";

/** Of which figures are given by day. */
export const DAYS = 30;
/** Apps of which figures are given, those with most attempts to sign in, and for how many days. */
export const APPS = 6;
export const DAYS_OF_APPS = 7;
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

/** @param organizationId undefined: of the whole service */
export function readFigures(ctx: Context, organizationId: string | undefined) {
  const key = organizationId === undefined ? "instance" : `organization ${organizationId}`;
  return remembered(ctx, key, REMEMBERED, () => takeFigures(ctx, organizationId));
}

/** How large the database is, and what takes the room. */
export function readStorageFigures(ctx: Context) {
  return remembered(ctx, "storage", STORAGE_REMEMBERED, () => readStorage(ctx.db));
}

/** The migrations of the database, by name. */
export function listMigrations(ctx: Context): Promise<string[]> {
  return listAppliedMigrations(ctx.db);
}

async function takeFigures(ctx: Context, organizationId: string | undefined) {
  const now = ctx.clock();
  const today = Math.floor(now / DAY);
  const days = Array.from({ length: DAYS + 1 }, (_, index) => today - DAYS + 1 + index);
  const signIns = await countEventsByDay(ctx.db, {
    type: "user.signed_in",
    organizationId,
    days: days.map((day) => day * DAY),
  });
  const first = (days[0] ?? today) * DAY;
  const failed = await countFailedAttemptsByDay(ctx.db, organizationId, first);
  const apps = await countAttemptsByApp(ctx.db, organizationId, {
    from: (today - DAYS_OF_APPS + 1) * DAY,
    limit: APPS,
  });
  const mails = await countMailsByDay(ctx.db, organizationId, first);
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
    signIns: shown.map((day, index) => ({
      date: dateOf(day),
      count: signIns[index] ?? 0,
      failed: failed.find((one) => one.day === day)?.count ?? 0,
    })),
    apps: apps.map(({ name, ...app }) => ({ ...app, ...(name !== null && { name }) })),
    mail: shown.map(mailsOf),
  };
}
