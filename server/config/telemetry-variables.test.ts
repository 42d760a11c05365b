import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeProblem, loadConfig } from "./config";
import type { Telemetry } from "./telemetry-variables";

const COLLECTOR = "http://127.0.0.1:4318";

function telemetryOf(env: Record<string, string>, dotEnv = "/dev/null"): Telemetry | undefined | string[] {
  const config = loadConfig(env, dotEnv);
  return Array.isArray(config) ? config.map(describeProblem) : config.telemetry;
}

describe("the standard variables of OpenTelemetry", () => {
  it.each([
    ["OTEL_SDK_DISABLED", "1"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "grpc://collector"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_TRACES_EXPORTER", "zipkin"],
    ["OTEL_METRICS_EXPORTER", "prometheus"],
    ["OTEL_TRACES_SAMPLER", "half"],
    ["OTEL_TRACES_SAMPLER_ARG", "10"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "1m"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "0"],
  ])("%s=%s is refused in one line with an example", (name, value) => {
    const lines = telemetryOf({ [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name}: .+ \\(example: ${name}=.+\\)$`))]);
  });

  it("send nothing by themselves", () => {
    expect(telemetryOf({})).toBeUndefined();
    expect(telemetryOf({ OTEL_SERVICE_NAME: "id", OTEL_TRACES_EXPORTER: "otlp" })).toBeUndefined();
    expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_SDK_DISABLED: "true" })).toBeUndefined();
    const none = { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" };
    expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, ...none })).toBeUndefined();
  });

  it("send both to one collector, or one of them alone", () => {
    expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR })).toEqual({
      traces: "http/protobuf",
      metrics: { protocol: "http/protobuf", interval: 60_000 },
      variables: { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR },
    });
    const tracesOnly = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    expect(telemetryOf(tracesOnly)).toEqual({ traces: "http/json", variables: tracesOnly });
    const metricsOnly = { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_TRACES_EXPORTER: "none" };
    expect(telemetryOf({ ...metricsOnly, OTEL_METRIC_EXPORT_INTERVAL: "5000" })).toMatchObject({
      metrics: { interval: 5000 },
    });
    expect(telemetryOf(metricsOnly)).not.toHaveProperty("traces");
  });

  it("may be set in .env, including those that only the SDK reads", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "telemetry-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, ".env");
    writeFileSync(file, `OTEL_EXPORTER_OTLP_ENDPOINT=${COLLECTOR}\nOTEL_EXPORTER_OTLP_HEADERS=api-key=1\n`);
    expect(telemetryOf({}, file)).toMatchObject({ variables: { OTEL_EXPORTER_OTLP_HEADERS: "api-key=1" } });
  });
});
