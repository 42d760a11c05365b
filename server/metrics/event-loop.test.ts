import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { collectProcessMetrics, latenessOf } from "./event-loop";

const MS = 1e6;

describe("the measurement of event loop lag", () => {
  it("does not count the interval between two samples", () => {
    const samples = {
      count: 3,
      min: 99.8 * MS,
      max: 383 * MS,
      mean: 132 * MS,
      stddev: 85 * MS,
      percentile: (percentile: number) => (percentile === 99 ? 383 * MS : 102 * MS),
    };
    const lateness = Object.entries(latenessOf(samples) ?? {});
    expect(Object.fromEntries(lateness.map(([name, seconds]) => [name, Number(seconds.toFixed(6))]))).toEqual({
      min: 0,
      max: 0.283,
      mean: 0.032,
      stddev: 0.085,
      p50: 0.002,
      p90: 0.002,
      p99: 0.283,
    });
  });

  it("returns nothing if there are no samples", () => {
    const nothing = { count: 0, min: 2 ** 63, max: 0, mean: Number.NaN, stddev: Number.NaN, percentile: () => 0 };
    expect(latenessOf(nothing)).toBeUndefined();
  });

  it("sees what blocks the loop for longer than the interval", async () => {
    const register = new Registry();
    collectProcessMetrics(register);
    // The second sample is counted from the first one.
    for (let sample = 0; sample < 2; sample++) {
      const end = performance.now() + 300;
      while (performance.now() < end);
      await new Promise((resolve) => setTimeout(resolve, 1)); // lets the timers phase begin …
      await new Promise((resolve) => setImmediate(resolve)); // … and end
    }
    const text = await register.metrics();
    const max = Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]);
    expect(max).toBeGreaterThanOrEqual(0.19);
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text.match(/^# TYPE nodejs_eventloop_lag\w+ gauge$/gm)).toHaveLength(8);
  });
});
