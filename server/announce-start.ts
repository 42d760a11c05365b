/** What is printed besides the log, for whoever has started the service. */
import { format } from "node:util";
import type { Logger } from "pino";
import type { Config } from "./config";

/**
 * Prints a line at any level of the log: as it is, or, where JSON was asked for, as the log's lines are.
 * @param facts further members of such a line
 */
export function announce(
  config: Pick<Config, "isAllJson">,
  text: string,
  facts: Readonly<Record<string, unknown>>,
): void {
  const line = { level: 30, time: new Date().toISOString(), pid: process.pid, ...facts, msg: text };
  process.stdout.write(`${config.isAllJson ? JSON.stringify(line) : text}\n`);
}

/** Says that the service answers, and, on an empty database, where the first administrator is created. */
export function announceAddress(config: Config, setupLink: string | undefined, more = ""): void {
  const { baseUrl } = config;
  announce(config, `Identity service ready at ${baseUrl}${more}`, { baseUrl });
  if (!setupLink) return;
  announce(config, `Create the first administrator (once, within an hour): ${setupLink}`, { setupLink });
}

/** Makes log lines of what libraries print, as Next does, where JSON was asked for. */
export function logPrinted({ isAllJson }: Pick<Config, "isAllJson">, log: Logger): void {
  if (!isAllJson) return;
  const levels = { log: "info", info: "info", debug: "debug", warn: "warn", error: "error" } as const;
  for (const [name, level] of Object.entries(levels)) {
    console[name as keyof typeof levels] = (...printed: unknown[]) => log[level](format(...printed));
  }
}
