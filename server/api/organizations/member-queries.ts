/** The queries of a search for administrators, and combinations of them. */
import { z } from "zod";
import { line, strict } from "../../directory/fields";
import type { MemberMatch } from "../../directory/member/members";
import { issue } from "../../protocol/reason";
import { timeFilter, toTimeMatch } from "../operation/filters";
import { searchBody, textQuery, toTextMatch } from "../operation/lists";
import { rowUserQueries, toRowUser } from "../users/row-queries";

/** The maximum of conditions per list and per search: each is checked for every administrator examined. */
const MAX_QUERIES = 20;
const MAX_CONDITIONS = 100;

const simple = {
  ...rowUserQueries,
  emailQuery: textQuery("email"),
  roleQuery: strict({ role: line(100) }),
  creationDateQuery: timeFilter,
  changeDateQuery: timeFilter,
};

/** One condition, or a combination of conditions. */
interface Query extends Partial<z.output<z.ZodObject<typeof simple>>> {
  orQuery?: { queries: Query[] };
  andQuery?: { queries: Query[] };
  notQuery?: { query: Query };
}

const several = strict({
  queries: z.lazy(() => z.array(query).max(MAX_QUERIES, { error: issue("entries", { n: MAX_QUERIES }) })),
}).meta({ id: "MemberQueries" });
const queries = {
  ...simple,
  orQuery: several,
  andQuery: several,
  notQuery: strict({ query: z.lazy(() => query) }),
};
const query: z.ZodType<Query> = strict(queries)
  .partial()
  .refine((given) => Object.keys(given).length === 1, { error: issue("one_query") })
  .meta({ id: "MemberQuery" }) as never;

export const memberSearchBody = searchBody(queries).refine(
  ({ queries = [] }) => queries.reduce((sum: number, one) => sum + conditionsIn(one), 0) <= MAX_CONDITIONS,
  { error: issue("entries", { n: MAX_CONDITIONS }), path: ["queries"] },
);

function conditionsIn({ orQuery, andQuery, notQuery }: Query): number {
  if (notQuery) return 1 + conditionsIn(notQuery.query);
  return (orQuery ?? andQuery)?.queries.reduce((sum, one) => sum + conditionsIn(one), 1) ?? 1;
}

export function toMemberMatch(wanted: Query): MemberMatch {
  const { orQuery, andQuery, notQuery, emailQuery, roleQuery, creationDateQuery, changeDateQuery } = wanted;
  return {
    ...toRowUser(wanted),
    email: emailQuery && toTextMatch(emailQuery.email, emailQuery.method),
    ...roleQuery,
    created: creationDateQuery && toTimeMatch(creationDateQuery),
    changed: changeDateQuery && toTimeMatch(changeDateQuery),
    any: orQuery?.queries.map(toMemberMatch),
    all: andQuery?.queries.map(toMemberMatch),
    not: notQuery && toMemberMatch(notQuery.query),
  };
}
