/**
 * Caches hot reads for a few seconds. A change drops the entries that it concerns (events/announced.ts) in all
 * processes before it is answered. A read that began before a change never restores the old value.
 */
import type { Context } from "../context";
import { type CacheName, type ChangedObject, droppedFrom, readAnnounced } from "../events/announced";

/** Milliseconds. Also the longest time that a process without notification may accept an app that was deactivated. */
export const TIME_TO_LIVE = 5_000;
/** When the cache is full, the oldest entry is dropped, so that keys from requests cannot exhaust the memory. */
const MAX_ENTRIES = 10_000;

export interface Cache<Value> {
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

/** The ids of the objects that an entry is made of, and `PEOPLE` if it depends on people. */
type MadeOf<Value> = (key: string, value: Value) => readonly (string | undefined)[];

interface Registered {
  name: CacheName;
  entries: WeakMap<Context["db"], Entries>;
  madeOf: MadeOf<never> | undefined;
}

const caches: Registered[] = [];

function entriesOf(cache: WeakMap<Context["db"], Entries>, db: Context["db"]): Entries {
  let entries = cache.get(db);
  if (!entries) {
    entries = { generation: 0, values: new Map() };
    cache.set(db, entries);
  }
  return entries;
}

/**
 * Returns a cache that has separate entries for each database.
 * @param madeOf undefined: a change that concerns the cache drops all of its entries
 */
export function createCache<Value>(name: CacheName, madeOf?: MadeOf<Value>): Cache<Value> {
  const cache = new WeakMap<Context["db"], Entries>();
  caches.push({ name, entries: cache, madeOf });
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
  dropChanged(ctx, undefined);
}

/** Drops what changes concern. What is being read meanwhile is not kept. @param changes undefined: everything */
export function dropChanged(ctx: Pick<Context, "db">, changes: readonly ChangedObject[] | undefined): void {
  for (const { name, entries: cache, madeOf } of caches) {
    const entries = cache.get(ctx.db);
    const dropped = changes ? droppedFrom(name, changes) : "all";
    if (!entries || !dropped) continue;
    entries.generation++;
    if (dropped === "all" || !madeOf) entries.values.clear();
    else {
      for (const [key, { value }] of entries.values) {
        if (madeOf(key, value as never).some((id) => id !== undefined && dropped.has(id))) entries.values.delete(key);
      }
    }
  }
}

/** Drops what other processes announce as changed; everything if it is not known what that is. */
export function invalidateWithOthers(ctx: Context): Promise<void> {
  return ctx.db.onAnnouncement((names) => dropChanged(ctx, readAnnounced(names)));
}
