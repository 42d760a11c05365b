/**
 * Counts and logs failures of background work. A database outage is logged with one line when it begins and one when it
 * ends, because the same stack trace every second would hide other lines.
 */
import type { Logger } from "pino";
import { countBackgroundFailure } from "../../metrics/instruments";
import { isUnavailable } from "./unavailable";

export interface OutageLog {
  failed(error: unknown): void;
  /** The work succeeded, or there was nothing to do. */
  succeeded(): void;
}

/**
 * Creates the log of one kind of background work.
 * @param work the subject of the log messages, such as "sending mails"
 */
export function outageLog(log: Logger, work: string): OutageLog {
  let isAway = false;
  countBackgroundFailure.beginAtZero([work]);
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
 * Returns the first line of the message of an error, or of its cause if it only wraps one. If a host name has several
 * addresses, each has its own cause.
 */
export function firstLine(error: unknown): string {
  const { message, cause, errors, code } = error as Error & { errors?: unknown[]; code?: string };
  if (cause !== undefined) return firstLine(cause);
  const [first] = errors ?? [];
  if (first !== undefined) return firstLine(first);
  return message?.trim().split("\n")[0] || code || "unknown reason";
}
