/**
 * Waits for the write lock of the database file while another process holds it (`npm run admin`). SQLite itself would
 * wait inside the call and block the event loop, so that not even `/healthz` would be answered.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "./violations";

/** Milliseconds that SQLite itself waits for the lock while it blocks the event loop. */
export const WRITER_BUSY_TIMEOUT = 5;
/** Milliseconds between attempts. */
const PAUSE = 8;

const BUSY = new Set(["SQLITE_BUSY"]);

/** Returns whether a statement failed because another process holds the lock of the file. */
export const isBusy = (error: unknown): boolean => hasCode(error, BUSY);

/**
 * Retries a statement that takes the write lock until the lock is free. A failed attempt has no effect.
 * @param patience milliseconds after which its error (code SQLITE_BUSY) is thrown
 */
export async function whenFileIsFree<T>(statement: () => T | Promise<T>, patience: number): Promise<T> {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return await statement();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await sleep(PAUSE);
    }
  }
}
