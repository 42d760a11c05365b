// Lists as the management APIs return them, and the requests for them.
import type { AnswerOf } from "../../../shared/declared";

/** A page of a list; all list operations have this shape. */
export type ListAnswer<Item> = Omit<AnswerOf<"ListProjects">, "result"> & { readonly result: readonly Item[] };

/** Queries, some of which may be falsy. */
type Queries<Query> = readonly (Query | "" | undefined | false)[];

const asked = <Query extends object>(queries: Queries<Query>): Query[] =>
  queries.flatMap((query) => (query ? [query] : []));

export const PAGE_SIZE = 25;
/** The limit up to which the operations count and skip; to find more, users must search. */
export const COUNTED = 10_000;

/**
 * Returns the body of a search for one page of a list.
 * @param queries falsy ones are omitted
 */
export function searchFor<Query extends object>(page: number, queries: Queries<Query> = []) {
  return { query: { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }, queries: asked(queries) };
}

/** Returns the body of a search in a list that is paged by token. */
export function searchFrom<Query extends object>(pageToken: string | undefined, queries: Queries<Query> = []) {
  return { query: { limit: PAGE_SIZE, pageToken }, queries: asked(queries) };
}

/** The body of a search for all entries of a list that is always short. */
export const searchForAll = { query: { limit: 1_000 } };

export const CONTAINS = "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" as const;

/** Returns the uppercase name of a state or type, as used in queries. */
export const upperCase = <Name extends string>(name: Name) => name.toUpperCase() as Uppercase<Name>;
