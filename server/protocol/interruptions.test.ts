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

  it("knows two interruptions apart", () => {
    const interruptions = createInterruptions();
    interruptions.note(1_000);
    interruptions.note(100_000);
    expect(interruptions.graceUntil(50_000, 10_000)).toBe(60_000);
  });
});
