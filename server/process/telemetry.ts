/**
 * Sends traces and metrics to a collector by OTLP. Loaded only if a collector is configured. The SDK reads its standard
 * variables itself: headers, certificates, sampler, limits, attributes of the resource.
 */
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
import type { Telemetry } from "../config/telemetry-variables";
import { countTelemetryFailure, processMetrics } from "../metrics/instruments";
import { producerOf } from "../metrics/otlp-metrics";
import { serviceVersion } from "../root";
import { traceBy } from "../tracing/span";

/** Milliseconds that an export waits for a collector that does not answer; the SDK's default is ten seconds. */
const EXPORT_TIMEOUT = 10_000;

/** Milliseconds between two equal log lines. */
const SAID_AGAIN = 600_000;
/** Maximum number of remembered reasons; a collector has a few. */
const MAX_SAID = 20;
/** The name of the resource unless OTEL_SERVICE_NAME is set. */
const SERVICE = "identity-service";

export interface OpenTelemetry {
  /** Starts to send metrics, and to report what could not be sent. */
  watch(options: WatchOptions): void;
  /** Sends what is left. Never rejects. */
  end(): Promise<void>;
}

export interface WatchOptions {
  /** Metrics in addition to those of the process; read at every export. */
  registries: readonly (() => Promise<Registry>)[];
  /** Called with a failure in one line, at most every ten minutes with the same one. */
  onFailure(reason: string): void;
}

/** Traces from now on. Must be called once per process, before the database is opened. */
export function startTelemetry({ traces, metrics, variables }: Telemetry): OpenTelemetry {
  // Variables of `.env` are not in the environment until here, where the SDK reads them.
  for (const [variable, value] of Object.entries(variables)) process.env[variable] ??= value;
  const own = resourceFromAttributes({ "service.name": SERVICE, "service.version": serviceVersion() });
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

/** Reports failures once per reason and period: without a collector an export fails every few seconds. */
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
