/**
 * Caches hot reads for a few seconds. A write takes effect at once in the process that makes it, and in the others as
 * soon as they are notified, at the latest after the time to live. A read that began before a write never restores the
 * old value.
 */
import type { Context } from "../context";

/** Milliseconds. Also the longest time that a process without notification may accept an app that was deactivated. */
export const TIME_TO_LIVE = 5_000;
/** When the cache is full, the oldest entry is dropped, so that keys from requests cannot exhaust the memory. */
const MAX_ENTRIES = 10_000;

export interface Cache<Value> {
  /** Returns the value that `get` would resolve with without loading; otherwise undefined. */
  known(ctx: Context, key: string): Value | undefined;
  /** Returns the cached value, otherwise the result of `load`; absence (undefined) is not cached. */
  get(ctx: Context, key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
  /**
   * Returns the values of several keys with one `load` of all missing ones, in no particular order and without absent
   * ones.
   */
  getAll(ctx: Context, keys: readonly string[], load: Load<Value>): Promise<Value[]>;
}

/** Loads values by key; a key that the result omits is absent. */
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

/** Returns a cache that has separate entries for each database. */
export function createCache<Value>(): Cache<Value> {
  const cache = new WeakMap<Context["db"], Entries>();
  caches.push(cache);
  const fresh = (entries: Entries, key: string, now: number) => {
    const entry = entries.values.get(key);
    // A negative age means that the clock was set back, so the value's true age is unknown.
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
