/**
 * A transaction of Prisma on SQLite: it begins IMMEDIATE, yields to the event loop now and then, and releases the
 * writer's lock however it ends.
 */
import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import { whenFileIsFree } from "./file-lock";
import type { Release } from "./mutex";
import { PATIENCE } from "./transaction-options";
import { runInOrder } from "./transaction-order";

/** Milliseconds for which the statements of one transaction may occupy the event loop. */
const BREATH = 10;

/**
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
        // there was none
      }
      await rollback().finally(release);
    },
  });
}

/**
 * The stock adapter begins a deferred transaction, whose first write would fail if another process has written
 * meanwhile. Begin again, with the file's write lock.
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
 * better-sqlite3 is synchronous, so a transaction of many statements would run from promise to promise without letting
 * any request or timer (not even its own timeout) get a turn.
 */
function createBreath(): () => Promise<void> {
  let taken = performance.now();
  return async () => {
    if (performance.now() - taken < BREATH) return;
    await new Promise((resolve) => setImmediate(resolve));
    taken = performance.now();
  };
}
