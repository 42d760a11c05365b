/** How long Prisma's transactions may take, in milliseconds: both databases, every transaction. */
export const TRANSACTION_OPTIONS = {
  /** Waiting for the writer (SQLite) or a connection (PostgreSQL). */
  maxWait: 5000,
  /** From its beginning; then it is rolled back, so that whoever hangs in it does not stop all writers. */
  timeout: 10_000,
};
