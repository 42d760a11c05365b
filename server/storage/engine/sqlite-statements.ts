/**
 * Prepared statements of one SQLite connection, prepared once per SQL text, with portable values as input and output.
 */
import type BetterSqlite3 from "better-sqlite3";
import type { Value } from "../database";
import { missingValue, toMilliseconds, toPositional } from "../portable-sql";

export interface SqliteStatements {
  /** Whether the statement writes nothing. */
  isRead(sql: string): boolean;
  one(sql: string, values: readonly Value[]): unknown;
  all(sql: string, values: readonly Value[]): unknown[];
  /** The number of changed rows. */
  run(sql: string, values: readonly Value[]): number;
}

interface Prepared {
  statement: BetterSqlite3.Statement;
  order: readonly number[];
}

const MAX_PREPARED = 500;

export function prepareOn(connection: BetterSqlite3.Database): SqliteStatements {
  const cache = new Map<string, Prepared>();

  const prepared = (sql: string): Prepared => {
    let entry = cache.get(sql);
    if (!entry) {
      const positional = toPositional(sql);
      entry = { statement: connection.prepare(positional.sql), order: positional.order };
      if (cache.size >= MAX_PREPARED) cache.clear();
      cache.set(sql, entry);
    }
    return entry;
  };

  const bind = (sql: string, order: readonly number[], values: readonly Value[]) => {
    const bound = new Array<string | number | null>(order.length);
    for (let i = 0; i < order.length; i++) {
      const value = values[order[i] as number];
      if (value === undefined) throw missingValue(sql, values);
      if (typeof value === "boolean") bound[i] = value ? 1 : 0;
      else bound[i] = value instanceof Date ? toMilliseconds(value) : value;
    }
    return bound;
  };

  return {
    isRead: (sql) => prepared(sql).statement.readonly,
    one: (sql, values) => {
      const { statement, order } = prepared(sql);
      return statement.get(bind(sql, order, values));
    },
    all: (sql, values) => {
      const { statement, order } = prepared(sql);
      return statement.all(bind(sql, order, values));
    },
    run: (sql, values) => {
      const { statement, order } = prepared(sql);
      return statement.run(bind(sql, order, values)).changes;
    },
  };
}
