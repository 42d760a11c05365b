/** How long writers wait and transactions last, in milliseconds: both databases, every transaction. */

/**
 * For the writer (SQLite) or a connection (PostgreSQL). Shorter than a transaction may last: a write that waits for the
 * transaction it is made in gives up first, and its error rolls that transaction back.
 */
export const PATIENCE = 5000;

export const TRANSACTION_OPTIONS = {
  maxWait: PATIENCE,
  /** From its beginning; then it is rolled back, so that whoever hangs in it does not stop all writers. */
  timeout: 10_000,
};
