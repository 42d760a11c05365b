/**
 * Reads committed data with the writing connection. Whenever another connection commits, SQLite drops the page cache of
 * a connection, and nearly all commits are the writer's: a connection that only reads would load every page again after
 * each of them.
 */
import type BetterSqlite3 from "better-sqlite3";
import { isBusy } from "./file-lock";
import { prepareOn, type SqliteStatements } from "./sqlite-statements";

/**
 * Returns a reading function that prefers the writing connection.
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
