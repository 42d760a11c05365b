/** The queries of a search for users, and their translation for the database. */
import { z } from "zod";
import { identifier, strict } from "../directory/fields";
import { comparable, comparableLoginName } from "../directory/names";
import { wordsOf } from "../directory/user/words";
import { KINDS, type NameCondition, type NameKey, STATES, type UserSearch } from "../storage/user-search-walk";
import { searchBody, textQuery, toTextMatch, words } from "./lists";
import { USER_STATES, USER_TYPES } from "./user-schemas";

const SORTS = {
  USER_FIELD_NAME_UNSPECIFIED: undefined,
  USER_FIELD_NAME_CREATION_DATE: undefined,
  USER_FIELD_NAME_USER_NAME: "userNameKey",
  USER_FIELD_NAME_DISPLAY_NAME: "displayNameKey",
} as const;

/** Further words are ignored, as they hardly narrow the search. */
const MOST_WORDS = 6;

export const userSearchBody = searchBody({
  userNameQuery: textQuery("userName"),
  loginNameQuery: textQuery("loginName"),
  displayNameQuery: textQuery("displayName"),
  emailQuery: textQuery("emailAddress"),
  stateQuery: strict({ state: z.enum(Object.values(USER_STATES)) }),
  typeQuery: strict({ type: z.enum(Object.values(USER_TYPES)) }),
  inUserIdsQuery: strict({ userIds: z.array(identifier).max(100) }),
  organizationIdQuery: strict({ organizationId: identifier }),
  textQuery: strict({ text: words }).meta({
    description:
      "As in a search box: each word must begin a word of the names, e-mail address or phone number; sorted by match",
  }),
}).extend({
  sortingColumn: z
    .enum(Object.keys(SORTS) as (keyof typeof SORTS)[])
    .optional()
    .meta({ description: "By default newest first, or by name if a name is searched for" }),
});
type Body = z.output<typeof userSearchBody>;
type Query = NonNullable<Body["queries"]>[number];

export interface WantedUsers extends UserSearch {
  isNewestFirst: boolean;
}

/** @param organizationId undefined: all organizations */
export function searchOf(body: Body, organizationId: string | undefined): WantedUsers {
  const parts = (body.queries ?? []).map(readQuery);
  const kinds = parts.flatMap(({ kind }) => kind ?? []);
  const states = parts.flatMap(({ state }) => state ?? []);
  const organizations = new Set(parts.flatMap((part) => part.organizationId ?? []));
  if (organizationId !== undefined) organizations.add(organizationId);
  const names = parts.flatMap((part) => part.name ?? []);
  const words = parts.flatMap((part) => part.words ?? []).slice(0, MOST_WORDS);
  const sort = SORTS[body.sortingColumn ?? "USER_FIELD_NAME_UNSPECIFIED"];
  const byName = words.length > 0 || names.some(({ match }) => match === "equals" || match === "starts");
  return {
    organizationId: [...organizations][0],
    kinds: KINDS.filter((kind) => kinds.every((one) => one === kind)),
    states: STATES.filter((state) => states.every((one) => one === state)),
    // Nobody belongs to two organizations, so such a search finds nobody.
    ids: organizations.size > 1 ? [] : inAll(parts.flatMap(({ ids }) => (ids ? [ids] : []))),
    ...{ names, words, sort },
    isNewestFirst: sort === undefined && !byName,
  };
}

interface Part {
  name?: NameCondition;
  kind?: (typeof KINDS)[number];
  state?: (typeof STATES)[number];
  ids?: string[];
  words?: string[];
  organizationId?: string;
}

function readQuery(query: Query): Part {
  const { userNameQuery, loginNameQuery, displayNameQuery, emailQuery, stateQuery, typeQuery } = query;
  if (userNameQuery) return { name: nameOf("userNameKey", "userName", userNameQuery.userName, userNameQuery.method) };
  if (loginNameQuery) {
    return { name: nameOf("loginNameKey", undefined, loginNameQuery.loginName, loginNameQuery.method) };
  }
  if (displayNameQuery) {
    return { name: nameOf("displayNameKey", "displayName", displayNameQuery.displayName, displayNameQuery.method) };
  }
  if (emailQuery) return { name: nameOf("emailKey", "email", emailQuery.emailAddress, emailQuery.method) };
  if (stateQuery) return { state: STATES.find((state) => USER_STATES[state] === stateQuery.state) };
  if (typeQuery) return { kind: KINDS.find((kind) => USER_TYPES[kind] === typeQuery.type) };
  if (query.inUserIdsQuery) return { ids: query.inUserIdsQuery.userIds };
  if (query.organizationIdQuery) return { organizationId: query.organizationIdQuery.organizationId };
  const words = wordsOf(query.textQuery?.text ?? "");
  return words.length > 0 ? { words } : { ids: [] };
}

/** Login names are always compared without regard to case, whatever method the query names. */
function nameOf(
  key: NameKey,
  column: "userName" | "displayName" | "email" | undefined,
  given: string,
  method: Parameters<typeof toTextMatch>[1],
): NameCondition {
  const { match, ignoreCase, text } = toTextMatch(given, method);
  const whole = match === "equals" && (key === "loginNameKey" || key === "emailKey" || key === "userNameKey");
  return {
    ...{ key, match, text: whole ? comparableLoginName(text) : comparable(text) },
    ...(!ignoreCase && column && { exactly: { column, text } }),
  };
}

/** The ids that are in every list; undefined if there is no list, which means anybody. */
function inAll([first, ...rest]: string[][]): string[] | undefined {
  return first?.filter((id) => rest.every((ids) => ids.includes(id)));
}
