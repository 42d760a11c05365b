/**
 * Lists of the management APIs: one sort order, and pages by offset or after the last row. The order ends in a unique
 * column, so that no row is skipped or repeated.
 */
import {
  type Expression,
  ExpressionWrapper,
  expressionBuilder,
  type ReferenceExpression,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import type { Database } from "./database";
import type { Cursor, ListReading, Page, TextWanted } from "./listing";
import { bind, tables } from "./statement";

/** The maximum number of counted rows: users do not page further, and counting a million rows takes a second. */
const MAX_COUNT = 10_000;

/** Conditions joined by AND, which callers add to. */
export type Filter = Expression<SqlBool>[];

interface PageOrder<DB, TB extends keyof DB> {
  /** A column, or an expression that sorts like one. */
  sort: ReferenceExpression<DB, TB>;
  /** The column that breaks ties, or an expression; both together are unique. */
  unique: ReferenceExpression<DB, TB>;
}

/** A list of rows in one order, which is read page by page. */
export interface RowList<Row, Where = Filter> {
  /** The types of the sort value and of the unique value; a time is a number. */
  cursor: readonly ["string" | "number", "string" | "number"];
  /** Whether the default order is descending, for example newest first. */
  isDescending: boolean;
  page(db: Database, where: Where, reading: ListReading): Promise<Page<Row>>;
  /** Counts the rows, up to 10000. */
  count(db: Database, where: Where): Promise<number>;
}

/**
 * Makes a list of the rows that `select` returns.
 * @param complete adds to the rows of a page what is read separately
 */
export const rowList = <DB, TB extends keyof DB, Row, Shown = Row>(
  select: (where: Filter) => SelectQueryBuilder<DB, TB, Row>,
  {
    cursor = ["string", "string"],
    isDescending = false,
    ...order
  }: PageOrder<DB, TB> & Partial<Pick<RowList<Row>, "cursor" | "isDescending">>,
  complete?: (db: Database, rows: Row[]) => Promise<Shown[]>,
): RowList<Shown> => ({
  cursor,
  isDescending,
  async page(db, where, reading) {
    const { rows, next } = await listRows(db, select(where), { ...order, ...reading });
    return { rows: complete ? await complete(db, rows) : (rows as never), next };
  },
  count: (db, where) => countSelected(db, select(where)),
});

/** Returns a page of the rows that the query selects. */
export async function listRows<DB, TB extends keyof DB, Row>(
  db: Database,
  query: SelectQueryBuilder<DB, TB, Row>,
  { sort, descending, unique, after, offset, limit }: PageOrder<DB, TB> & ListReading,
): Promise<Page<Row>> {
  const eb = expressionBuilder<DB, TB>();
  const [sorted, last] = [sort, unique].map((by) =>
    typeof by === "string"
      ? eb.ref(by as never)
      : new ExpressionWrapper<DB, TB, never>((by as Expression<unknown>).toOperationNode()),
  ) as [ExpressionWrapper<DB, TB, never>, ExpressionWrapper<DB, TB, never>];
  const direction = descending ? "desc" : "asc";
  let page = query
    .select([sorted.as("sortedBy"), last.as("uniqueBy")])
    .orderBy(sorted, direction)
    .orderBy(last, direction)
    .limit(limit + 1)
    .offset(offset);
  if (after) {
    const [value, id] = after;
    page = page.where(
      eb(eb.refTuple(sorted, last), descending ? "<" : ">", eb.tuple(value, id) as never) as Expression<SqlBool>,
    );
  }
  const rows = (await db.all(bind(page))) as (Row & { sortedBy: Cursor[0]; uniqueBy: Cursor[1] })[];
  const shown = rows.slice(0, limit);
  const end = shown.at(-1);
  return { rows: shown, next: rows.length > limit && end ? [end.sortedBy, end.uniqueBy] : undefined };
}

/** Returns the number of rows that the query selects, up to 10000. */
export async function countSelected<DB, TB extends keyof DB>(
  db: Database,
  query: SelectQueryBuilder<DB, TB, unknown>,
): Promise<number> {
  const some = query.clearSelect().select(sql.lit(1).as("one")).limit(MAX_COUNT).as("some");
  const counted = tables.selectFrom(some).select((eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("count"));
  return (await db.one(bind(counted)))?.count ?? 0;
}

/**
 * Returns a text condition that works the same on both databases, unlike LIKE, which is case-sensitive on only one of
 * them.
 */
export function textMatches(
  column: Expression<string | null>,
  { match, ignoreCase, text }: TextWanted,
): Expression<SqlBool> {
  const wanted = ignoreCase ? text.toLowerCase() : text;
  const stored = ignoreCase ? sql`lower(${column})` : column;
  const length = [...text].length;
  switch (match) {
    case "equals":
      return sql`${stored} = ${wanted}`;
    case "starts":
      return sql`substr(${stored}, 1, ${sql.lit(length)}) = ${wanted}`;
    case "ends":
      return sql`(substr(${stored}, length(${stored}) - ${sql.lit(length - 1)}) = ${wanted} and length(${stored}) >= ${sql.lit(length)})`;
    case "contains":
      return text === "" ? sql`1 = 1` : sql`replace(${stored}, ${wanted}, '') <> ${stored}`;
  }
}

/** Whether a column has one of the values, which may be none. */
export const isOneOf = (column: Expression<string>, values: readonly string[]): Expression<SqlBool> =>
  values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;

/** A text that was typed to find a named object, in the letters in which its names are compared. */
export interface SearchedText {
  /** The text with its letter case, for ids. */
  text: string;
  /** The whole text in comparable form. */
  name: string;
  /** Each must be part of the name. */
  words: readonly string[];
}

/** The columns of an object that a searched text may name. */
export interface SearchedColumns {
  /** Compared with the letter case. */
  ids: readonly Expression<string>[];
  /** In comparable form; the first one contains the words. */
  names: readonly [Expression<string | null>, ...Expression<string | null>[]];
}

/** Returns the condition that the text names the object, as a whole or by words of its name. */
export function textFinds({ text, name, words }: SearchedText, { ids, names }: SearchedColumns): Expression<SqlBool> {
  const eb = expressionBuilder<Record<string, never>, never>();
  const [first] = names;
  return eb.or([
    ...ids.map((column) => sql<SqlBool>`${column} = ${text}`),
    ...names.map((column) => textMatches(column, { text: name, match: "starts", ignoreCase: false })),
    eb.and(words.map((word) => textMatches(first, { text: word, match: "contains", ignoreCase: false }))),
  ]);
}

/** Returns a value that sorts objects by closeness to the text (exact, its beginning, words of it), then by name. */
export function closenessTo({ text, name }: SearchedText, { ids, names }: SearchedColumns): Expression<string> {
  const eb = expressionBuilder<Record<string, never>, never>();
  const isExact = eb.or([
    ...ids.map((column) => sql<SqlBool>`${column} = ${text}`),
    ...names.map((column) => sql<SqlBool>`${column} = ${name}`),
  ]);
  const begins = eb.or(names.map((column) => textMatches(column, { text: name, match: "starts", ignoreCase: false })));
  return sql<string>`case when ${isExact} then '0' when ${begins} then '1' else '2' end || ${names[0]}`;
}
