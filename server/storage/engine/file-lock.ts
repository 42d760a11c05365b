/**
 * Waiting for the write lock of the database's file while another process has it (`npm run admin`). SQLite would wait
 * inside the call, and with it the event loop: not even `/healthz` would be answered meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "./violations";

/** Milliseconds that SQLite itself waits for the lock, in which nothing else happens. */
export const WRITER_BUSY_TIMEOUT = 5;
/** Milliseconds between attempts. */
const PAUSE = 20;

const BUSY = new Set(["SQLITE_BUSY"]);

/** Whether a statement failed because another process has the file. */
export const isBusy = (error: unknown): boolean => hasCode(error, BUSY);

/**
 * Runs a statement that takes the write lock, again and again until the lock is free. It has done nothing when it fails.
 * @param patience milliseconds; then its error (code SQLITE_BUSY) is thrown
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
