/** The time limits of waiting writers and of transactions on both databases, in milliseconds. */

/**
 * The time to wait for the writer (SQLite) or a connection (PostgreSQL). It is shorter than the limit of a transaction:
 * a write that waits for its own transaction times out first, and its error rolls the transaction back.
 */
export const PATIENCE = 5000;

export const TRANSACTION_OPTIONS = {
  maxWait: PATIENCE,
  /** A transaction is rolled back after this time, so that one that hangs does not block all writers. */
  timeout: 10_000,
};
