/** The body of a search for users: queries about their names, numbers and factors, and combinations of these. */
import { z } from "zod";
import { email, strict } from "../../directory/fields";
import type { UserCombination, UsersWanted } from "../../directory/user/search";
import { issue } from "../../protocol/reason";
import { keyFilter, keyMatchOf } from "../operation/filters";
import { textQuery, toTextMatch } from "../operation/lists";
import { metadataValue } from "../operation/metadata-operations";
import { listQuery } from "../operation/schemas";
import { personQueries, toMatch, toPersonCombination, USER_SORTS, userQueries, wordsQuery } from "./queries";

/** The maximum of conditions per list and per search: each is checked for every user examined. */
const MAX_QUERIES = 20;
const MAX_CONDITIONS = 100;

const BYTE_METHODS = ["BYTE_FILTER_METHOD_EQUALS", "BYTE_FILTER_METHOD_NOT_EQUALS"] as const;

const simple = {
  ...userQueries,
  ...personQueries,
  firstNameQuery: textQuery("firstName"),
  lastNameQuery: textQuery("lastName"),
  nickNameQuery: textQuery("nickName"),
  phoneQuery: textQuery("number"),
  metadataKeyFilter: keyFilter,
  metadataValueFilter: strict({ value: metadataValue, method: z.enum(BYTE_METHODS).optional() }),
  inUserEmailsQuery: strict({ userEmails: z.array(email).max(100, { error: issue("entries", { n: 100 }) }) }),
};
type Simple = Partial<z.output<z.ZodObject<typeof simple>>>;

/** One condition, or a combination of conditions. */
interface Query extends Simple {
  orQuery?: { queries: Query[] };
  andQuery?: { queries: Query[] };
  notQuery?: { query: Query };
}

interface TopQuery extends Query {
  textQuery?: { text: string };
}

const isOne = (given: object) => Object.keys(given).length === 1;
const several = z.lazy(() => z.array(query).max(MAX_QUERIES, { error: issue("entries", { n: MAX_QUERIES }) }));
const combining = {
  orQuery: strict({ queries: several }),
  andQuery: strict({ queries: several }),
  notQuery: strict({ query: z.lazy(() => query) }),
};
const query: z.ZodType<Query> = strict({ ...simple, ...combining })
  .partial()
  .refine(isOne, { error: issue("one_query") })
  .meta({ id: "UserQuery" }) as never;
const topQuery: z.ZodType<TopQuery> = strict({ ...simple, ...combining, textQuery: wordsQuery })
  .partial()
  .refine(isOne, { error: issue("one_query") }) as never;

export const userSearchBody = strict({
  query: listQuery.optional(),
  sortingColumn: z
    .enum(Object.keys(USER_SORTS) as (keyof typeof USER_SORTS)[])
    .optional()
    .meta({ description: "By default newest first, or by name if a name is searched for" }),
  queries: z
    .array(topQuery)
    .max(MAX_QUERIES, { error: issue("entries", { n: MAX_QUERIES }) })
    .refine((queries) => queries.reduce((sum: number, one) => sum + conditionsIn(one), 0) <= MAX_CONDITIONS, {
      error: issue("entries", { n: MAX_CONDITIONS }),
    })
    .optional(),
});
type Body = z.output<typeof userSearchBody>;

function conditionsIn({ orQuery, andQuery, notQuery }: Query): number {
  if (notQuery) return 1 + conditionsIn(notQuery.query);
  return (orQuery ?? andQuery)?.queries.reduce((sum, one) => sum + conditionsIn(one), 1) ?? 1;
}

/** The organization that the whole search is limited to, if it is. */
export function organizationWanted({ queries = [] }: Body): string | undefined {
  return queries.find(({ organizationIdQuery }) => organizationIdQuery)?.organizationIdQuery?.organizationId;
}

export function toUsersWanted({ queries = [], sortingColumn = "USER_FIELD_NAME_UNSPECIFIED" }: Body): UsersWanted {
  const all = queries.flatMap(conjuncts);
  return {
    matches: all.filter(isMatch).map(toMatch),
    combinations: combined(all.filter((one) => !isMatch(one))),
    sort: USER_SORTS[sortingColumn],
  };
}

/** The queries that must all match. */
const conjuncts = (query: TopQuery): TopQuery[] => query.andQuery?.queries.flatMap(conjuncts) ?? [query];

/** Whether an index may decide it. */
const isMatch = (query: TopQuery): boolean =>
  Object.keys(query).every((name) => name === "textQuery" || Object.hasOwn(userQueries, name));

/** Queries that must all match; those on metadata must match the same entry. */
function combined(queries: readonly TopQuery[]): UserCombination[] {
  const ofMetadata = metadataMatches(queries);
  const others = queries.filter((one) => !one.metadataKeyFilter && !one.metadataValueFilter).map(toCombination);
  return ofMetadata.length > 0 ? [...others, { metadata: ofMetadata }] : others;
}

const metadataMatches = (queries: readonly TopQuery[]) =>
  queries.flatMap(({ metadataKeyFilter, metadataValueFilter }) => [
    ...(metadataKeyFilter ? [keyMatchOf(metadataKeyFilter)] : []),
    ...(metadataValueFilter
      ? [
          {
            value: metadataValueFilter.value.toString("base64url"),
            isOther: metadataValueFilter.method === "BYTE_FILTER_METHOD_NOT_EQUALS",
          },
        ]
      : []),
  ]);

function toCombination(query: TopQuery): UserCombination {
  const { orQuery, andQuery, notQuery, inUserEmailsQuery } = query;
  const { firstNameQuery, lastNameQuery, nickNameQuery, phoneQuery } = query;
  const ofPerson = toPersonCombination(query);
  if (ofPerson) return ofPerson;
  if (orQuery) return { any: orQuery.queries.map(toCombination) };
  if (andQuery) return { all: combined(andQuery.queries) };
  if (notQuery) return { not: toCombination(notQuery.query) };
  if (inUserEmailsQuery) return { emails: inUserEmailsQuery.userEmails };
  const ofMetadata = metadataMatches([query]);
  if (ofMetadata.length > 0) return { metadata: ofMetadata };
  if (firstNameQuery) {
    return { column: "firstName", wanted: toTextMatch(firstNameQuery.firstName, firstNameQuery.method) };
  }
  if (lastNameQuery) return { column: "lastName", wanted: toTextMatch(lastNameQuery.lastName, lastNameQuery.method) };
  if (nickNameQuery) return { column: "nickName", wanted: toTextMatch(nickNameQuery.nickName, nickNameQuery.method) };
  if (phoneQuery) return { column: "phone", wanted: toTextMatch(phoneQuery.number, phoneQuery.method) };
  return { match: toMatch(query) };
}
