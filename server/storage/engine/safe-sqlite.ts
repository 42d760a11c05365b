/**
 * A safe version of Prisma's adapter for better-sqlite3. The stock adapter has one connection: a write outside a
 * transaction that runs while a transaction is open becomes part of it and is rolled back with it after it was
 * acknowledged, and reads see uncommitted data. Here writes wait for the lock of the single writer, transactions begin
 * IMMEDIATE, and reads outside transactions use a separate connection.
 */
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { WRITER_BUSY_TIMEOUT, whenFileIsFree } from "./file-lock";
import type { Mutex } from "./mutex";
import type { NestingCheck } from "./nesting";
import { makeSafe } from "./sqlite-transaction";
import { PATIENCE } from "./transaction-options";

/**
 * Milliseconds that SQLite waits for the rare locks of readers and of connections that are being opened. It blocks the
 * event loop; writers use file-lock.ts instead.
 */
export const BUSY_TIMEOUT = 5000;

/**
 * The settings of every connection: a write-ahead log that shrinks again after a long reader made it grow, commits that
 * are flushed to disk before they return, and foreign keys.
 */
export const PRAGMAS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = ${64 * 1024 * 1024};`;
/** The settings of the writing connection. */
export const WRITER_PRAGMAS = `${PRAGMAS} PRAGMA busy_timeout = ${WRITER_BUSY_TIMEOUT};`;

export interface SafeSqliteOptions {
  path: string;
  /** The lock of the single writer, shared with the hot statements. */
  mutex: Mutex;
  nesting: NestingCheck;
  /** Prisma would reopen the file for a call after $disconnect. */
  isClosed: () => boolean;
}

export function safeSqlite({ path, mutex, nesting, isClosed }: SafeSqliteOptions): SqlDriverAdapterFactory {
  const factory = new PrismaBetterSqlite3(
    { url: `file:${path}`, timeout: BUSY_TIMEOUT },
    { timestampFormat: "unixepoch-ms" },
  );
  const open = async (pragmas: string) => {
    const adapter = await factory.connect();
    await adapter.executeScript(pragmas);
    return adapter;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      if (isClosed()) throw new Error("the database is closed");
      return guard(await open(WRITER_PRAGMAS), await open(`${PRAGMAS} PRAGMA query_only = ON;`), mutex, nesting);
    },
  };
}

function guard(
  writer: SqlDriverAdapter,
  reader: SqlDriverAdapter,
  mutex: Mutex,
  nesting: NestingCheck,
): SqlDriverAdapter {
  const free = <T>(write: () => Promise<T>) => whenFileIsFree(write, PATIENCE);
  const locked = async <T>(write: () => Promise<T>): Promise<T> => {
    nesting.refuse("a write through prisma");
    const release = await mutex.lock();
    try {
      return await write();
    } finally {
      release();
    }
  };
  return {
    provider: writer.provider,
    adapterName: writer.adapterName,
    // In SQLite a SELECT cannot write; everything else goes to the writer.
    queryRaw: (query) =>
      /^\s*SELECT\b/i.test(query.sql) ? reader.queryRaw(query) : locked(() => free(() => writer.queryRaw(query))),
    executeRaw: (query) => locked(() => free(() => writer.executeRaw(query))),
    executeScript: (script) => locked(() => writer.executeScript(script)),
    startTransaction: async (isolationLevel) => {
      nesting.refuse("a write through prisma");
      const release = await mutex.lock();
      try {
        const transaction = await writer.startTransaction(isolationLevel);
        return await makeSafe(transaction, writer, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    dispose: async () => {
      await writer.dispose();
      await reader.dispose();
    },
  };
}
