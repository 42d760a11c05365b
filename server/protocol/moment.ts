/**
 * Times that a request may contain: from 1970 to the end of 9999. Beyond that PostgreSQL and JavaScript write years
 * differently, and one such row would make every list that contains it unreadable.
 */

/** The latest time, in epoch milliseconds. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** @param time epoch milliseconds */
export function isTimestamp(time: number): boolean {
  return Number.isSafeInteger(time) && time >= 0 && time <= LAST_MOMENT;
}
