/**
 * Sends traces and metrics to a collector by OTLP. Loaded only where a collector is configured. The SDK reads its
 * standard variables itself: headers, certificates, sampler, limits, attributes of the resource.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter as JsonMetrics } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter as ProtobufMetrics } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter as JsonTraces } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufTraces } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { Registry } from "prom-client";
import type { Telemetry } from "./config-telemetry";
import { countTelemetryFailure, processMetrics } from "./metrics/instruments";
import { producerOf } from "./metrics/otlp-metrics";
import { root } from "./root";
import { traceBy } from "./tracing/span";

/** How long a collector that does not answer may keep an export waiting; the SDK's default is ten seconds. */
const EXPORT_TIMEOUT = 10_000;

/** Milliseconds between two lines that say the same. */
const SAID_AGAIN = 600_000;
/** Reasons that are remembered; a collector has a few. */
const MAX_SAID = 20;
/** What the resource is called where OTEL_SERVICE_NAME says nothing else. */
const SERVICE = "identity-service";

export interface OpenTelemetry {
  /** Begins to send metrics, and to say what could not be sent. */
  watch(options: WatchOptions): void;
  /** Sends what is left. Never rejects. */
  end(): Promise<void>;
}

export interface WatchOptions {
  /** Metrics beside those of the process; asked for every export. */
  registries: readonly (() => Promise<Registry>)[];
  /** Told of a failure in one line, of the same one every ten minutes at most. */
  onFailure(reason: string): void;
}

/** Traces from now on. Must be called once per process, before the database is opened. */
export function startTelemetry({ traces, metrics, variables }: Telemetry): OpenTelemetry {
  // Those of `.env` are ours alone until the SDK can see them.
  for (const [variable, value] of Object.entries(variables)) process.env[variable] ??= value;
  const own = resourceFromAttributes({ "service.name": SERVICE, "service.version": version() });
  const detectors = [hostDetector, serviceInstanceIdDetector, envDetector];
  const resource = defaultResource().merge(own).merge(detectResources({ detectors }));
  const provider = traces && startTraces(resource, traces);
  let meters: MeterProvider | undefined;
  return {
    watch({ registries, onFailure }) {
      reportFailures(onFailure);
      if (metrics === undefined) return;
      const exporter = metrics.protocol === "http/json" ? new JsonMetrics() : new ProtobufMetrics();
      const reader = new PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: metrics.interval,
        exportTimeoutMillis: Math.min(EXPORT_TIMEOUT, metrics.interval),
        metricProducers: [producerOf([async () => processMetrics, ...registries])],
      });
      meters = new MeterProvider({ resource, readers: [reader] });
    },
    async end() {
      traceBy(undefined);
      await Promise.allSettled([provider?.shutdown(), meters?.shutdown()]);
    },
  };
}

function startTraces(resource: ReturnType<typeof resourceFromAttributes>, protocol: string): NodeTracerProvider {
  const exporter = protocol === "http/json" ? new JsonTraces() : new ProtobufTraces();
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  traceBy(provider.getTracer(SERVICE));
  return provider;
}

const version = (): string =>
  (JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string }).version;

/** A collector that is away fails every few seconds. */
function reportFailures(onFailure: (reason: string) => void): void {
  const said = new Map<string, number>();
  const failed = (...reasons: unknown[]) => {
    countTelemetryFailure();
    const reason = reasons.map(textOf).join(" ").slice(0, 300);
    const at = performance.now();
    if (at - (said.get(reason) ?? -SAID_AGAIN) < SAID_AGAIN) return;
    if (said.size >= MAX_SAID) said.clear();
    said.set(reason, at);
    onFailure(reason);
  };
  const nothing = () => {};
  diag.setLogger(
    { error: failed, warn: failed, info: nothing, debug: nothing, verbose: nothing },
    {
      logLevel: DiagLogLevel.WARN,
      suppressOverrideMessage: true,
    },
  );
  setGlobalErrorHandler((exception) => failed(exception));
}

/** One line without a stack. */
function textOf(reason: unknown): string {
  const text = reason instanceof Error ? reason.message : typeof reason === "string" ? reason : JSON.stringify(reason);
  return (text ?? "").split("\n", 1)[0] ?? "";
}
