/** The results of the attempts to send a message, stored as JSON in its row because no query searches for them. */

export interface DeliveryAttempt {
  /** Epoch milliseconds. */
  at: number;
  /** The answer of the provider, or the reason why the message was not sent. */
  answer: string;
}

/**
 * More than the attempts of one day, after which a message is given up. Of a message that is sent again, the latest are
 * kept.
 */
const MAX_KEPT = 200;
/** Maximum number of characters of a stored answer. The row has the last answer in full. */
const MAX_ANSWER = 300;

/**
 * Parses the stored attempts.
 * @param stored the column of the row; null if the message was not tried, or was stored by an earlier release
 */
export function readDeliveryAttempts(stored: string | null): DeliveryAttempt[] {
  return stored === null ? [] : (JSON.parse(stored) as DeliveryAttempt[]);
}

/** Returns the new value of the column with one more attempt. */
export function withDeliveryAttempt(stored: string | null, { at, answer }: DeliveryAttempt): string {
  const all = [...readDeliveryAttempts(stored), { at, answer: answer.slice(0, MAX_ANSWER) }];
  return JSON.stringify(all.slice(-MAX_KEPT));
}
