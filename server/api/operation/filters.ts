/** The lists of version 2 of the API: requests have `pagination` and `filters`, responses `pagination` and the rows. */
import { z } from "zod";
import type { Context } from "../../context";
import { identifier, strict } from "../../directory/fields";
import { instant } from "../../directory/key-fields";
import type { PagedList, TextWanted } from "../../directory/listing";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { pagedAnswer } from "./answers";
import { toTextMatch, USUAL_LIMIT, words } from "./lists";
import { type ListQuery, listQuery } from "./schemas";

const MAX_FILTERS = 20;

/**
 * The body of a search. A result must match all filters.
 * @param filters by name; each entry in the body's list has one of them
 */
export function filteredBody<Filters extends z.ZodRawShape>(filters: Filters) {
  const entry = strict(filters)
    .partial()
    .refine((given) => Object.keys(given).length === 1, { error: issue("one_query") });
  return strict({
    pagination: listQuery.optional(),
    sortingColumn: z.string().max(100).optional().meta({ description: "Ignored: the order of lists is fixed" }),
    filters: z
      .array(entry)
      .max(MAX_FILTERS, { error: issue("entries", { n: MAX_FILTERS }) })
      .optional(),
  });
}

export const idFilter = strict({ id: identifier });

const TEXT_METHODS = ["EQUALS", "STARTS_WITH", "CONTAINS", "ENDS_WITH"] as const;
const textMethod = z.enum(
  TEXT_METHODS.flatMap((name) => [`TEXT_FILTER_METHOD_${name}`, `TEXT_FILTER_METHOD_${name}_IGNORE_CASE`] as const),
);

/** A filter on a text; `member` contains the text to find. */
export const keyFilter = strict({ key: words, method: textMethod.optional() });

export const keyMatchOf = ({ key, method = "TEXT_FILTER_METHOD_EQUALS" }: z.output<typeof keyFilter>): TextWanted =>
  toTextMatch(key, method.replace("FILTER", "QUERY") as never);

/** Returns whether a text in memory matches the search. */
export function isTextFound(text: string, { text: wanted, ignoreCase, match }: TextWanted): boolean {
  const [given, sought] = ignoreCase ? [text.toLowerCase(), wanted.toLowerCase()] : [text, wanted];
  switch (match) {
    case "equals":
      return given === sought;
    case "starts":
      return given.startsWith(sought);
    case "contains":
      return given.includes(sought);
    case "ends":
      return given.endsWith(sought);
  }
}

const SIGNS = {
  TIMESTAMP_FILTER_METHOD_EQUALS: "=",
  TIMESTAMP_FILTER_METHOD_AFTER: ">",
  TIMESTAMP_FILTER_METHOD_AFTER_OR_EQUALS: ">=",
  TIMESTAMP_FILTER_METHOD_BEFORE: "<",
  TIMESTAMP_FILTER_METHOD_BEFORE_OR_EQUALS: "<=",
} as const;

export const timeFilter = strict({
  timestamp: instant,
  method: z.enum(Object.keys(SIGNS) as (keyof typeof SIGNS)[]).optional(),
});

export function toTimeMatch({ timestamp, method = "TIMESTAMP_FILTER_METHOD_EQUALS" }: z.output<typeof timeFilter>) {
  return { sign: SIGNS[method], at: timestamp };
}

const count = z.string().meta({ description: "uint64 as a string; counted up to 10000" });

/** The answer of a search, its rows under `member`. */
export function filteredList<Member extends string, Item extends z.ZodType>(member: Member, item: Item) {
  return z.object({
    pagination: z.object({ totalResult: count, appliedLimit: z.string() }),
    nextPageToken: z.string().optional().meta({ description: "Left out on the last page" }),
    ...({ [member]: z.array(item) } as { [Name in Member]: z.ZodArray<Item> }),
  });
}

export const appliedTo = (total: number | string, { limit }: ListQuery = {}) => ({
  totalResult: String(total),
  appliedLimit: String(limit || USUAL_LIMIT),
});

/** The requested page. */
export async function filteredAnswer<Row, Item>(
  ctx: Context,
  pagination: ListQuery | undefined,
  list: PagedList<Row> | ApiError,
  item: (row: Row) => Item,
) {
  const answer = await pagedAnswer(ctx, pagination, list, item);
  if (isApiError(answer)) return answer;
  const { details, ...page } = answer;
  return { pagination: appliedTo(details.totalResult, pagination), ...page };
}
