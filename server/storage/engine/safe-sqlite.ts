/**
 * Prisma's adapter for better-sqlite3 made safe. The stock adapter has one connection: a write outside a transaction
 * that runs while a transaction is open becomes part of it and is rolled back with it, after it was acknowledged; and
 * reads see uncommitted data. Here writes wait for the lock of the one writer, transactions begin IMMEDIATE, and reads
 * outside transactions have a connection of their own.
 */
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { WRITER_BUSY_TIMEOUT, whenFileIsFree } from "./file-lock";
import type { Mutex } from "./mutex";
import type { NestingCheck } from "./nesting";
import { makeSafe } from "./sqlite-transaction";
import { PATIENCE } from "./transaction-options";

/**
 * Milliseconds that SQLite waits for what readers, and connections that are being opened, seldom have to wait for. It
 * blocks the event loop; writers wait otherwise (file-lock.ts).
 */
export const BUSY_TIMEOUT = 5000;

/**
 * The settings of every connection: write-ahead log, which shrinks again after a long reader made it grow, commits
 * flushed to disk before they return, foreign keys.
 */
export const PRAGMAS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = ${64 * 1024 * 1024};`;
/** Those of the connection that writes. */
export const WRITER_PRAGMAS = `${PRAGMAS} PRAGMA busy_timeout = ${WRITER_BUSY_TIMEOUT};`;

export interface SafeSqliteOptions {
  path: string;
  /** The lock of the database's one writer, shared with the hot statements. */
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
