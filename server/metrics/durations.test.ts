import { AggregatorRegistry, Histogram, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { DurationHistogram } from "./durations";

const described = { name: "test_duration_seconds", help: "What took how long.", buckets: [0.002, 0.05, 1] };

/** Milliseconds: on a bound, between two bounds, above all bounds. */
const OBSERVED: [string, number, number][] = [
  ["/a", 200, 0],
  ["/a", 200, 2],
  ["/a", 200, 2.1],
  ["/b", 404, 50],
  ["/a", 200, 1000],
  ["/b", 404, 60_000],
  ["/a", 500, 3],
];

/** Returns the same observations in prom-client's histogram and in ours. */
function bothWays() {
  const theirs = new Registry();
  const histogram = new Histogram({ ...described, labelNames: ["route", "status"], registers: [theirs] });
  const ours = new Registry();
  const durations = new DurationHistogram<"route" | "status">(described, ours);
  const kept = new Map<string, ReturnType<typeof durations.series>>();
  for (const [route, status, ms] of OBSERVED) {
    histogram.observe({ route, status }, ms / 1000);
    const series = kept.get(`${route} ${status}`) ?? durations.series({ route, status });
    kept.set(`${route} ${status}`, series);
    series.observe(ms);
  }
  return { theirs, ours, durations, kept };
}

/** Serializes a value as for another process, without exemplars, which our histogram does not have. */
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, of) => (key === "exemplar" && of === null ? undefined : of)));

describe("DurationHistogram (rule SERVE-3)", () => {
  it("produces the same text as the histogram of prom-client", async () => {
    const { theirs, ours } = bothWays();
    expect(await ours.metrics()).toBe(await theirs.metrics());
    expect(plain(await ours.getMetricsAsJSON())).toEqual(plain(await theirs.getMetricsAsJSON()));
  });

  it("is aggregated over processes in the same way", async () => {
    const { theirs, ours } = bothWays();
    const added = async (registry: Registry) => {
      const json = plain(await registry.getMetricsAsJSON());
      return AggregatorRegistry.aggregate([json, json]).metrics();
    };
    expect(await added(ours)).toBe(await added(theirs));
    expect(await added(ours)).toContain('test_duration_seconds_count{route="/a",status="200"} 8');
  });

  it("shows no series for labels without observations", async () => {
    const registry = new Registry();
    const durations = new DurationHistogram<"route">(described, registry);
    const series = durations.series({ route: "/a" });
    expect(await registry.metrics()).not.toContain("/a");
    series.observe(1);
    expect(await registry.metrics()).toContain('test_duration_seconds_count{route="/a"} 1');
  });

  it("starts again at zero with its registry, and existing series remain usable", async () => {
    const { ours, kept } = bothWays();
    ours.resetMetrics();
    expect(await ours.metrics()).not.toContain("route");
    kept.get("/b 404")?.observe(60_000);
    const lines = (await ours.metrics()).split("\n").filter((line) => line.includes("route"));
    expect(lines).toEqual([
      'test_duration_seconds_bucket{le="0.002",route="/b",status="404"} 0',
      'test_duration_seconds_bucket{le="0.05",route="/b",status="404"} 0',
      'test_duration_seconds_bucket{le="1",route="/b",status="404"} 0',
      'test_duration_seconds_bucket{le="+Inf",route="/b",status="404"} 1',
      'test_duration_seconds_sum{route="/b",status="404"} 60',
      'test_duration_seconds_count{route="/b",status="404"} 1',
    ]);
  });
});
