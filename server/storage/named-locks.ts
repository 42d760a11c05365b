/**
 * Locks that do not belong to a row (PostgreSQL, advisory locks): for data without a row, or without waiting for the
 * lock of a row.
 */
import type { Database, Transaction } from "./database";

/**
 * Takes the locks of these names until the transaction ends. Several are taken in an order that all callers share, so
 * that transactions do not deadlock. SQLite has only one writer anyway.
 */
export async function lockNames(db: Database, tx: Transaction, names: readonly string[]): Promise<void> {
  if (db.kind !== "postgresql") return;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock("name")::text AS "locked" FROM (
    SELECT DISTINCT hashtextextended(n, 0) AS "name" FROM unnest(${[...names]}::text[]) AS n ORDER BY "name") AS names`;
}
