/**
 * Handles SIGTERM and SIGINT. A process that is still starting ends at once; the database rolls back what it was
 * writing. A serving process decides how it ends. Without this, the first process of a container could not be stopped
 * while it starts, as signals have no default action for it.
 */
const SIGNALS = ["SIGTERM", "SIGINT"] as const;

let end: () => void = () => process.exit(0);

/** To be called once, before anything that takes time. */
export function endOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => end());
}

/** Replaces how the process ends on a signal. */
export function endBy(stop: () => void): void {
  end = stop;
}
