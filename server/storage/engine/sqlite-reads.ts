/**
 * Reads of what is committed, by the connection that writes. Whenever another connection has committed, SQLite forgets what
 * a connection has cached of the file, and nearly all commits are the writer's: one that only reads would fetch every page
 * anew after each of them.
 */
import type BetterSqlite3 from "better-sqlite3";
import { isBusy } from "./file-lock";
import { prepareOn, type SqliteStatements } from "./sqlite-statements";

/**
 * @param reader refuses what would write; reads while a transaction of the writer is open, of which nobody may see
 * anything, and when the file is not free, for which the writer does not wait
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
