/** The schedule of retries of failed messages, and when they are given up. */

/** How long delivery is retried, in milliseconds; later, the recipient no longer waits for the mail. */
export const GIVE_UP_AFTER = 24 * 3_600_000;
/**
 * The minimum number of attempts before a mail is given up, which take about an hour. A mail may be old at its first
 * attempt, after an outage or when an administrator retries it; and mail servers may reject the first attempts
 * (greylisting).
 */
export const LEAST_ATTEMPTS = 10;

const FIRST_DELAY = 5_000;
const MAX_DELAY = 600_000;

interface Tried {
  /** Epoch milliseconds. */
  createdAt: number;
  /** Including the one that has just failed. */
  attempts: number;
}

/** Returns the time of the next attempt, in epoch milliseconds; undefined if the message is given up. */
export function nextAttempt({ createdAt, attempts }: Tried, now: number): number | undefined {
  const at = now + delayAfter(attempts, Math.random());
  return at >= createdAt + GIVE_UP_AFTER && attempts >= LEAST_ATTEMPTS ? undefined : at;
}

/**
 * Returns the delay until the next attempt, in milliseconds: at most 5 s, 15 s, 45 s … 10 min and at least half of it,
 * so that messages that failed together are not retried together.
 * @param random from 0 to 1
 */
export function delayAfter(attempts: number, random: number): number {
  const delay = Math.min(MAX_DELAY, FIRST_DELAY * 3 ** (attempts - 1));
  return Math.round(delay * (0.5 + random / 2));
}
