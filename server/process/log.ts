/**
 * The log: JSON lines for machines, short lines for a terminal. Secrets are removed by the names of their fields, in
 * case a whole object is logged.
 */
import { type DestinationStream, type Logger, levels, pino, stdTimeFunctions } from "pino";
import type { Config } from "../config/config";
import { isTracing, traceIds } from "../tracing/span";
import { standardOutput } from "./log-output";

const SECRET_NAMES = [
  "password",
  "passwordHash",
  "clientSecret",
  "secret",
  "secretDigest",
  "token",
  "authorization",
  "cookie",
];

/** @param output where to write; tests replace standard output */
export function createLog(config: Pick<Config, "logLevel" | "logFormat">, output?: NodeJS.WritableStream): Logger {
  const text = config.logFormat === "text";
  const options = {
    level: config.logLevel,
    base: text ? null : { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    ...(isTracing() && { mixin: traceIds }),
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: "[hidden]" },
  };
  if (text) return pino(options, asText(output ?? standardOutput(0)));
  return pino(options, output ?? standardOutput());
}

/** `12:30:59 info  ready port=8080` */
function asText(output: DestinationStream): DestinationStream {
  return { write: (line) => output.write(`${formatLine(line)}\n`) };
}

function formatLine(json: string): string {
  const { time, level, msg = "", err, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const label = levels.labels[Number(level)] ?? String(level);
  const fields = Object.entries(rest).map(
    ([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const stack = (err as { stack?: string } | undefined)?.stack;
  return `${String(time).slice(11, 19)} ${label.padEnd(5)} ${msg}${fields.join("")}${stack ? `\n${stack}` : ""}`;
}
