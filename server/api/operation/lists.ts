/**
 * How the management APIs search: a body with queries, the token of the next page, the answer. A page token names a
 * cursor in a list and grants nothing, so it is not sealed; malformed ones are refused.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { line, strict } from "../../directory/fields";
import type { PagedList, PageWanted, TextWanted } from "../../directory/listing";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import { isTimestamp } from "../../protocol/moment";
import { issue } from "../../protocol/reason";
import { type ListQuery, listQuery, textQueryMethod } from "./schemas";

/** The default number of rows of a page. */
export const USUAL_LIMIT = 100;
const MAX_QUERIES = 20;

/**
 * The body of a search. A result must match all queries.
 * @param queries by name, as in `{ nameQuery: strict({ name, method }) }`; each entry in the body's list has one of
 * them
 */
export function searchBody<Queries extends z.ZodRawShape>(queries: Queries) {
  const entry = strict(queries)
    .partial()
    .refine((given) => Object.keys(given).length === 1, { error: issue("one_query") });
  return strict({
    query: listQuery.optional(),
    sortingColumn: z.string().max(100).optional().meta({ description: "Ignored: the order of lists is fixed" }),
    queries: z.array(entry).max(MAX_QUERIES).optional(),
  });
}

/** Text to search for, without control characters, as no name has any. */
export const words = line(200);

/** A query on a text: `member` contains the text to find, `method` how it must match, by default exactly. */
export function textQuery<Member extends string>(member: Member) {
  return strict({ [member]: words, method: textQueryMethod.optional() } as {
    [Name in Member]: typeof words;
  } & { method: z.ZodOptional<typeof textQueryMethod> });
}

/** A query as in a search box: an id, or words of a name. */
export const searchedTextQuery = strict({ text: words }).meta({
  description:
    "As in a search box: an id, or words of the name. What the text names as a whole comes first, then what begins with it",
});

export function toTextMatch(text: string, method: z.output<typeof textQueryMethod> = "TEXT_QUERY_METHOD_EQUALS") {
  const ignoreCase = method.endsWith("_IGNORE_CASE");
  const word = method.replace("TEXT_QUERY_METHOD_", "").replace("_IGNORE_CASE", "").replace("_WITH", "");
  return { text, ignoreCase, match: word.toLowerCase() as TextWanted["match"] };
}

/** The page of a list that is short enough to be read at once. */
export function pageInMemory<Row>(rows: readonly Row[], { offset = 0, limit, asc }: ListQuery = {}): readonly Row[] {
  const ordered = asc === false ? rows.toReversed() : rows;
  return ordered.slice(offset, offset + (limit || USUAL_LIMIT));
}

/** The last row of a page: its sort value and its unique value. */
type Cursor = NonNullable<PageWanted["after"]>;

/** The types of the two values of a cursor. */
type CursorTypes = PagedList<unknown>["cursor"];

export function readWanted(types: CursorTypes, query: ListQuery = {}): PageWanted | ApiError {
  const after = query.pageToken === undefined ? undefined : readPageToken(types, query.pageToken);
  if (after === null)
    return invalidArgument("page.bad_token", "This page does not exist. Start from the first one.", {
      field: "query.pageToken",
    });
  return { after, offset: query.offset ?? 0, limit: query.limit || USUAL_LIMIT, ascending: query.asc };
}

/** Reads a page and counts all results, in parallel. */
export async function listAnswer<Row, Item>(
  ctx: Context,
  query: ListQuery | undefined,
  list: PagedList<Row> & { items(rows: Row[]): Promise<Item[]> | Item[] },
) {
  const wanted = readWanted(list.cursor, query);
  if (isApiError(wanted)) return wanted;
  const [{ rows, next }, count] = await Promise.all([list.page(wanted), list.count()]);
  return {
    details: { totalResult: String(count), viewTimestamp: new Date(ctx.clock()).toISOString() },
    ...(next && { nextPageToken: makePageToken(next) }),
    result: await list.items(rows),
  };
}

export function makePageToken(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** Null if the token is malformed. */
function readPageToken(types: CursorTypes, token: string): Cursor | null {
  try {
    const cursor = JSON.parse(Buffer.from(token, "base64url").toString()) as unknown;
    if (!Array.isArray(cursor) || cursor.length !== 2) return null;
    const isCursor = cursor.every((value, index) => typeof value === types[index] && isPlain(value));
    return isCursor ? (cursor as unknown as Cursor) : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether both databases accept the value: PostgreSQL rejects U+0000, and no number may exceed the largest
 * time.
 */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return isTimestamp(value);
  return typeof value === "string" && value.length <= 500 && !value.includes("\0");
}
