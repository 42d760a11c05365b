/**
 * Telling an outage of the database from a mistake of ours: an outage is answered 503 with Retry-After and heals by
 * itself, a mistake is 500 and must be looked at.
 */
const CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "53300", // too_many_connections
  "57014", // query_canceled: statement timeout
  "P1001", // Prisma: cannot reach the server
  "P1002",
  "P1008", // Prisma: operation timed out
  "P1017", // Prisma: server closed the connection
  "P2024", // Prisma: no connection from the pool in time
  "P2028", // Prisma: transaction could not start in time
  "SQLITE_BUSY",
  "SQLITE_FULL",
  "SQLITE_IOERR",
]);

/** Follows causes, as drivers and adapters wrap each other. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 5) return false;
  const { code, cause, message } = error as { code?: unknown; cause?: unknown; message?: unknown };
  if (typeof code === "string" && (CODES.has(code) || code.startsWith("SQLITE_IOERR") || code.startsWith("08"))) {
    return true;
  }
  if (typeof message === "string" && /connection (terminated|timeout)|timeout exceeded when trying/i.test(message)) {
    return true;
  }
  return isUnavailable(cause, depth + 1);
}
