/**
 * What hot reads remember for a few seconds. A write in this process is seen at once; a write of another process after
 * the time to live at the latest. A read that began before a write never brings the old value back after it.
 */
import type { Context } from "../context";

/** Milliseconds; also how long another process may go on with an app that was just deactivated. */
export const TIME_TO_LIVE = 5_000;
/** Beyond this many entries the oldest goes: names that come from requests must not fill the memory. */
const MOST_ENTRIES = 10_000;

export interface Cache<Value> {
  /** The remembered value, else what `load` gives; absence (undefined) is not remembered. */
  get(ctx: Context, key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
}

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

export function createCache<Value>(): Cache<Value> {
  const cache = new WeakMap<Context["db"], Entries>();
  caches.push(cache);
  return {
    async get(ctx, key, load) {
      const entries = entriesOf(cache, ctx.db);
      const now = ctx.clock();
      const known = entries.values.get(key);
      // A clock set back makes an age negative: then nothing is known of how old the value is.
      if (known && now - known.readAt >= 0 && now - known.readAt < TIME_TO_LIVE) return known.value as Value;
      const { generation } = entries;
      const value = await load();
      if (generation !== entries.generation) return value;
      entries.values.delete(key);
      if (value === undefined) return undefined;
      if (entries.values.size >= MOST_ENTRIES) entries.values.delete(entries.values.keys().next().value ?? "");
      entries.values.set(key, { value, readAt: now });
      return value;
    },
  };
}

/** Forgets everything that was read of the directory. */
export function forgetDirectory(ctx: Context): void {
  for (const cache of caches) {
    const entries = cache.get(ctx.db);
    if (!entries) continue;
    entries.generation++;
    entries.values.clear();
  }
}
