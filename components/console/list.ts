// Lists as the management APIs return them, and the requests for them.

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
/** How far the operations count and skip; to find more, people must search. */
export const COUNTED = 10_000;

/** The body of a search for a page of a list. @param queries falsy ones are left out */
export function searchFor(page: number, queries: readonly (object | "" | undefined | false)[] = []) {
  return { query: { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }, queries: queries.filter(Boolean) };
}

/** The body of a search in a list that is read on by token. */
export function searchFrom(pageToken: string | undefined, queries: readonly (object | "" | undefined | false)[] = []) {
  return { query: { limit: PAGE_SIZE, pageToken }, queries: queries.filter(Boolean) };
}

/** The body for all entries of a list that is always short. */
export const searchForAll = { query: { limit: 1_000 } };

export const CONTAINS = "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE";
