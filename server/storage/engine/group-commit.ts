/**
 * Group commit for SQLite. Units that arrive in one turn of the event loop, or during another write, become durable
 * with one COMMIT, which waits for the disk once. If there are several, each has a savepoint, so that a failing unit is
 * undone alone. No promise resolves before the COMMIT.
 */
import type BetterSqlite3 from "better-sqlite3";
import { whenFileIsFree } from "./file-lock";
import type { Mutex } from "./mutex";
import { PATIENCE } from "./transaction-options";

/** Maximum number of units in a batch. Longer batches would block the event loop for too long. */
const MAX_BATCH = 512;

interface Task {
  work: () => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
  /** Set when `work` succeeded in the current batch. */
  result?: unknown;
  failed?: boolean;
}

export interface GroupCommit {
  /** Runs `work` (synchronous statements on the connection) completely or not at all. Resolves once it is durable. */
  submit<T>(work: () => T): Promise<T>;
}

export function createGroupCommit(connection: BetterSqlite3.Database, mutex: Mutex): GroupCommit {
  // The content of a savepoint is useless after a crash, which undoes the whole batch. Beyond 64 KiB, SQLite would
  // create, write and remove a file for each unit; in memory it is freed with its unit.
  connection.exec("PRAGMA temp_store = MEMORY");
  const begin = connection.prepare("BEGIN IMMEDIATE");
  const commit = connection.prepare("COMMIT");
  const savepoint = connection.prepare("SAVEPOINT unit");
  const release = connection.prepare("RELEASE unit");
  const undo = connection.prepare("ROLLBACK TO unit");
  const queue: Task[] = [];
  let flushing = false;

  const attempt = (task: Task) => {
    savepoint.run();
    try {
      task.result = task.work();
    } catch (error) {
      // If a full disk or an I/O error ended the transaction, the whole batch has failed.
      if (!connection.inTransaction) throw error;
      undo.run();
      task.failed = true;
      task.reject(error);
    }
    release.run();
  };

  const write = async (batch: Task[]) => {
    try {
      await whenFileIsFree(() => begin.run(), PATIENCE);
      const [first, ...others] = batch;
      // A single unit is undone with the transaction. A savepoint would copy each page before it is changed.
      if (first && others.length === 0) first.result = first.work();
      else for (const task of batch) attempt(task);
      commit.run();
    } catch (error) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      for (const task of batch) if (!task.failed) task.reject(error);
      return;
    }
    for (const task of batch) if (!task.failed) task.resolve(task.result as never);
  };

  const flush = async () => {
    while (queue.length > 0) {
      try {
        const unlock = mutex.tryLock() ?? (await mutex.lock());
        try {
          await write(queue.splice(0, MAX_BATCH));
        } finally {
          unlock();
        }
      } catch (error) {
        for (const task of queue.splice(0)) task.reject(error); // timed out waiting for the writer
      }
      if (queue.length > 0) await nextTurn(); // handle requests between batches
    }
    flushing = false;
  };

  return {
    submit: (work) =>
      new Promise((resolve, reject) => {
        queue.push({ work, resolve, reject });
        // setImmediate runs after all sockets with data in this turn have been read.
        if (!flushing) nextTurn().then(flush);
        flushing = true;
      }),
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
