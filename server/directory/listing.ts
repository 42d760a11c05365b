/**
 * Lists of the directory, read page by page. The use case determines the rows and their order; the caller that displays
 * them determines the page.
 */
import type { Context } from "../context";
import type { Cursor, Page, TextWanted } from "../storage/listing";
import type { RowList, SearchedText } from "../storage/pages";
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
  cursor: RowList<Row>["cursor"];
  page(wanted: PageWanted): Promise<Page<Row>>;
  /** Counts all rows, not only those of a page, up to 10000. */
  count(): Promise<number>;
}

/** Returns the text of a search box for objects with one name. */
export function searchedText(text: string): SearchedText {
  const name = comparable(text);
  return { text: text.trim(), name, words: name.split(/\s+/) };
}

/** Returns a list that storage reads. */
export function pagedList<Row, Where>(ctx: Context, where: Where, list: RowList<Row, Where>): PagedList<Row> {
  const { cursor, isDescending } = list;
  return {
    cursor,
    page: ({ ascending, ...wanted }) =>
      list.page(ctx.db, where, { ...wanted, descending: ascending === undefined ? isDescending : !ascending }),
    count: () => list.count(ctx.db, where),
  };
}
