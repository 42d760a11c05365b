/**
 * Event loop lag under the metric names of prom-client. Choice: our own sampling, because prom-client's wakes an idle
 * process a hundred times a second and counts the interval between two samples as lag.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/**
 * Milliseconds between samples. A longer block of the loop is always seen, a shorter one with a probability that
 * depends on its length.
 */
const INTERVAL = 100;
/** The longest delay of a timer, in milliseconds. */
const NEVER = 2 ** 31 - 1;
const PREFIX = "nodejs_eventloop_lag";

/** Times between samples in nanoseconds; see perf_hooks. */
export interface Samples {
  count: number;
  min: number;
  max: number;
  mean: number;
  stddev: number;
  percentile(percentile: number): number;
}

interface Figure {
  help: string;
  /** How the figures of several processes are combined. */
  aggregator: "min" | "max" | "average";
  /** The figure in seconds. */
  of(samples: Samples): number;
}

const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - INTERVAL) / 1000;

const FIGURES: Readonly<Record<string, Figure>> = {
  min: { help: "The minimum recorded event loop delay.", aggregator: "min", of: ({ min }) => late(min) },
  max: { help: "The maximum recorded event loop delay.", aggregator: "max", of: ({ max }) => late(max) },
  mean: { help: "The mean of the recorded event loop delays.", aggregator: "average", of: ({ mean }) => late(mean) },
  stddev: {
    help: "The standard deviation of the recorded event loop delays.",
    aggregator: "average",
    of: ({ stddev }) => stddev / 1e9,
  },
  ...Object.fromEntries(
    [50, 90, 99].map((percentile) => [
      `p${percentile}`,
      {
        help: `The ${percentile}th percentile of the recorded event loop delays.`,
        aggregator: "average",
        of: (samples: Samples) => late(samples.percentile(percentile)),
      } as const,
    ]),
  ),
};

/** Returns the lag in seconds by figure, or undefined if there are no samples. */
export function latenessOf(samples: Samples): Record<string, number> | undefined {
  if (samples.count === 0) return undefined;
  return Object.fromEntries(Object.entries(FIGURES).map(([name, { of }]) => [name, of(samples)]));
}

/** Registers the default process metrics of prom-client, with our own event loop metrics. */
export function collectProcessMetrics(register: Registry): void {
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults, eventLoopMonitoringPrecision: NEVER });
  for (const metric of defaults.getMetricsAsArray()) {
    if (!metric.name.startsWith(PREFIX)) register.registerMetric(metric as never);
  }

  const samples = monitorEventLoopDelay({ resolution: INTERVAL });
  samples.enable();
  new Gauge({
    name: `${PREFIX}_seconds`,
    help: "Lag of event loop in seconds.",
    aggregator: "average",
    registers: [register],
    // The figures of one scrape belong together: this gauge is collected first and reads them all.
    async collect() {
      const lateness = latenessOf(samples);
      samples.reset();
      if (lateness) for (const [name, gauge] of gauges) gauge.set(lateness[name] ?? 0);
      const asked = performance.now();
      await new Promise((resolve) => setImmediate(resolve));
      this.set((performance.now() - asked) / 1000);
    },
  });
  const gauges = Object.entries(FIGURES).map(([name, { help, aggregator }]) => {
    return [name, new Gauge({ name: `${PREFIX}_${name}_seconds`, help, aggregator, registers: [register] })] as const;
  });
}
