import { describe, expect, it, vi } from "vitest";
import type { Context } from "../../context";
import { newPace, paced } from "./pace";

describe("the pace of an import", () => {
  /** Does batches whose entries take so many milliseconds each. @returns the sizes, and the pauses in milliseconds */
  const run = async (entryTakes: number, batches: number) => {
    const pauses: number[] = [];
    const ctx = { pause: async (ms: number) => pauses.push(ms) } as unknown as Context;
    const pace = newPace();
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    const sizes: number[] = [];
    for (let left = batches; left > 0; left--) {
      sizes.push(pace.size);
      await paced(ctx, pace, pace.size, async () => {
        now += pace.size * entryTakes;
      });
    }
    clock.mockRestore();
    return { sizes, pauses };
  };

  it("makes batches of forty milliseconds, and leaves others twice that time", async () => {
    expect(await run(2, 3)).toEqual({ sizes: [10, 20, 20], pauses: [40, 80, 80] });
  });

  it("makes smaller ones while each entry takes longer, of one entry at least, and has no batch of more than a hundred", async () => {
    expect((await run(20, 5)).sizes).toEqual([10, 5, 2, 2, 2]);
    expect((await run(500, 6)).sizes.at(-1)).toBe(1);
    expect((await run(0.01, 6)).sizes).toEqual([10, 20, 40, 80, 100, 100]);
  });
});
