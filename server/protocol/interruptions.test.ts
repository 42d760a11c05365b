import { describe, expect, it } from "vitest";
import { createInterruptions } from "./interruptions";

describe("a time of grace", () => {
  const during = (from: number, to: number) => {
    const interruptions = createInterruptions();
    for (let now = from; now <= to; now += 1_000) interruptions.note(now);
    return interruptions;
  };

  it("ends when it is over", () => {
    expect(createInterruptions().graceUntil(5_000, 10_000)).toBe(15_000);
  });

  it("begins anew after an interruption that falls into it", () => {
    expect(during(6_000, 60_000).graceUntil(5_000, 10_000)).toBe(70_000);
    expect(during(2_000, 8_000).graceUntil(5_000, 10_000)).toBe(18_000);
  });

  it("is not touched by interruptions before and after it, and strict stays strict", () => {
    expect(during(1_000, 4_000).graceUntil(5_000, 10_000)).toBe(15_000);
    expect(during(16_000, 20_000).graceUntil(5_000, 10_000)).toBe(15_000);
    expect(during(4_000, 20_000).graceUntil(5_000, 0)).toBe(5_000);
  });

  it("begins anew at a start, for what happened just before it", () => {
    const started = createInterruptions();
    started.begin(100_000);
    const ends = [20_000, 35_000, 99_000, 101_000].map((since) => started.graceUntil(since, 10_000));
    expect(ends).toEqual([30_000, 110_000, 110_000, 111_000]);
    expect(started.graceUntil(99_000, 0)).toBe(99_000);
  });

  it("begins anew however long nobody was there, for the last rotations before", () => {
    const started = createInterruptions();
    started.begin(1_000_000, 100_000);
    const ends = [89_000, 95_000, 110_000].map((since) => started.graceUntil(since, 10_000));
    expect(ends).toEqual([99_000, 1_010_000, 1_010_000]);
    expect(started.graceUntil(110_000, 0)).toBe(110_000);
  });

  it("knows two interruptions apart", () => {
    const interruptions = createInterruptions();
    interruptions.note(1_000);
    interruptions.note(100_000);
    expect(interruptions.graceUntil(50_000, 10_000)).toBe(60_000);
  });
});

describe("the time of a rotation", () => {
  it("is kept at the first one ever, then now and then", () => {
    const interruptions = createInterruptions();
    interruptions.begin(1_000_000);
    const kept = [1_000_001, 1_000_002, 1_029_000, 1_031_000, 1_045_999, 1_046_000].map(interruptions.rotated);
    expect(kept).toEqual([true, false, false, true, false, true]);
  });

  it("is not kept by a process that is new, as those who got no answer before may still come back", () => {
    const interruptions = createInterruptions();
    interruptions.begin(1_000_000, 100_000);
    expect([1_000_001, 1_029_999, 1_030_000].map(interruptions.rotated)).toEqual([false, false, true]);
  });

  it("is kept anew by a clock that was set back", () => {
    const interruptions = createInterruptions();
    interruptions.begin(1_000_000, 8_000_000);
    expect([1_000_001, 1_000_002].map(interruptions.rotated)).toEqual([true, false]);
  });
});
