/** The schedule of retries of failed messages, and when they are given up. */
import { type Backoff, backoff } from "../concurrency/backoff";

/** How long delivery is retried, in milliseconds; later, the recipient no longer waits for the mail. */
export const GIVE_UP_AFTER = 24 * 3_600_000;
/**
 * The minimum number of attempts before a mail is given up, which take about an hour. A mail may be old at its first
 * attempt, after an outage or when an administrator retries it; and mail servers may reject the first attempts
 * (greylisting).
 */
export const LEAST_ATTEMPTS = 10;

/** At most 5 s, 15 s, 45 s … 10 min. */
const PAUSES: Backoff = { first: 5_000, most: 600_000, factor: 3 };

interface Tried {
  /** Epoch milliseconds. */
  createdAt: number;
  /** Including the one that has just failed. */
  attempts: number;
}

/** Returns the time of the next attempt, in epoch milliseconds; undefined if the message is given up. */
export function nextAttempt({ createdAt, attempts }: Tried, now: number): number | undefined {
  const at = now + backoff(PAUSES, attempts);
  return at >= createdAt + GIVE_UP_AFTER && attempts >= LEAST_ATTEMPTS ? undefined : at;
}
