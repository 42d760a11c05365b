/**
 * Finds writes that go round the transaction they are in. On SQLite they would wait for their own transaction to end,
 * which waits for them; on PostgreSQL they would be durable although the transaction is rolled back.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "./database";

const inTransactionOf = new AsyncLocalStorage<object>();

/** Runs the work of a transaction of `database` so that `refuseNested` knows. */
export function insideTransaction<T>(database: object, work: () => Promise<T>): Promise<T> {
  return inTransactionOf.run(database, work);
}

/** Throws when called from inside the work of a transaction of the same database. */
export function refuseNested(database: object, what: keyof Database | "prisma"): void {
  if (inTransactionOf.getStore() !== database) return;
  throw new Error(`${what} inside a transaction would go round it: write through the transaction's own client`);
}
