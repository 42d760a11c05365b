/** When a message that could not be sent is tried again, and when it is given up. */

/** How long delivery is tried, milliseconds; afterwards nobody waits for the mail any more. */
export const GIVE_UP_AFTER = 24 * 3_600_000;
/**
 * The least number of attempts before a mail is given up, which take about an hour. A mail may be old at its first
 * attempt, as the service was down or as an administrator sends it again; and mail servers may refuse the first
 * attempts (greylisting).
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

/** When the next attempt is made, epoch milliseconds; undefined if the message is given up. */
export function nextAttempt({ createdAt, attempts }: Tried, now: number): number | undefined {
  const at = now + delayAfter(attempts, Math.random());
  return at >= createdAt + GIVE_UP_AFTER && attempts >= LEAST_ATTEMPTS ? undefined : at;
}

/**
 * Milliseconds until the next attempt: at most 5 s, 15 s, 45 s … 10 min and at least half of it, so that messages that
 * failed together are not retried together.
 * @param random from 0 to 1
 */
export function delayAfter(attempts: number, random: number): number {
  const delay = Math.min(MAX_DELAY, FIRST_DELAY * 3 ** (attempts - 1));
  return Math.round(delay * (0.5 + random / 2));
}
