/**
 * What SIGTERM and SIGINT mean. While a process starts, nothing is under way: it ends at once, and what it was writing
 * is undone by the database. Later whatever serves says how it ends. Without this a start could not be stopped at all
 * where it is the first process of a container: the system gives that one no default.
 */
const SIGNALS = ["SIGTERM", "SIGINT"] as const;

let end: () => void = () => process.exit(0);

/** Called once, before anything that takes time. */
export function endOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => end());
}

/** From now on this is how the process ends. */
export function endBy(stop: () => void): void {
  end = stop;
}
