// Lists as the management APIs answer them, and how a page asks for one.

export interface ListAnswer<Item> {
  /** A uint64 as text, counted up to COUNTED. */
  details: { totalResult: string };
  nextPageToken?: string;
  result?: readonly Item[];
}

/** When an object was made and last changed; ISO 8601. */
export interface Details {
  sequence: string;
  creationDate: string;
  changeDate: string;
  /** Organization id; the instance's id at instance level. */
  resourceOwner: string;
}

export const PAGE_SIZE = 25;
/** As far as the operations count and skip; whoever looks for more searches. */
export const COUNTED = 10_000;

/** The body of a search for a page of a list. @param queries those that there are */
export function searchFor(page: number, queries: readonly (object | "" | undefined | false)[] = []) {
  return { query: { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }, queries: queries.filter(Boolean) };
}

/** The body of a search in a list that is read on by token. */
export function searchFrom(pageToken: string | undefined, queries: readonly (object | "" | undefined | false)[] = []) {
  return { query: { limit: PAGE_SIZE, pageToken }, queries: queries.filter(Boolean) };
}

/** All of a list that never grows long. */
export const searchForAll = { query: { limit: 1_000 } };

export const CONTAINS = "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE";
