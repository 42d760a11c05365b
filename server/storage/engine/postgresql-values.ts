/**
 * Converts values of hot statements on PostgreSQL. Times are epoch milliseconds in our code and `timestamp(3)` in UTC
 * in the database, regardless of the time zones of process and server; pg's own conversion uses the time zone of the
 * process.
 */
import pg from "pg";
import type { Value } from "../database";
import { missingValue, toMilliseconds } from "../portable-sql";

const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;

const parsers = new Map<number, (text: string) => unknown>([
  [TIMESTAMP, (text) => Date.parse(`${text.replace(" ", "T")}Z`)],
  [TIMESTAMPTZ, (text) => Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"))],
  [INT8, Number], // counts and sums, which are far below 2^53
  [NUMERIC, Number],
]);

/** Type parsers of a single query: Prisma sets its own with every query and must not get these. */
export const hotTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    (format !== "binary" && parsers.get(oid)) || pg.types.getTypeParser(oid, format)) as never,
};

/**
 * Returns the values for pg. A Date becomes UTC without an offset, because `timestamp` would silently drop the offset.
 */
export function toPostgresql(sql: string, values: readonly Value[]): (string | number | boolean | null)[] {
  return values.map((value) => {
    if (value === undefined) throw missingValue(sql, values);
    return value instanceof Date ? new Date(toMilliseconds(value)).toISOString().slice(0, -1) : value;
  });
}
