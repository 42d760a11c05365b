/**
 * The types of columns in hand-written statements. Rows have times as epoch milliseconds, real booleans, and parsed
 * JSON on both databases; values that are written have the same types.
 */
import type { ColumnType, Insertable } from "kysely";
import type { Tables } from "./generated/tables";

/**
 * A time in epoch milliseconds.
 * @template Without null if the column can be null, undefined if an insert may leave it out
 */
export type TimeColumn<Without = never> = ColumnType<
  number | Exclude<Without, undefined>,
  number | Date | Without,
  number | Date | Exclude<Without, undefined>
>;

/** An object or array; a string is taken for JSON. The type of what is read is up to the statement: `$castTo`. */
export type JsonColumn<Without = never> = ColumnType<
  unknown,
  object | string | Without,
  object | string | Exclude<Without, undefined>
>;

/** A column that an insert may leave to its default or null. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>;

export type TableName = keyof Tables;

/** In an insert: the value of a column returned by the guard. */
export interface Returned {
  returned: string;
}

/** A row to be inserted. */
export type NewRow<Table extends TableName> = {
  readonly [Column in keyof Insertable<Tables[Table]>]: Insertable<Tables[Table]>[Column] | Returned;
};

/** The tables with the aliases of a statement: `Aliased<{ u: "User"; o: "Organization" }>`. */
export type Aliased<Aliases extends Record<string, TableName>> = Tables & {
  [Alias in keyof Aliases]: Tables[Aliases[Alias]];
};
