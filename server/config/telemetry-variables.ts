/**
 * The standard variables of OpenTelemetry that the service supports. Without the address of a collector nothing is
 * traced or sent, and the code of OpenTelemetry is not loaded.
 */
import { z } from "zod";
import { setting, yesOrNo } from "./value-parsers";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });
const protocol = z.enum(["http/protobuf", "http/json"], {
  error: "must be http/protobuf or http/json; collectors listen for both on port 4318",
});
const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const milliseconds = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, { error: "must be a number of milliseconds, at least 1" })
  .transform(Number);

const ENDPOINT = {
  example: "http://127.0.0.1:4318",
  description:
    "The address of a collector for traces and metrics. Without one nothing is traced, and nothing of OpenTelemetry is loaded.",
};
const PROTOCOL = {
  default: "http/protobuf",
  example: "http/protobuf",
  description: "`http/protobuf` or `http/json`.",
};
const EXPORTER = { default: "otlp", example: "otlp" };

/** OpenTelemetry's specification, "Environment Variable Specification". */
export const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(address, ENDPOINT),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(address, {
    example: "http://127.0.0.1:4318/v1/traces",
    description: "The whole address for traces, where it is another one.",
  }),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: setting(address, {
    example: "http://127.0.0.1:4318/v1/metrics",
    description: "The whole address for metrics, where it is another one.",
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(protocol, PROTOCOL),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: setting(protocol, { ...PROTOCOL, description: "The protocol for traces." }),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: setting(protocol, { ...PROTOCOL, description: "The protocol for metrics." }),
  OTEL_TRACES_EXPORTER: setting(oneOf("otlp", "none"), { ...EXPORTER, description: "`none` sends no traces." }),
  OTEL_METRICS_EXPORTER: setting(oneOf("otlp", "none"), { ...EXPORTER, description: "`none` sends no metrics." }),
  OTEL_TRACES_SAMPLER: setting(oneOf(...SAMPLERS), {
    default: "parentbased_always_on",
    example: "parentbased_traceidratio",
    description: `Which traces are sent: ${SAMPLERS.map((name) => `\`${name}\``).join(", ")}.`,
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z.string().regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, { error: "must be a share from 0 to 1" }),
    { default: "1", example: "0.1", description: "The share of traces that samplers by ratio send, from 0 to 1." },
  ),
  OTEL_METRIC_EXPORT_INTERVAL: setting(milliseconds, {
    default: "60000",
    example: "60000",
    description: "Milliseconds between two exports of metrics.",
  }),
  OTEL_SDK_DISABLED: setting(yesOrNo, {
    default: "false",
    example: "false",
    description: "`true` sends neither traces nor metrics.",
  }),
} as const;

const shape = z.object(telemetryVariables);
type Given = z.output<typeof shape>;
type Protocol = z.output<typeof protocol>;

export interface Telemetry {
  /** The protocol of traces; undefined if they are not sent. */
  traces?: Protocol;
  metrics?: { protocol: Protocol /** Milliseconds. */; interval: number };
  /**
   * Every given variable of OpenTelemetry, also from `.env`: its libraries read the others themselves (headers,
   * certificates, limits, attributes).
   */
  variables: Readonly<Record<string, string>>;
}

/** OpenTelemetry's specification. */
const EXPORT_INTERVAL = 60_000;
const ANY = /^OTEL_/;

/** Whether a name belongs to OpenTelemetry. */
export const isOfTelemetry = (name: string): boolean => ANY.test(name);

/** Returns the settings, or undefined if nothing is to be sent. */
export function toTelemetry(given: Given, all: Readonly<Record<string, string | undefined>>): Telemetry | undefined {
  if (given.OTEL_SDK_DISABLED === true) return undefined;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: everything, OTEL_EXPORTER_OTLP_PROTOCOL: usual = "http/protobuf" } = given;
  const hasTraces = given.OTEL_TRACES_EXPORTER !== "none" && (given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? everything);
  const hasMetrics =
    given.OTEL_METRICS_EXPORTER !== "none" && (given.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? everything);
  if (!hasTraces && !hasMetrics) return undefined;
  const variables = Object.entries(all).flatMap(([name, value]) =>
    isOfTelemetry(name) && value ? [[name, value]] : [],
  );
  return {
    ...(hasTraces && { traces: given.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? usual }),
    ...(hasMetrics && {
      metrics: {
        protocol: given.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? usual,
        interval: given.OTEL_METRIC_EXPORT_INTERVAL ?? EXPORT_INTERVAL,
      },
    }),
    variables: Object.fromEntries(variables),
  };
}
