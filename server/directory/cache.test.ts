import { describe, expect, it } from "vitest";
import type { Context } from "../context";
import { createCache, invalidateDirectory, TIME_TO_LIVE } from "./cache";

describe("what a cache knows without asking", () => {
  const open = () => {
    const time = { now: 1_000_000 };
    return { ctx: { db: { refuseInTransaction() {} }, clock: () => time.now } as unknown as Context, time };
  };

  it("is what it has read, for as long as `get` would not read it again", async () => {
    const { ctx, time } = open();
    const cache = createCache<string>();
    expect(cache.known(ctx, "a")).toBeUndefined();
    await cache.get(ctx, "a", async () => "read");
    expect(cache.known(ctx, "a")).toBe("read");
    time.now += TIME_TO_LIVE;
    expect(cache.known(ctx, "a")).toBeUndefined();
  });

  it("is nothing after a change, nor once the clock was set back", async () => {
    const { ctx, time } = open();
    const cache = createCache<string>();
    await cache.get(ctx, "a", async () => "read");
    time.now -= 1;
    expect(cache.known(ctx, "a")).toBeUndefined();
    time.now += 1;
    expect(cache.known(ctx, "a")).toBe("read");
    invalidateDirectory(ctx);
    expect(cache.known(ctx, "a")).toBeUndefined();
  });
});

describe("several at a time", () => {
  const ctx = { db: { refuseInTransaction() {} }, clock: () => 1_000_000 } as unknown as Context;

  it("are read once, what is missing alone, and what is absent each time", async () => {
    const cache = createCache<string>();
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

  it("are not kept where something was changed while they were read", async () => {
    const cache = createCache<string>();
    const before = await cache.getAll(ctx, ["a"], async () => {
      invalidateDirectory(ctx);
      return new Map([["a", "of before"]]);
    });
    expect(before).toEqual(["of before"]);
    expect(await cache.getAll(ctx, ["a"], async () => new Map([["a", "of after"]]))).toEqual(["of after"]);
  });
});
