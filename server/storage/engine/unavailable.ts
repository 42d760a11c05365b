/**
 * Distinguishes an outage of the database from a bug. An outage is answered 503 with Retry-After and ends by itself; a
 * bug is answered 500 and must be investigated.
 */
const CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "25006", // read_only_sql_transaction: a standby that has not taken over yet
  "25P03", // idle_in_transaction_session_timeout
  "40001", // serialization_failure, after every attempt
  "40P01", // deadlock_detected, likewise
  "53100", // disk_full
  "53200", // out_of_memory
  "53300", // too_many_connections
  "55P03", // lock_not_available
  "57014", // query_canceled: statement timeout
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "58030", // io_error
  "P1001", // Prisma: cannot reach the server
  "P1002",
  "P1008", // Prisma: operation timed out
  "P1017", // Prisma: server closed the connection
  "P2024", // Prisma: no connection from the pool in time
  "P2028", // Prisma: transaction could not start in time
  "P2034", // Prisma: write conflict or deadlock
]);
/** Messages of errors without a code: those of pg, and those of Prisma (P2010 with code "N/A"). */
const SENTENCES =
  /connection (terminated|timeout)|timeout expired|timeout exceeded when trying|connection error and is not queryable|server has closed the connection/i;
/** Classes of codes: SQLite's with their extended codes, and class 08 of PostgreSQL for the connection. */
const FAMILIES = /^(?:08|SQLITE_(?:BUSY|CANTOPEN|FULL|IOERR|READONLY)(?:_|$))/;

/**
 * Returns whether an error is an outage. Follows `cause` and Prisma's `meta.driverAdapterError`, because drivers and
 * adapters wrap each other.
 */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 5) return false;
  const { code, originalCode, kind, cause, message, meta } = error as Record<string, unknown>;
  if (kind === "ConnectionClosed" || kind === "DatabaseNotReachable" || kind === "SocketTimeout") return true;
  if ([code, originalCode].some((one) => typeof one === "string" && (CODES.has(one) || FAMILIES.test(one))))
    return true;
  if (typeof message === "string" && SENTENCES.test(message)) return true;
  const adapterError = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return isUnavailable(cause, depth + 1) || isUnavailable(adapterError, depth + 1);
}
