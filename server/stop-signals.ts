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

/** The same in a process of somebody else, whose own way to end knows nothing of our work and of our database. */
export function takeOverSignals(): void {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  endOnSignals();
}

/** Replaces how the process ends on a signal. */
export function endBy(stop: () => void): void {
  end = stop;
}
