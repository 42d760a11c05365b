/** Ends a process that cannot start, with status 1 and one line that says what is wrong. */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** The modules, the pages, the database's connections and a few clients need fewer; with less they fail at random. */
const NEEDED_FILES = 256;
const TOO_FEW_FILES =
  `The limit on open files is too low: the service needs ${NEEDED_FILES}, and one more for each connection. Raise it, ` +
  "for instance to 65536: ulimit -n in a shell, LimitNOFILE= in a systemd unit, ulimits: in a compose file";

/** @throws Error if the process may not open the files that it needs, before a part of the service meets the limit */
export function refuseFewFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED_FILES) opened.push(openSync(devNull, "r"));
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/** Prints the reason without a stack trace, which does not help operators, and ends the process. */
export function endWithReason(error: unknown): never {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return /\bE[MN]FILE\b/.test(error.message) ? TOO_FEW_FILES : error.message;
}
