import { describe, expect, it } from "vitest";
import type { Context } from "../context";
import { createCache, invalidateDirectory, TIME_TO_LIVE } from "./cache";

describe("what a cache knows without asking", () => {
  const open = () => {
    const time = { now: 1_000_000 };
    return { ctx: { db: {}, clock: () => time.now } as unknown as Context, time };
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
