/**
 * Failures of background work, counted and logged: for an outage of the database one line when it begins and one when it
 * ends, as the same stack trace every second would hide other lines.
 */
import type { Logger } from "pino";
import { beginAtZero, countBackgroundFailure } from "../../metrics/instruments";
import { isUnavailable } from "./unavailable";

export interface OutageLog {
  failed(error: unknown): void;
  /** The work succeeded, or there was none. */
  succeeded(): void;
}

/** @param work as a subject: "sending mails" */
export function outageLog(log: Logger, work: string): OutageLog {
  let isAway = false;
  beginAtZero("backgroundFailures", [{ work }]);
  return {
    failed(error) {
      countBackgroundFailure(work);
      if (!isUnavailable(error)) return log.error({ err: error }, `${work} failed; it is tried again`);
      if (!isAway) log.warn({ reason: firstLine(error) }, `${work} waits: the database cannot be used at the moment`);
      isAway = true;
    },
    succeeded() {
      if (isAway) log.info(`${work} goes on: the database can be used again`);
      isAway = false;
    },
  };
}

/**
 * The first line of an error's message, or of its cause if it only wraps one; a host name with several addresses has
 * one cause for each.
 */
export function firstLine(error: unknown): string {
  const { message, cause, errors, code } = error as Error & { errors?: unknown[]; code?: string };
  if (cause !== undefined) return firstLine(cause);
  const [first] = errors ?? [];
  if (first !== undefined) return firstLine(first);
  return message?.trim().split("\n")[0] || code || "unknown reason";
}
