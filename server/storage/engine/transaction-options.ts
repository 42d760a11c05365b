/** How long writers wait and transactions may last, in milliseconds, on both databases. */

/**
 * For the writer (SQLite) or a connection (PostgreSQL). Shorter than a transaction may last: a write that waits for its
 * own transaction times out first, and its error rolls the transaction back.
 */
export const PATIENCE = 5000;

export const TRANSACTION_OPTIONS = {
  maxWait: PATIENCE,
  /** After this a transaction is rolled back, so that a hanging one does not block all writers. */
  timeout: 10_000,
};
