/**
 * Lists of the directory, read page by page. The use case determines the rows and their order; the caller that displays
 * them determines the page.
 */
import type { Context } from "../context";
import type { Cursor, Page, TextWanted } from "../storage/listing";
import type { SearchedText } from "../storage/pages";
import { comparable } from "./names";

export type { TextWanted };

export interface PageWanted {
  /** The last row of the previous page; undefined for the first page. */
  after: Cursor | undefined;
  /** The number of rows to skip. */
  offset: number;
  /** The maximum number of rows. */
  limit: number;
  /** Undefined for the list's default order. */
  ascending: boolean | undefined;
}

export interface PagedList<Row> {
  /** The types of the sort value and of the unique value; a time is a number. */
  cursor: readonly ["string" | "number", "string" | "number"];
  page(wanted: PageWanted): Promise<Page<Row>>;
  /** Counts all rows, not only those of a page, up to 10000. */
  count(): Promise<number>;
}

/** Returns the text of a search box for objects with one name. */
export function searchedText(text: string): SearchedText {
  const name = comparable(text);
  return { text: text.trim(), name, words: name.split(/\s+/) };
}

type Reading = Omit<PageWanted, "ascending"> & { descending: boolean };

/**
 * Returns a list that storage reads.
 * @param list.isDescending whether the default order is descending, for example newest first
 */
export function pagedList<Row, Where>(
  ctx: Context,
  {
    cursor,
    where,
    isDescending = false,
    list,
    count,
  }: Pick<PagedList<Row>, "cursor"> & {
    where: Where;
    isDescending?: boolean;
    list(db: Context["db"], where: Where, reading: Reading): Promise<Page<Row>>;
    count(db: Context["db"], where: Where): Promise<number>;
  },
): PagedList<Row> {
  return {
    cursor,
    page: ({ ascending, ...wanted }) =>
      list(ctx.db, where, { ...wanted, descending: ascending === undefined ? isDescending : !ascending }),
    count: () => count(ctx.db, where),
  };
}
