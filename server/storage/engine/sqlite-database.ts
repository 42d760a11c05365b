/**
 * The embedded database: one file, one process. Hot statements go directly to better-sqlite3; Prisma has its own
 * connections behind the same writer's lock (safe-sqlite.ts).
 */
import BetterSqlite3 from "better-sqlite3";
import { fromSqlite } from "../compile";
import type { Bound, Database, Guard, Insert, Unit, Value } from "../database";
import { PrismaClient } from "../generated/sqlite/client";
import { asBound, insertStatement, isReturned, quoteName, type StatementCall } from "../portable-sql";
import { isBusy } from "./file-lock";
import { createGroupCommit } from "./group-commit";
import { createInFlight } from "./in-flight";
import { createMutex } from "./mutex";
import { createNestingCheck } from "./nesting";
import { BUSY_TIMEOUT, PRAGMAS, safeSqlite, WRITER_PRAGMAS } from "./safe-sqlite";
import { createDatabaseFile, watchDatabaseFile } from "./sqlite-file";
import { prepareOn, type SqliteStatements } from "./sqlite-statements";
import { PATIENCE, TRANSACTION_OPTIONS } from "./transaction-options";

/** Opens the database file and creates it if it is missing. */
export function openSqlite(file: string, findNested = false): Database {
  createDatabaseFile(file);
  const checkFile = watchDatabaseFile(file);
  const writer = openConnection(file, WRITER_PRAGMAS);
  const reader = openConnection(file, `${PRAGMAS} PRAGMA query_only = ON;`);
  const write = prepareOn(writer);
  const read = readingWith(writer, reader);
  const mutex = createMutex(PATIENCE);
  const group = createGroupCommit(writer, mutex);
  const nesting = createNestingCheck(findNested);
  const inFlight = createInFlight();
  let closing: Promise<void> | undefined;
  const prisma = new PrismaClient({
    adapter: safeSqlite({ path: file, mutex, nesting, isClosed: inFlight.hasEnded }),
    transactionOptions: TRANSACTION_OPTIONS,
  });

  const submit = <T>(what: "run" | "commit", work: () => T): Promise<T> =>
    inFlight.track(() => {
      nesting.refuse(what);
      return group.submit(work);
    });

  const first = <Row>({ sql, values, results }: Bound<Row>): Row | undefined => {
    const row = read.one(sql, values) as Record<string, unknown> | undefined;
    if (row) fromSqlite(row, results);
    return row as Row | undefined;
  };

  const shutDown = async () => {
    await inFlight.end();
    await prisma.$disconnect();
    reader.close();
    writer.close(); // closing the last connection merges the write-ahead log into the file
  };

  return {
    kind: "sqlite",
    prisma: nesting.refusing(prisma),
    one: async <Row>(...asked: StatementCall<Row>) => {
      nesting.refuse("one");
      return first(asBound(...asked));
    },
    lookUp: async <Row>(...asked: StatementCall<Row>) => {
      nesting.refuse("lookUp");
      return first(asBound(...asked));
    },
    all: async <Row>(...asked: StatementCall<Row>) => {
      nesting.refuse("all");
      const { sql, values, results } = asBound(...asked);
      const rows = read.all(sql, values) as Record<string, unknown>[];
      for (const row of rows) fromSqlite(row, results);
      return rows as Row[];
    },
    run: (...asked: StatementCall<unknown>) => {
      const { sql, values } = asBound(...asked);
      return submit("run", () => write.run(sql, values));
    },
    commit: (unit) => submit("commit", () => commitUnit(write, unit)),
    transaction: (work, options) =>
      inFlight.track(() => {
        nesting.refuse("transaction");
        return prisma.$transaction((tx) => nesting.inside(() => work(tx)), { ...TRANSACTION_OPTIONS, ...options });
      }),
    refuseInTransaction: nesting.refuse,
    announce: async () => {},
    onAnnouncement: async () => {},
    finishMigrations: async () => undefined,
    ping: async () => {
      checkFile();
      read.one(`SELECT 1 FROM sqlite_master LIMIT 1`, []);
    },
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}

function openConnection(file: string, pragmas: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT });
  connection.exec(pragmas);
  return connection;
}

/** Executes a unit inside the caller's savepoint. */
function commitUnit(write: SqliteStatements, { guard, inserts, updates = [] }: Unit): boolean {
  const given = guard && passGuard(write, guard);
  if (guard && !given) return false;
  for (const insert of inserts) {
    const { sql, values } = insertStatement(given ? withReturned(insert, given) : insert);
    write.run(sql, values);
  }
  for (const { sql, values } of updates) write.run(sql, values);
  return true;
}

type Given = Readonly<Record<string, Value>>;

/** Executes the guard. Returns the columns that it returns, or undefined if it changed nothing. */
function passGuard(write: SqliteStatements, { sql, values, returning }: Guard): Given | undefined {
  if (!returning) return write.run(sql, values) === 0 ? undefined : {};
  return write.one(`${sql} RETURNING ${returning.map(quoteName).join(", ")}`, values) as Given | undefined;
}

function withReturned(insert: Insert, given: Given): Insert {
  const entries = Object.entries(insert.row);
  if (!entries.some(([, value]) => isReturned(value))) return insert;
  const filled = entries.map(([name, value]) => [name, isReturned(value) ? given[value.returned] : value]);
  return { ...insert, row: Object.fromEntries(filled) } as Insert;
}

/**
 * Returns a reading function that prefers the writing connection. Whenever another connection commits, SQLite drops
 * the page cache of a connection, and nearly all commits are the writer's: a connection that only reads would load
 * every page again after each of them.
 * @param reader rejects statements that write; used while a transaction of the writer is open, whose data must not be
 * visible, and while the file is locked, for which the writer does not wait
 */
export function readingWith(
  writer: BetterSqlite3.Database,
  reader: BetterSqlite3.Database,
): Pick<SqliteStatements, "one" | "all"> {
  const byWriter = prepareOn(writer);
  const byReader = prepareOn(reader);
  const read = <T>(sql: string, ask: (by: SqliteStatements) => T): T => {
    if (writer.inTransaction || !byWriter.isRead(sql)) return ask(byReader);
    try {
      return ask(byWriter);
    } catch (error) {
      if (!isBusy(error)) throw error;
      return ask(byReader);
    }
  };
  return {
    one: (sql, values) => read(sql, (by) => by.one(sql, values)),
    all: (sql, values) => read(sql, (by) => by.all(sql, values)),
  };
}
