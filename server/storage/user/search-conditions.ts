/** The SQL of a walk: the conditions that the index decides, and those checked row by row. */
import type { Value } from "../database";
import { type Conditions, type Cursor, conditions } from "../listing";
import { filterSql, type NameCondition, nameSql, oneOf } from "./search-filter";
import { SEARCHABLE_KINDS, SEARCHABLE_STATES, type UserSearch, type Walk } from "./search-index";

export interface Path {
  /** The table with the index. */
  index: string;
  /** The table joined with the user. */
  from: string;
  /** The sort column and the tiebreaker. */
  keys: readonly [string, string];
  order: string;
  /** The conditions decided by the index. */
  along: Conditions;
  /** True if there are no other conditions: every row of the walk is a result. */
  isExact: boolean;
  /** All conditions, for users up to `last`. */
  conditions(last: Cursor | undefined): { where: string; values: Value[] };
}

/** Tables other than that of the users with an index to walk along. */
const BESIDE: Partial<Record<Walk["by"], string>> = { word: "UserWord", at: "LastSignIn" };

const userIdAt = ({ by }: Walk) => (BESIDE[by] ? `w."userId"` : `u."id"`);

/** Appended to a text, it is greater than everything that begins with the text. */
export const LAST = "\u{10ffff}";

export function pathAlong(
  search: UserSearch,
  walk: Walk,
  { after, descending }: { after: Cursor | undefined; descending: boolean },
): Path {
  const beside = BESIDE[walk.by];
  const row = beside ? "w" : "u";
  const id = userIdAt(walk);
  const owner = `${row}."organizationId"`;
  const sorted = `${row}."${walk.by}"`;
  const keys = [sorted, id] as const;
  const along = conditions();
  if (search.organizationId !== undefined) along.all.push(`${owner} = ${along.parameter(search.organizationId)}`);
  if (search.ids) along.all.push(oneOf(along, id, search.ids));
  if (walk.by === "id") {
    along.all.push(`u."kind" = ${along.parameter(walk.kind)}`, `u."state" = ${along.parameter(walk.state)}`);
  } else if ("begins" in walk && walk.begins !== undefined) {
    along.all.push(...begins(along, sorted, walk.begins));
  } else if ("equals" in walk && walk.equals !== undefined) {
    along.all.push(`${sorted} = ${along.parameter(walk.equals)}`);
  } else {
    along.all.push(`${sorted} IS NOT NULL`);
  }
  if (after) along.all.push(bound(along, walk, keys, descending ? "<" : ">", after));
  const more = besides(search, walk);
  const direction = descending ? "DESC" : "ASC";
  return {
    keys,
    along,
    index: beside ? `"${beside}" w` : `"User" u`,
    from: beside ? `"${beside}" w JOIN "User" u ON u."id" = w."userId"` : `"User" u`,
    order: (walk.by === "id" ? [id] : keys).map((key) => `${key} ${direction}`).join(", "),
    // A list of ids is short anyway.
    isExact: more.length === 0 || search.ids !== undefined,
    conditions(last) {
      const where: Conditions = { ...conditions(), values: [...along.values] };
      where.parameter = (value) => `$${where.values.push(value)}`;
      const all = [...along.all, ...more.map((condition) => condition(where))];
      if (walk.by === "word") all.push(firstOfItsWords(where, walk.begins));
      if (search.except?.length) all.push(`NOT (${oneOf(where, id, search.except)})`);
      if (last) all.push(bound(where, walk, keys, descending ? ">=" : "<=", last));
      return { where: all.join(" AND "), values: where.values };
    },
  };
}

function bound(where: Conditions, walk: Walk, keys: Path["keys"], sign: string, [sorted, unique]: Cursor): string {
  if (walk.by === "id") return `${keys[1]} ${sign} ${where.parameter(unique)}`;
  return `(${keys.join(", ")}) ${sign} (${where.parameter(sorted)}, ${where.parameter(unique)})`;
}

function begins(where: Conditions, column: string, text: string): string[] {
  return [`${column} >= ${where.parameter(text)}`, `${column} < ${where.parameter(text + LAST)}`];
}

/** A user with several matching words is found only at the first of them. */
function firstOfItsWords(where: Conditions, text: string): string {
  return `NOT EXISTS (SELECT 1 FROM "UserWord" f WHERE f."userId" = w."userId"
    AND f."word" >= ${where.parameter(text)} AND f."word" < w."word")`;
}

type Condition = (where: Conditions) => string;

/** Returns the conditions that the index does not decide. */
function besides(search: UserSearch, walk: Walk): Condition[] {
  const { kinds, states, names, words } = search;
  const found: Condition[] = [];
  if (walk.by !== "id" && kinds.length < SEARCHABLE_KINDS.length)
    found.push((where) => oneOf(where, `u."kind"`, kinds));
  if (walk.by !== "id" && states.length < SEARCHABLE_STATES.length)
    found.push((where) => oneOf(where, `u."state"`, states));
  for (const name of names) found.push(...conditionsOf(name, walk));
  for (const filter of search.filters ?? []) found.push((where) => filterSql(where, filter));
  for (const word of words) {
    if (walk.by === "word" && walk.begins === word) continue;
    found.push((where) => {
      const range = begins(where, `x."word"`, word).join(" AND ");
      return `EXISTS (SELECT 1 FROM "UserWord" x WHERE x."userId" = ${userIdAt(walk)} AND ${range})`;
    });
  }
  return found;
}

function conditionsOf(name: NameCondition, walk: Walk): Condition[] {
  const { key, match, text, exactly } = name;
  const isDecided =
    walk.by === key && ((match === "equals" && walk.equals === text) || (match === "starts" && walk.begins === text));
  if (isDecided && !exactly) return [];
  return [(where) => nameSql(where, name, { isDecided }).join(" AND ")];
}
