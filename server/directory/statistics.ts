/** Figures of the service and of organizations, cached for a minute, so that they can be read often. */
import { calendarOf, DAY } from "../../messages/calendar";
import type { Context } from "../context";
import {
  countExpiringCredentials,
  countFailedMessages,
  countFailuresByReason,
  countLockedOut,
  countWaitingDrafts,
  type ExpiringCredentials,
  type FailedByChannel,
  type FailuresOfReason,
} from "../storage/maintenance/attention";
import {
  countAll,
  countAttemptsByApp,
  countEventsByDay,
  countFailedAttemptsByQuarter,
  countMailsByQuarter,
  listAppliedMigrations,
  QUARTER,
  readStorage,
} from "../storage/maintenance/statistics";

/** The number of days with figures. */
export const DAYS = 30;
/** The number of apps with figures: those with most sign-in attempts. */
export const APPS = 6;
/** The number of days with figures of apps. */
export const DAYS_OF_APPS = 7;
/** Milliseconds. */
const REMEMBERED = 60_000;
const STORAGE_REMEMBERED = 10 * REMEMBERED;

const memories = new WeakMap<Context["db"], Map<string, { at: number; value: Promise<unknown> }>>();

/** Returns the cached value if it is recent, otherwise a new one; concurrent callers share one computation. */
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

/**
 * Reads figures.
 * @param organizationId undefined for the whole service
 * @param timeZone the IANA time zone whose days are counted
 */
export function readFigures(ctx: Context, organizationId: string | undefined, timeZone: string) {
  const days = lastDays(ctx.clock(), timeZone);
  // The key contains the days instead of the zone, because many zones have the same days.
  const key = JSON.stringify([organizationId, days.edges]);
  return remembered(ctx, key, REMEMBERED, () => takeFigures(ctx, organizationId, days));
}

interface Days {
  /** ISO 8601, oldest first. */
  dates: string[];
  /** The beginning of each day, and the end of the last one. */
  edges: number[];
}

function lastDays(now: number, timeZone: string): Days {
  const { dayOf, beginningOf } = calendarOf(timeZone);
  const today = dayOf(now);
  const days = Array.from({ length: DAYS + 1 }, (_, index) => today - (DAYS - 1 - index) * DAY);
  return {
    dates: days.slice(0, -1).map((day) => new Date(day).toISOString().slice(0, 10)),
    edges: days.map(beginningOf),
  };
}

/** The number of days before their expiry in which credentials are counted. */
const EXPIRING_DAYS = 30;
const WEEK = 7;

export interface Attention {
  /** Failed attempts to sign in today, and on the same day of last week. */
  failures: FailuresOfReason[];
  /** Users who had to wait today after too many wrong passwords or codes. */
  lockedOut: number;
  /** Messages of yesterday and today: a message is given up after 24 hours. */
  failedMessages: FailedByChannel;
  waitingDrafts: number;
  /** Secrets, keys and certificates that expire within 30 days. */
  expiringCredentials: number;
  expiringBy: ExpiringCredentials;
}

/**
 * Reads what needs an administrator's attention.
 * @param organizationId undefined for the whole service
 * @param timeZone the IANA time zone whose days are counted
 */
export function readAttention(ctx: Context, organizationId: string | undefined, timeZone: string): Promise<Attention> {
  const now = ctx.clock();
  const { dayOf, beginningOf } = calendarOf(timeZone);
  const day = dayOf(now);
  const today = beginningOf(day);
  const before = beginningOf(day - WEEK * DAY);
  const beforeEnd = beginningOf(day - (WEEK - 1) * DAY);
  const key = JSON.stringify(["attention", organizationId, today]);
  return remembered(ctx, key, REMEMBERED, async () => {
    const [failures, lockedOut, failedMessages, waitingDrafts, expiringBy] = await Promise.all([
      countFailuresByReason(ctx.db, organizationId, { today, before, beforeEnd }),
      countLockedOut(ctx.db, organizationId, today),
      countFailedMessages(ctx.db, organizationId, beginningOf(day - DAY)),
      countWaitingDrafts(ctx.db, organizationId),
      countExpiringCredentials(ctx.db, organizationId, { from: now, until: now + EXPIRING_DAYS * DAY }),
    ]);
    const expiringCredentials = expiringBy.apps + expiringBy.machines + expiringBy.identityProviders;
    return { failures, lockedOut, failedMessages, waitingDrafts, expiringCredentials, expiringBy };
  });
}

/** Returns the size of the database, and what uses the space. */
export function readStorageFigures(ctx: Context) {
  return remembered(ctx, "storage", STORAGE_REMEMBERED, () => readStorage(ctx.db));
}

/** Returns the migrations of the database by name. */
export function listMigrations(ctx: Context): Promise<string[]> {
  return listAppliedMigrations(ctx.db);
}

async function takeFigures(ctx: Context, organizationId: string | undefined, { dates, edges }: Days) {
  const now = ctx.clock();
  const signIns = await countEventsByDay(ctx.db, { type: "user.signed_in", organizationId, days: edges });
  const [first = now] = edges;
  const failed = await countFailedAttemptsByQuarter(ctx.db, organizationId, first);
  const from = edges.at(-1 - DAYS_OF_APPS) ?? first;
  const apps = await countAttemptsByApp(ctx.db, organizationId, { from, limit: APPS });
  const mails = await countMailsByQuarter(ctx.db, organizationId, first);
  /**
   * Returns the index of the day in the lists; figures that arrived after the lists were begun count for the last day.
   */
  const placeOf = ({ quarter }: { quarter: number }) => {
    const place = edges.findIndex((edge) => edge > quarter * QUARTER);
    return place === -1 ? dates.length - 1 : place - 1;
  };
  const failures = dates.map(() => 0);
  for (const one of failed) failures[placeOf(one)] = (failures[placeOf(one)] ?? 0) + one.count;
  const mail = dates.map((date) => ({ date, queued: 0, sent: 0, kept: 0, failed: 0, expired: 0 }));
  for (const one of mails) {
    const states = mail[placeOf(one)];
    if (states && one.state in states) states[one.state] += one.count;
  }
  return {
    viewTimestamp: new Date(now).toISOString(),
    counts: await countAll(ctx.db, organizationId, { now, idleSince: now - ctx.config.lifetimes.sessionIdle }),
    signIns: dates.map((date, index) => ({ date, count: signIns[index] ?? 0, failed: failures[index] ?? 0 })),
    apps: apps.map(({ name, ...app }) => ({ ...app, ...(name !== null && { name }) })),
    mail,
  };
}
