/** Recognizes constraint violations and conflicts of any driver, including those that Prisma has wrapped. */

const UNIQUE = new Set([
  "SQLITE_CONSTRAINT_UNIQUE",
  "SQLITE_CONSTRAINT_PRIMARYKEY",
  "23505", // PostgreSQL: unique_violation
  "P2002", // Prisma: unique constraint failed
]);

const MISSING = new Set([
  "SQLITE_CONSTRAINT_FOREIGNKEY",
  "23503", // PostgreSQL: foreign_key_violation
  "P2003", // Prisma: foreign key constraint failed
  "P2025", // Prisma: the row to change or delete is not there
]);

const RETRYABLE = new Set([
  "40001", // PostgreSQL: serialization_failure
  "40P01", // PostgreSQL: deadlock_detected
  "P2034", // Prisma: write conflict or deadlock
]);

/** Returns whether a write failed because the row exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, UNIQUE);
}

/** Returns whether a concurrent write interfered: the row exists now, or one that it needs is gone. */
export function isOvertaken(error: unknown): boolean {
  return hasCode(error, UNIQUE) || hasCode(error, MISSING);
}

/** Returns whether a transaction was rolled back in favour of another one and may succeed when it is repeated. */
export function isRetryable(error: unknown): boolean {
  return hasCode(error, RETRYABLE);
}

/**
 * Returns whether an error has one of the codes. Follows `cause` and Prisma's `meta.driverAdapterError`, because
 * drivers and adapters wrap each other.
 */
export function hasCode(error: unknown, codes: ReadonlySet<string>, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 5) return false;
  const { code, originalCode, cause, meta } = error as Record<string, unknown>;
  if (typeof code === "string" && codes.has(code)) return true;
  if (typeof originalCode === "string" && codes.has(originalCode)) return true;
  const adapterError = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return hasCode(cause, codes, depth + 1) || hasCode(adapterError, codes, depth + 1);
}
