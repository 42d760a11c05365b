/**
 * Caches hot reads for a few seconds. A write takes effect at once in the process that makes it, and in the others as
 * soon as they are told, after the time to live at the latest. A read that began before a write never restores the old
 * value after it.
 */
import type { Context } from "../context";

/** Milliseconds; also how long a process that was not told may still accept an app that was just deactivated. */
export const TIME_TO_LIVE = 5_000;
/** Beyond this many entries the oldest is dropped: keys from requests must not fill the memory. */
const MAX_ENTRIES = 10_000;

export interface Cache<Value> {
  /** What `get` would resolve with, where it need not load it; else undefined. */
  known(ctx: Context, key: string): Value | undefined;
  /** The cached value, else the result of `load`; absence (undefined) is not cached. */
  get(ctx: Context, key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
  /** As `get` for each key, with one `load` of all that is missing; in no order, without what is absent. */
  getAll(ctx: Context, keys: readonly string[], load: Load<Value>): Promise<Value[]>;
}

/** By key; what it leaves out is absent. */
type Load<Value> = (missing: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

interface Entries {
  generation: number;
  values: Map<string, { value: unknown; readAt: number }>;
}

const caches: WeakMap<Context["db"], Entries>[] = [];

function entriesOf(cache: WeakMap<Context["db"], Entries>, db: Context["db"]): Entries {
  let entries = cache.get(db);
  if (!entries) {
    entries = { generation: 0, values: new Map() };
    cache.set(db, entries);
  }
  return entries;
}

/** A cache with entries of its own for each database. */
export function createCache<Value>(): Cache<Value> {
  const cache = new WeakMap<Context["db"], Entries>();
  caches.push(cache);
  const fresh = (entries: Entries, key: string, now: number) => {
    const entry = entries.values.get(key);
    // A negative age means the clock was set back, so the value's true age is unknown.
    return entry && now - entry.readAt >= 0 && now - entry.readAt < TIME_TO_LIVE ? entry : undefined;
  };
  const keep = (entries: Entries, key: string, value: unknown, readAt: number) => {
    entries.values.delete(key);
    if (value === undefined) return;
    if (entries.values.size >= MAX_ENTRIES) entries.values.delete(entries.values.keys().next().value ?? "");
    entries.values.set(key, { value, readAt });
  };
  return {
    known: (ctx, key) => fresh(entriesOf(cache, ctx.db), key, ctx.clock())?.value as Value | undefined,
    async get(ctx, key, load) {
      ctx.db.refuseInTransaction("a cached read");
      const entries = entriesOf(cache, ctx.db);
      const now = ctx.clock();
      const known = fresh(entries, key, now);
      if (known) return known.value as Value;
      const { generation } = entries;
      const value = await load();
      if (generation === entries.generation) keep(entries, key, value, now);
      return value;
    },
    async getAll(ctx, keys, load) {
      ctx.db.refuseInTransaction("a cached read");
      const entries = entriesOf(cache, ctx.db);
      const now = ctx.clock();
      const known = keys.flatMap((key) => fresh(entries, key, now) ?? []).map(({ value }) => value as Value);
      if (known.length === keys.length) return known;
      const { generation } = entries;
      const missing = keys.filter((key) => !fresh(entries, key, now));
      const loaded = await load(missing);
      if (generation === entries.generation) for (const key of missing) keep(entries, key, loaded.get(key), now);
      return [...known, ...loaded.values()];
    },
  };
}

/** Empties all caches of the directory. */
export function invalidateDirectory(ctx: Context): void {
  for (const cache of caches) {
    const entries = cache.get(ctx.db);
    if (!entries) continue;
    entries.generation++;
    entries.values.clear();
  }
}

/** Empties the caches whenever another process has changed the directory. */
export function invalidateWithOthers(ctx: Context): Promise<void> {
  return ctx.db.onAnnouncement(() => invalidateDirectory(ctx));
}
