/**
 * The interface to the database, and the only code that the rest of the service uses of SQLite and PostgreSQL. Hot
 * paths use prepared statements (`one`, `all`, `run`, `commit`); management code uses the model API of Prisma
 * (`prisma`, `transaction`). A write is durable once its promise resolves. Inside a transaction all reads and writes
 * use the client of the transaction; tests refuse others (engine/nesting.ts).
 */

import type { NewRow, TableName } from "./columns";
import type { Prisma, PrismaClient } from "./generated/sqlite/client";
import type { ColumnKind } from "./generated/tables";

/** A parameter of a prepared statement. Times are passed as Date and come back as epoch milliseconds. */
export type Value = string | number | boolean | Date | null;

/** A statement with its values, and how its rows are converted to `Row`; see statement.ts. */
export interface Bound<out Row> extends Statement {
  /** The columns of the result that are not plain, by name. */
  readonly results: Readonly<Record<string, ColumnKind>>;
  /** Never set: it carries the type. */
  readonly row?: Row;
}

/** Portable SQL with `$1`-style placeholders and camelCase columns in double quotes. */
export interface Statement {
  sql: string;
  values: readonly Value[];
}

/** A row to be inserted. */
export type Insert<Table extends TableName = TableName> = Table extends TableName
  ? {
      table: Table;
      row: NewRow<Table>;
      /** Does nothing if the row exists already, instead of failing. */
      ifMissing?: boolean;
    }
  : never;

export interface Guard extends Statement {
  /** Columns of the changed row that the inserts need. They become a RETURNING clause, which `sql` must not contain. */
  returning?: readonly string[];
}

/**
 * A write that is carried out completely or not at all. With a guard (one conditional UPDATE or INSERT … ON CONFLICT DO
 * NOTHING), the rest is carried out only if the guard changed a row; this decides single use.
 */
export interface Unit {
  guard?: Guard;
  inserts: readonly Insert[];
  /**
   * UPDATEs that end with a WHERE clause of conditions joined by AND. An UPDATE that changes nothing is not a failure.
   */
  updates?: readonly Statement[];
}

/** Prisma inside a transaction. */
export type Transaction = Prisma.TransactionClient;

export interface Database {
  readonly kind: "sqlite" | "postgresql";
  readonly prisma: PrismaClient;
  /**
   * Returns the first row of a SELECT from committed data. Times are epoch milliseconds; booleans may be 0 or 1 (test
   * for truth).
   */
  one<Row>(statement: Bound<Row>): Promise<Row | undefined>;
  one<Row>(sql: string, values: readonly Value[]): Promise<Row | undefined>;
  /** Reads a row by its key on the hottest paths, like `one`. On PostgreSQL, simultaneous calls share a round trip. */
  lookUp<Row>(statement: Bound<Row>): Promise<Row | undefined>;
  lookUp<Row>(sql: string, values: readonly Value[]): Promise<Row | undefined>;
  all<Row>(statement: Bound<Row>): Promise<Row[]>;
  all<Row>(sql: string, values: readonly Value[]): Promise<Row[]>;
  /** Executes one writing statement. Resolves with the number of changed rows once they are durable. */
  run(statement: Bound<unknown>): Promise<number>;
  run(sql: string, values: readonly Value[]): Promise<number>;
  /** Resolves once the unit is durable with true, or with false if the guard matched nothing. */
  commit(unit: Unit): Promise<boolean>;
  /**
   * Runs management changes in one transaction, serialised against other writers where the database needs it.
   * @param options.timeout milliseconds until it is rolled back, if it is known to take long
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { timeout?: number }): Promise<T>;
  /**
   * Throws inside a transaction in tests. Caches call it before they answer without a query, so that reads inside a
   * transaction use the transaction whether or not the value is cached.
   */
  refuseInTransaction(what: string): void;
  /**
   * Announces changes of the directory to the other processes on this database. Resolves when they have received the
   * announcement; never rejects. An embedded database serves one process only.
   * @param names of the changes; if empty, nothing is announced. Undefined: everything may have changed
   */
  announce(names?: readonly string[]): Promise<void>;
  /**
   * Calls the listener after announcements, including those of this process, with the names of the changes. Resolves
   * after the first attempt to listen.
   */
  onAnnouncement(listener: (names: readonly string[] | undefined) => void): Promise<void>;
  /**
   * Finishes the work of a migration that takes long. Resolves with a description of what was done, or undefined if
   * nothing is left to do or another process does it.
   */
  finishMigrations(signal: AbortSignal): Promise<string | undefined>;
  /** Rejects within a second if the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
