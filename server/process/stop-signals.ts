/**
 * Handles SIGTERM and SIGINT. A process that is still starting ends at once, and the database rolls back its writes. A
 * serving process decides how it ends. Without this, the first process of a container could not be stopped while it
 * starts, because signals have no default action for it.
 */
const SIGNALS = ["SIGTERM", "SIGINT"] as const;

let end: () => void = () => process.exit(0);

/** Must be called once, before anything that takes time. */
export function endOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => end());
}

/**
 * Handles the signals in the process of another program, whose own shutdown does not know our work and our database.
 */
export function takeOverSignals(): void {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  endOnSignals();
}

/** Replaces how the process ends on a signal. */
export function endBy(stop: () => void): void {
  end = stop;
}
