/**
 * A Prisma transaction on SQLite. It begins IMMEDIATE, yields to the event loop regularly, and always releases the
 * writer's lock at its end.
 */
import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import { whenFileIsFree } from "./file-lock";
import type { Release } from "./mutex";
import { PATIENCE } from "./transaction-options";
import { runInOrder } from "./transaction-order";

/** Milliseconds that the statements of one transaction may block the event loop. */
const BREATH = 10;

/**
 * Makes a transaction of the stock adapter safe.
 * @param transaction of the stock adapter, just begun
 * @param release releases the lock of `writer`; if this function throws, the caller must do so
 */
export async function makeSafe(
  transaction: Transaction,
  writer: SqlDriverAdapter,
  release: Release,
): Promise<Transaction> {
  await beginImmediate(transaction);
  runInOrder(transaction, createBreath());
  const commit = transaction.commit.bind(transaction);
  const rollback = transaction.rollback.bind(transaction);
  return Object.assign(transaction, {
    // Prisma has sent COMMIT or ROLLBACK as a statement before it calls these.
    commit: () => commit().finally(release),
    rollback: async () => {
      try {
        await writer.executeScript("ROLLBACK"); // still open after a COMMIT that failed (disk full)
      } catch {
        // no transaction was open
      }
      await rollback().finally(release);
    },
  });
}

/**
 * Begins the transaction again, with the write lock of the file. The stock adapter begins a deferred transaction, whose
 * first write would fail if another process has written meanwhile.
 */
async function beginImmediate(transaction: Transaction): Promise<void> {
  try {
    await transaction.executeRaw({ sql: "ROLLBACK", args: [], argTypes: [] });
    const begin = { sql: "BEGIN IMMEDIATE", args: [], argTypes: [] };
    await whenFileIsFree(() => transaction.executeRaw(begin), PATIENCE);
  } catch (error) {
    await transaction.rollback(); // releases only the stock adapter's own lock: no transaction is open
    throw error;
  }
}

/**
 * Returns a function that lets the event loop run after a while. better-sqlite3 is synchronous, so a transaction of
 * many statements would otherwise not let any request or timer run, not even its own timeout.
 */
function createBreath(): () => Promise<void> {
  let taken = performance.now();
  return async () => {
    if (performance.now() - taken < BREATH) return;
    await new Promise((resolve) => setImmediate(resolve));
    taken = performance.now();
  };
}
