/**
 * Searching as the management APIs do it: the body with its queries, the token of the next page, the answer. A token
 * names a place in a list and opens nothing, so it is not sealed; one that we did not make is refused.
 */
import { z } from "zod";
import type { Context } from "../../context";
import { line, strict } from "../../directory/fields";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import { isMoment } from "../../protocol/moment";
import type { Page, Place, TextMatch } from "../../storage/listing";
import { type ListQuery, listQuery, textQueryMethod } from "./schemas";

/** Rows of a page where nobody says how many. */
const USUAL = 100;
const MOST_QUERIES = 20;

/**
 * The body of a search. All queries must hold.
 * @param queries by their names, as in `{ nameQuery: strict({ name, method }) }`; each entry of the body has one of them
 */
export function searchBody<Queries extends z.ZodRawShape>(queries: Queries) {
  const entry = strict(queries)
    .partial()
    .refine((given) => Object.keys(given).length === 1, { error: "must have exactly one query" });
  return strict({
    query: listQuery.optional(),
    sortingColumn: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Lists have one order; what is sent is ignored" }),
    queries: z.array(entry).max(MOST_QUERIES).optional(),
  });
}

/** Words to find; control characters are in no name. */
export const words = line(200);

/** A query on a text: the words under `member`, and how they must stand in it. Equal, where nothing is said. */
export function textQuery<Member extends string>(member: Member) {
  return strict({ [member]: words, method: textQueryMethod.optional() } as {
    [Name in Member]: typeof words;
  } & { method: z.ZodOptional<typeof textQueryMethod> });
}

export function toTextMatch(text: string, method: z.output<typeof textQueryMethod> = "TEXT_QUERY_METHOD_EQUALS") {
  const ignoreCase = method.endsWith("_IGNORE_CASE");
  const word = method.replace("TEXT_QUERY_METHOD_", "").replace("_IGNORE_CASE", "").replace("_WITH", "");
  return { text, ignoreCase, match: word.toLowerCase() as TextMatch };
}

export interface Wanted {
  after: Place | undefined;
  offset: number;
  limit: number;
  /** As asked for; undefined: the list's own direction. */
  ascending: boolean | undefined;
}

/** What the two values of a list's places are. */
type PlaceTypes = readonly ["string" | "number", "string" | "number"];

export function readWanted(types: PlaceTypes, query: ListQuery = {}): Wanted | ApiError {
  const after = query.pageToken === undefined ? undefined : readPageToken(types, query.pageToken);
  if (after === null) return invalidArgument("page.bad_token", "There is no such page.", { field: "query.pageToken" });
  return { after, offset: query.offset ?? 0, limit: query.limit || USUAL, ascending: query.asc };
}

/** Reads a page and counts what is listed, at the same time. */
export async function listAnswer<Row, Item>(
  ctx: Context,
  query: ListQuery | undefined,
  list: {
    /** What the sorted and the unique column are; a time is a number. */
    places: PlaceTypes;
    page(wanted: Wanted): Promise<Page<Row>>;
    count(): Promise<number>;
    items(rows: Row[]): Promise<Item[]> | Item[];
  },
) {
  const wanted = readWanted(list.places, query);
  if (isApiError(wanted)) return wanted;
  const [{ rows, next }, count] = await Promise.all([list.page(wanted), list.count()]);
  return {
    details: { totalResult: String(count), viewTimestamp: new Date(ctx.clock()).toISOString() },
    ...(next && { nextPageToken: makePageToken(next) }),
    result: await list.items(rows),
  };
}

export function makePageToken(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Null for what we did not make. */
export function readPageToken(types: PlaceTypes, token: string): Place | null {
  try {
    const place = JSON.parse(Buffer.from(token, "base64url").toString()) as unknown;
    if (!Array.isArray(place) || place.length !== 2) return null;
    const isPlace = place.every((value, index) => typeof value === types[index] && isPlain(value));
    return isPlace ? (place as unknown as Place) : null;
  } catch {
    return null;
  }
}

/** What a database takes as a value: PostgreSQL no U+0000. Numbers are times, or smaller. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return isMoment(value);
  return typeof value === "string" && value.length <= 500 && !value.includes("\0");
}
