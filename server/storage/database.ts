/**
 * The only interface to the database: all that the rest of the service knows about SQLite and PostgreSQL. Hot paths use
 * prepared statements (`one`, `all`, `run`, `commit`); management code uses Prisma's model API (`prisma`,
 * `transaction`). A write is durable once its promise resolves. Inside a transaction everything goes through its own
 * client, reads too; tests refuse what does not (engine/nesting.ts).
 */
import type { Prisma, PrismaClient } from "./generated/sqlite/client";

/** A parameter of a prepared statement. Times are passed as Date and come back as epoch milliseconds. */
export type Value = string | number | boolean | Date | null;

/** Portable SQL with `$1`-style placeholders and camelCase columns in double quotes. */
export interface Statement {
  sql: string;
  values: readonly Value[];
}

/** In an insert: the value of a column returned by the guard. */
export interface Returned {
  returned: string;
}

export interface Insert {
  table: string;
  row: Readonly<Record<string, Value | Returned>>;
  /** Leaves a row alone that is there already, instead of failing. */
  ifMissing?: boolean;
}

export interface Guard extends Statement {
  /** Columns of the changed row that the inserts need; they become a RETURNING clause, which `sql` leaves out. */
  returning?: readonly string[];
}

/**
 * A write that happens completely or not at all. With a guard (one conditional UPDATE or INSERT … ON CONFLICT DO
 * NOTHING), the rest happens only if the guard changed a row: this is how single use is decided.
 */
export interface Unit {
  guard?: Guard;
  inserts: readonly Insert[];
  /** UPDATEs that end with a WHERE clause of conditions joined by AND. One that changes nothing is no failure. */
  updates?: readonly Statement[];
}

/** Prisma inside a transaction. */
export type Transaction = Prisma.TransactionClient;

export interface Database {
  readonly kind: "sqlite" | "postgresql";
  readonly prisma: PrismaClient;
  /** First row of a SELECT, committed data only. Times are epoch milliseconds; booleans may be 0/1 (test for truth). */
  one<Row>(sql: string, values: readonly Value[]): Promise<Row | undefined>;
  /** As `one`, for the hottest reads of a row by its key: on PostgreSQL those that come together share a round trip. */
  lookUp<Row>(sql: string, values: readonly Value[]): Promise<Row | undefined>;
  all<Row>(sql: string, values: readonly Value[]): Promise<Row[]>;
  /** One writing statement; resolves with the number of changed rows once durable. */
  run(sql: string, values: readonly Value[]): Promise<number>;
  /** Resolves once durable, with whether the unit happened (false: the guard matched nothing). */
  commit(unit: Unit): Promise<boolean>;
  /**
   * Management changes: all or nothing, serialised against other writers where the database needs it.
   * @param options.timeout milliseconds until it is rolled back, if it is known to take long
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { timeout?: number }): Promise<T>;
  /**
   * For what answers without asking the database, as caches do: in tests it throws inside a transaction, so that what
   * is asked there goes through the transaction, whether or not it is known already.
   */
  refuseInTransaction(what: string): void;
  /**
   * Announces to the other processes on this database what has changed in the directory. Resolves when they have heard
   * it; never rejects. An embedded database serves one process only.
   * @param names of the changes; none: nothing is announced. Undefined: everything may have changed
   */
  announce(names?: readonly string[]): Promise<void>;
  /**
   * Calls the listener after announcements, also those of this process, with what has changed. Resolves when it listens,
   * or cannot yet.
   */
  onAnnouncement(listener: (names: readonly string[] | undefined) => void): Promise<void>;
  /**
   * Does what a migration has left to do because it takes long. Resolves with what was done, undefined if nothing is left to
   * do or another process does it.
   */
  finishMigrations(signal: AbortSignal): Promise<string | undefined>;
  /** Rejects within a second if the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
