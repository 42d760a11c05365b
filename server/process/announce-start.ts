/** Prints lines beside the log for the person who starts the service. */
import { format } from "node:util";
import type { Logger } from "pino";
import type { Config } from "../config/config";

/**
 * Prints a line at any log level: as plain text, or in the format of the log if that is JSON.
 * @param facts further members of a JSON line
 */
export function announce(
  config: Pick<Config, "isAllJson">,
  text: string,
  facts: Readonly<Record<string, unknown>>,
): void {
  const line = { level: 30, time: new Date().toISOString(), pid: process.pid, ...facts, msg: text };
  process.stdout.write(`${config.isAllJson ? JSON.stringify(line) : text}\n`);
}

/** Prints the address of the service and, on an empty database, where to create the first administrator. */
export function announceAddress(config: Config, setupLink: string | undefined, more = ""): void {
  const { baseUrl } = config;
  announce(config, `Identity service ready at ${baseUrl}${more}`, { baseUrl });
  if (!setupLink) return;
  announce(config, `Create the first administrator (once, within an hour): ${setupLink}`, { setupLink });
}

/** Turns output of libraries such as Next into log lines if the log is JSON. */
export function logPrinted({ isAllJson }: Pick<Config, "isAllJson">, log: Logger): void {
  if (!isAllJson) return;
  const levels = { log: "info", info: "info", debug: "debug", warn: "warn", error: "error" } as const;
  for (const [name, level] of Object.entries(levels)) {
    console[name as keyof typeof levels] = (...printed: unknown[]) => log[level](format(...printed));
  }
}
