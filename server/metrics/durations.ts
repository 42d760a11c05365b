/**
 * A histogram of durations for events that occur with every request. For each observation, prom-client's histogram
 * validates the labels and joins them to a key, which costs more than the rest of a short response. Here the caller
 * keeps the series of its labels, and an observation updates two numbers.
 */
import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from "prom-client";

/** The observations with the same labels. */
export interface DurationSeries {
  /** @param ms milliseconds */
  observe(ms: number): void;
}

class Series implements DurationSeries {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly #bounds: readonly number[];
  /** Counts per bucket, not cumulative. The last one is for values above all bounds. */
  readonly counts: number[];
  /** Seconds. */
  sum = 0;

  constructor(labels: Readonly<Record<string, string | number>>, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.counts = [...bounds, Number.POSITIVE_INFINITY].map(() => 0);
  }

  observe(ms: number): void {
    const seconds = ms / 1000;
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++;
    (this.counts[bucket] as number)++;
    this.sum += seconds;
  }

  reset(): void {
    this.counts.fill(0);
    this.sum = 0;
  }
}

type Row = MetricValueWithName<string>;

/** What a registry asks of a metric, in the terms of prom-client. */
interface Collected extends Pick<MetricObjectWithValues<Row>, "name" | "help" | "aggregator" | "values"> {
  /** Declared in prom-client as a numeric enumeration, but it is a string. */
  type: "histogram";
}

export class DurationHistogram<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly type = "histogram";
  readonly aggregator = "sum";
  readonly #bounds: readonly number[];
  readonly #series: Series[] = [];

  /** @param buckets upper bounds in seconds, ascending */
  constructor({ name, help, buckets }: { name: string; help: string; buckets: readonly number[] }, registry: Registry) {
    this.name = name;
    this.help = help;
    this.#bounds = buckets;
    // A registry only uses the members of this class; the type has every method of prom-client's four kinds.
    registry.registerMetric(this as unknown as Metric);
  }

  /**
   * Creates a series for labels that have none yet. Callers keep it, as it is never removed. It is shown after its
   * first observation.
   */
  series(labels: Readonly<Record<Label, string | number>>): DurationSeries {
    const series = new Series(labels, this.#bounds);
    this.#series.push(series);
    return series;
  }

  /** Returns the observations in Prometheus' form: the count of a bucket includes those of the lower ones. */
  async get(): Promise<Collected> {
    const { name, help, type, aggregator } = this;
    const observed = this.#series.filter(({ counts }) => counts.some((count) => count > 0));
    const values = observed.flatMap((series) => rowsOf(name, this.#bounds, series));
    return { name, help, type, aggregator, values };
  }

  /** Starts again at zero; existing series remain valid. */
  reset(): void {
    for (const series of this.#series) series.reset();
  }
}

function rowsOf(name: string, bounds: readonly number[], { labels, counts, sum }: Series): Row[] {
  let count = 0;
  const buckets = [...bounds, "+Inf"].map((le, index) => {
    count += counts[index] ?? 0;
    return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels: { ...labels }, value: sum, metricName: `${name}_sum` },
    { labels: { ...labels }, value: count, metricName: `${name}_count` },
  ];
}
