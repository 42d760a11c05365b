/**
 * Lists of the directory, read page by page. A use case says which rows there are and in which order; whoever shows them
 * says which page.
 */
import type { Context } from "../context";
import type { Conditions, Cursor, Page, TextWanted } from "../storage/listing";

export type { TextWanted };

export interface PageWanted {
  /** The last row of the page before; undefined for the first page. */
  after: Cursor | undefined;
  /** Rows to skip. */
  offset: number;
  /** Rows. */
  limit: number;
  /** Undefined: the list's own order. */
  ascending: boolean | undefined;
}

export interface PagedList<Row> {
  /** The types of the value that is sorted by and of the unique one; a time is a number. */
  cursor: readonly ["string" | "number", "string" | "number"];
  page(wanted: PageWanted): Promise<Page<Row>>;
  /** All rows, not only those of a page; counted up to 10000. */
  count(): Promise<number>;
}

type Reading = Omit<PageWanted, "ascending"> & { descending: boolean };

/**
 * A list that storage reads.
 * @param list.isDescending whether its own order is descending, as in newest first
 */
export function pagedList<Row>(
  ctx: Context,
  {
    cursor,
    where,
    isDescending = false,
    list,
    count,
  }: Pick<PagedList<Row>, "cursor"> & {
    where: Conditions;
    isDescending?: boolean;
    list(db: Context["db"], where: Conditions, reading: Reading): Promise<Page<Row>>;
    count(db: Context["db"], where: Conditions): Promise<number>;
  },
): PagedList<Row> {
  return {
    cursor,
    page: ({ ascending, ...wanted }) =>
      list(ctx.db, where, { ...wanted, descending: ascending === undefined ? isDescending : !ascending }),
    count: () => count(ctx.db, where),
  };
}
