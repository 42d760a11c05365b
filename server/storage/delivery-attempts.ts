/** What came of each attempt to send a message, kept in its row as JSON: nobody looks for one by it. */

export interface DeliveryAttempt {
  /** Epoch milliseconds. */
  at: number;
  /** The provider's answer, or why it was not sent. */
  answer: string;
}

/** More than the attempts of the day for which a message is tried; of one that is sent again and again, the latest. */
const MAX_KEPT = 200;
/** Characters of an answer; the last one stands in the row as a whole. */
const MAX_ANSWER = 300;

/** @param stored as in the row; null where the message was not tried, or by an earlier release */
export function readDeliveryAttempts(stored: string | null): DeliveryAttempt[] {
  return stored === null ? [] : (JSON.parse(stored) as DeliveryAttempt[]);
}

/** The column with one more. */
export function withDeliveryAttempt(stored: string | null, { at, answer }: DeliveryAttempt): string {
  const all = [...readDeliveryAttempts(stored), { at, answer: answer.slice(0, MAX_ANSWER) }];
  return JSON.stringify(all.slice(-MAX_KEPT));
}
