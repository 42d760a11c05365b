/**
 * A transaction of Prisma on SQLite: it begins IMMEDIATE, leaves the event loop to others now and then, and gives the
 * writer's lock back however it ends.
 */
import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import type { Release } from "./mutex";
import { runInOrder } from "./transaction-order";

/** Milliseconds for which the statements of one transaction may keep everybody else from the event loop. */
const BREATH = 10;

/**
 * @param transaction of the stock adapter, just begun
 * @param release gives back the lock of `writer`; when this function throws, that is left to its caller
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
 * The stock adapter has begun a deferred transaction, which would fail when it first writes after another process has
 * written. Begin again, with the file's write lock.
 */
async function beginImmediate(transaction: Transaction): Promise<void> {
  try {
    await transaction.executeRaw({ sql: "ROLLBACK", args: [], argTypes: [] });
    await transaction.executeRaw({ sql: "BEGIN IMMEDIATE", args: [], argTypes: [] });
  } catch (error) {
    await transaction.rollback(); // only the stock adapter's own lock: no transaction is open
    throw error;
  }
}

/**
 * better-sqlite3 answers at once, so that a transaction of many statements would go on from promise to promise, and no
 * request and no timer (not even that of its own time-out) would get a turn.
 */
function createBreath(): () => Promise<void> {
  let taken = performance.now();
  return async () => {
    if (performance.now() - taken < BREATH) return;
    await new Promise((resolve) => setImmediate(resolve));
    taken = performance.now();
  };
}
