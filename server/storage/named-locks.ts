/** Locks that are no row's (PostgreSQL, advisory locks): for what has no row yet, or must not wait for whoever has the row. */
import type { Database, Transaction } from "./database";

/**
 * Waits until no other transaction has one of the names, which are this one's until it ends. Several are taken in an order
 * that all have in common, as transactions would wait for each other otherwise. SQLite has only one writer anyway.
 */
export async function lockNames(db: Database, tx: Transaction, names: readonly string[]): Promise<void> {
  if (db.kind !== "postgresql") return;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock("name")::text AS "locked" FROM (
    SELECT DISTINCT hashtextextended(n, 0) AS "name" FROM unnest(${[...names]}::text[]) AS n ORDER BY "name") AS names`;
}
