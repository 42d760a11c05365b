/**
 * The metrics of `/metrics` in the form of OpenTelemetry's SDK: the same instruments under the same names, so that
 * there is one list of metrics for all readers.
 */
import { type HrTime, ValueType } from "@opentelemetry/api";
import { hrTime, timeInputToHrTime } from "@opentelemetry/core";
import { emptyResource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";

type Instrument = MetricObjectWithValues<MetricValue<string>>;
type Series = MetricValue<string> & { metricName?: string };

/** The time range of a figure; counters start with the process. */
interface Times {
  startTime: HrTime;
  endTime: HrTime;
}

/**
 * Returns a producer for OpenTelemetry's SDK.
 * @param registries called for every export; one that rejects is omitted and its error is reported
 */
export function producerOf(registries: readonly (() => Promise<Registry>)[]): MetricProducer {
  const startTime = timeInputToHrTime(new Date());
  return {
    async collect() {
      const times = { startTime, endTime: hrTime() };
      const asked = await Promise.allSettled(registries.map(async (open) => (await open()).getMetricsAsJSON()));
      const errors = asked.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
      const instruments = asked.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      const metrics = instruments.flatMap((instrument) => toMetric(instrument, times) ?? []);
      const scopeMetrics = [{ scope: { name: "identity-service" }, metrics }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors };
    },
  };
}

/** Returns undefined for kinds of metrics that we do not use. */
function toMetric(instrument: Instrument, times: Times): MetricData | undefined {
  const { name, help } = instrument;
  const descriptor = { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE };
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  // Declared as a numeric enumeration, but it is the word of Prometheus' format.
  switch (String(instrument.type)) {
    case "counter":
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points(instrument, times) };
    case "gauge":
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points(instrument, times) };
    case "histogram":
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: distributions(instrument, times) };
    default:
      return undefined;
  }
}

/** Returns the UCUM unit for the suffix that Prometheus' conventions require. */
function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return "s";
  return /_bytes$/.test(name) ? "By" : "1";
}

const points = ({ values }: Instrument, times: Times): DataPoint<number>[] =>
  values.map(({ labels, value }) => ({ ...times, attributes: labels as Record<string, string>, value }));

/**
 * Converts histograms: a bucket of Prometheus includes the counts of the lower ones, a bucket of OpenTelemetry does
 * not.
 */
function distributions({ name, values }: Instrument, times: Times): DataPoint<Histogram>[] {
  const bySeries = new Map<string, { labels: Record<string, string>; rows: Series[] }>();
  for (const row of values as Series[]) {
    const { le: _, ...labels } = row.labels as Record<string, string>;
    const key = JSON.stringify(labels);
    const known = bySeries.get(key) ?? { labels, rows: [] };
    known.rows.push(row);
    bySeries.set(key, known);
  }
  return [...bySeries.values()].map(({ labels, rows }) => {
    const valueWith = (suffix: string) => rows.find(({ metricName }) => metricName === name + suffix)?.value ?? 0;
    const buckets = rows.filter(({ metricName }) => metricName === `${name}_bucket`);
    const boundaries = buckets.map((row) => Number((row.labels as { le: unknown }).le)).filter(Number.isFinite);
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    const value = { buckets: { boundaries, counts }, sum: valueWith("_sum"), count: valueWith("_count") };
    return { ...times, attributes: labels, value };
  });
}
