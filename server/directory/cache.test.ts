import { describe, expect, it } from "vitest";
import type { Context } from "../context";
import { type Cache, createCache, invalidateDirectory, TIME_TO_LIVE } from "./cache";

/** Returns the cached value: a failed load changes nothing. */
const cached = (cache: Cache<string>, ctx: Context) =>
  cache.get(ctx, "a", () => Promise.reject(new Error("not cached"))).catch(() => undefined);

describe("the value that a cache returns without loading", () => {
  const open = () => {
    const time = { now: 1_000_000 };
    return { ctx: { db: { refuseInTransaction() {} }, clock: () => time.now } as unknown as Context, time };
  };

  it("is the loaded one for as long as `get` would not load it again", async () => {
    const { ctx, time } = open();
    const cache = createCache<string>("instance");
    expect(await cached(cache, ctx)).toBeUndefined();
    await cache.get(ctx, "a", async () => "read");
    expect(await cached(cache, ctx)).toBe("read");
    time.now += TIME_TO_LIVE;
    expect(await cached(cache, ctx)).toBeUndefined();
  });

  it("is undefined after a change, and while the clock is behind the time of the read", async () => {
    const { ctx, time } = open();
    const cache = createCache<string>("instance");
    await cache.get(ctx, "a", async () => "read");
    time.now -= 1;
    expect(await cached(cache, ctx)).toBeUndefined();
    time.now += 1;
    expect(await cached(cache, ctx)).toBe("read");
    invalidateDirectory(ctx);
    expect(await cached(cache, ctx)).toBeUndefined();
  });
});

describe("reading several keys of a cache", () => {
  const ctx = { db: { refuseInTransaction() {} }, clock: () => 1_000_000 } as unknown as Context;

  it("loads each key once, loads only missing keys together, and loads absent keys each time", async () => {
    const cache = createCache<string>("instance");
    const asked: (readonly string[])[] = [];
    const load = async (missing: readonly string[]) => {
      asked.push(missing);
      return new Map(missing.flatMap((key) => (key === "absent" ? [] : [[key, `value of ${key}`]])));
    };
    expect(await cache.getAll(ctx, ["a"], load)).toEqual(["value of a"]);
    expect((await cache.getAll(ctx, ["b", "a", "absent"], load)).sort()).toEqual(["value of a", "value of b"]);
    expect(await cache.getAll(ctx, ["absent"], load)).toEqual([]);
    expect((await cache.getAll(ctx, ["a", "b"], load)).sort()).toEqual(["value of a", "value of b"]);
    expect(asked).toEqual([["a"], ["b", "absent"], ["absent"]]);
    expect(await cache.get(ctx, "b", async () => "another")).toBe("value of b");
  });

  it("does not keep values if something was changed while they were loaded", async () => {
    const cache = createCache<string>("instance");
    const before = await cache.getAll(ctx, ["a"], async () => {
      invalidateDirectory(ctx);
      return new Map([["a", "of before"]]);
    });
    expect(before).toEqual(["of before"]);
    expect(await cache.getAll(ctx, ["a"], async () => new Map([["a", "of after"]]))).toEqual(["of after"]);
  });
});
