/** Pauses before retries. They grow, and are partly random, so that what failed together is not retried together. */

export interface Backoff {
  /** The longest pause after the first failure, in milliseconds. */
  first: number;
  /** The longest pause, in milliseconds. */
  most: number;
  /** By how much pauses grow with each failure. */
  factor: number;
}

/**
 * Returns the pause in milliseconds: at most `first`, then `factor` times as much …, and at least half of it.
 * @param failures how often it has failed in a row
 * @param random from 0 to 1
 */
export function backoff({ first, most, factor }: Backoff, failures: number, random = Math.random()): number {
  return Math.round(Math.min(most, first * factor ** (failures - 1)) * (0.5 + random / 2));
}

/** Returns an interval up to a quarter shorter or longer, so that processes do not poll at the same time. */
export const jittered = (interval: number): number => interval * (0.75 + Math.random() / 2);
