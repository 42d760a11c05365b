/** Searches users and machines by names, words, kind and state, and by combinations of these. */
import type { Context } from "../../context";
import type { WholeText } from "../../storage/user/closest";
import { countAfter, type Front, findFront, searchAfter } from "../../storage/user/ranked-search";
import { countFound, LOOKED_AT, searchUsers } from "../../storage/user/search";
import {
  type Lookup,
  lookUpUsers,
  type NameCondition,
  type NameKey,
  type UserFilter,
} from "../../storage/user/search-filter";
import { SEARCHABLE_KINDS, SEARCHABLE_STATES, type UserSearch } from "../../storage/user/search-index";
import { createCache } from "../cache";
import type { PagedList, TextWanted } from "../listing";
import { comparable, comparableLoginName } from "../names";
import type { ListedUser } from "./list";
import { searchWordsOf } from "./search-terms";

/** Further words are ignored, because they hardly narrow the search. */
const MAX_WORDS = 6;

/** Filter for users; a user must match all given fields. */
export interface UserMatch {
  userName?: TextWanted;
  /** Always compared case-insensitively. */
  loginName?: TextWanted;
  displayName?: TextWanted;
  email?: TextWanted;
  kind?: (typeof SEARCHABLE_KINDS)[number];
  state?: (typeof SEARCHABLE_STATES)[number];
  ids?: readonly string[];
  organizationId?: string;
  /**
   * The text of a search box: each word must begin a word of the names, email address or phone number, or the text is a
   * whole login name, address, number or id.
   */
  text?: string;
}

/** Combinations of filters. A `UserMatch` in it must not have a `text`, which only a whole search can have. */
export type UserCombination =
  | { any: readonly UserCombination[] }
  | { all: readonly UserCombination[] }
  | { not: UserCombination }
  | { match: Omit<UserMatch, "text"> }
  | { column: "firstName" | "lastName" | "nickName" | "phone"; wanted: TextWanted }
  /** One entry of the metadata meets all of these. */
  | { metadata: readonly (TextWanted | { value: string; isOther: boolean })[] }
  | { emails: readonly string[] }
  | { signedIn: "never" }
  /** The last sign-in was before that time, in epoch milliseconds. */
  | { signedInBefore: number }
  | { hasSecondFactor: boolean }
  | { isInvited: boolean };

/** The maximum number of users that an index returns before a combination is checked; more would not narrow much. */
const MAX_LOOKED_UP = 1_000;

export interface UsersWanted {
  matches: readonly UserMatch[];
  /** Users must match all of them as well. */
  combinations?: readonly UserCombination[];
  /** Undefined for newest first, or by name if a name is searched for. */
  sort?: "userName" | "displayName" | "lastSignIn";
}

/**
 * Searches users.
 * @param organizationId undefined for all organizations
 */
export function searchUsersOf(
  ctx: Context,
  organizationId: string | undefined,
  wanted: UsersWanted,
): PagedList<ListedUser> {
  const search = searchFor(organizationId, wanted);
  const byName = search.words.length > 0 || search.names.some(({ match }) => match === "equals" || match === "starts");
  const isNewestFirst = search.sort === undefined && !byName;
  const prepared = once(async () => {
    const narrowed = await narrow(ctx, search);
    const text = textIn(wanted);
    const front: Front = text ? await findFront(ctx.db, narrowed, text) : [];
    return { narrowed, front };
  });
  return {
    cursor: ["string", "string"],
    async page({ ascending, ...page }) {
      const { narrowed, front } = await prepared();
      const descending = ascending === undefined ? isNewestFirst : !ascending;
      if (front.length > 0) return searchAfter(ctx.db, narrowed, front, { ...page, descending });
      return searchUsers(ctx.db, narrowed, { ...page, descending });
    },
    async count() {
      const { narrowed, front } = await prepared();
      return front.length > 0 ? countAfter(ctx.db, narrowed, front) : count(ctx, narrowed);
    },
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Digits with the usual separators, at least four. */
const PHONE_NUMBER = /^\+?(?:[\s()/.-]*\d){4,}[\s()/.-]*$/;

/** Returns the searched text, whose owner is listed first; undefined if the search has none or several. */
function textIn({ matches }: UsersWanted): WholeText | undefined {
  const [text, ...others] = matches.flatMap((match) => match.text?.trim() || []);
  if (text === undefined || others.length > 0) return undefined;
  const digits = PHONE_NUMBER.test(text) ? text.replace(/\D/g, "") : undefined;
  return { id: text, name: comparableLoginName(text), beginning: comparable(text), digits };
}

/**
 * Looks up exactly given names first. A scan examines only a limited number of users and could miss one of a few names
 * among a million users.
 */
async function narrow(ctx: Context, search: UserSearch): Promise<UserSearch> {
  const lookups = lookupsOf({ all: search.filters ?? [] });
  if (lookups === undefined || search.ids) return search;
  const ids = await lookUpUsers(ctx.db, { lookups, organizationId: search.organizationId }, MAX_LOOKED_UP);
  return ids.length < MAX_LOOKED_UP ? { ...search, ids } : search;
}

/** Returns lookups that find every matching user; undefined if no index finds them all. */
function lookupsOf(filter: UserFilter): Lookup[] | undefined {
  if ("any" in filter) {
    const each = filter.any.map(lookupsOf);
    return each.includes(undefined) ? undefined : each.flatMap((lookups) => lookups ?? []);
  }
  if ("all" in filter) return filter.all.map(lookupsOf).find((lookups) => lookups !== undefined);
  if ("name" in filter && filter.name.match === "equals") {
    return [{ column: filter.name.key, values: [filter.name.text] }];
  }
  if ("oneOf" in filter && (filter.oneOf === "id" || filter.oneOf === "emailKey")) {
    return [{ column: filter.oneOf, values: filter.values }];
  }
  return undefined;
}

/**
 * Counting ten thousand users takes longer than reading a page, so large counts are cached briefly. Only counts of
 * whole kinds and states are cached: they become smaller only if a user is removed or gets another state. Other counts
 * depend on every profile.
 */
const userCounts = createCache<number>("userCounts");

async function count(ctx: Context, search: UserSearch): Promise<number> {
  const { names, words, filters = [], ids, sort } = search;
  if (names.length + words.length + filters.length > 0 || ids || sort) return countFound(ctx.db, search);
  let found = 0;
  const crowd = await userCounts.get(ctx, JSON.stringify(search), async () => {
    found = await countFound(ctx.db, search);
    return found < LOOKED_AT ? undefined : found;
  });
  return crowd ?? found;
}

function searchFor(organizationId: string | undefined, { matches, combinations = [], sort }: UsersWanted): UserSearch {
  const organizations = new Set(matches.flatMap((match) => match.organizationId ?? []));
  if (organizationId !== undefined) organizations.add(organizationId);
  const texts = matches.flatMap(({ text }) => (text === undefined ? [] : [searchWordsOf(text)]));
  // No user belongs to two organizations or matches a text without words.
  const nobody = organizations.size > 1 || texts.some((words) => words.length === 0);
  return {
    organizationId: [...organizations][0],
    kinds: SEARCHABLE_KINDS.filter((one) => matches.every(({ kind = one }) => kind === one)),
    states: SEARCHABLE_STATES.filter((one) => matches.every(({ state = one }) => state === one)),
    ids: nobody ? [] : inAll(matches.flatMap(({ ids }) => (ids ? [ids] : []))),
    names: matches.flatMap(namesOf),
    words: texts.flat().slice(0, MAX_WORDS),
    filters: combinations.map(filterOf),
    sort: sort === "lastSignIn" ? sort : sort && `${sort}Key`,
  };
}

function filterOf(combination: UserCombination): UserFilter {
  if ("any" in combination) return { any: combination.any.map(filterOf) };
  if ("all" in combination) return { all: combination.all.map(filterOf) };
  if ("not" in combination) return { not: filterOf(combination.not) };
  if ("emails" in combination) return { oneOf: "emailKey", values: combination.emails.map(comparableLoginName) };
  if ("column" in combination) return { column: combination.column, ...combination.wanted };
  if ("signedInBefore" in combination) {
    return { signedIn: "before", at: new Date(combination.signedInBefore).toISOString() };
  }
  if ("signedIn" in combination || "hasSecondFactor" in combination || "isInvited" in combination) return combination;
  if ("metadata" in combination) return combination;
  const { match } = combination;
  return {
    all: [
      ...namesOf(match).map((name) => ({ name })),
      ...(match.ids ? [{ oneOf: "id" as const, values: match.ids }] : []),
      ...(match.kind ? [{ oneOf: "kind" as const, values: [match.kind] }] : []),
      ...(match.state ? [{ oneOf: "state" as const, values: [match.state] }] : []),
      ...(match.organizationId ? [{ oneOf: "organizationId" as const, values: [match.organizationId] }] : []),
    ],
  };
}

function namesOf({ userName, loginName, displayName, email }: UserMatch): NameCondition[] {
  return [
    ...(userName ? [nameOf("userNameKey", "userName", userName)] : []),
    ...(loginName ? [nameOf("loginNameKey", undefined, loginName)] : []),
    ...(displayName ? [nameOf("displayNameKey", "displayName", displayName)] : []),
    ...(email ? [nameOf("emailKey", "email", email)] : []),
  ];
}

function nameOf(
  key: NameKey,
  column: "userName" | "displayName" | "email" | undefined,
  { match, ignoreCase, text }: TextWanted,
): NameCondition {
  const whole = match === "equals" && key !== "displayNameKey";
  return {
    key,
    match,
    text: whole ? comparableLoginName(text) : comparable(text),
    ...(!ignoreCase && column && { exactly: { column, text } }),
  };
}

/** Returns the ids that are in every list; undefined if there is no list, which matches all users. */
function inAll([first, ...rest]: (readonly string[])[]): readonly string[] | undefined {
  return first?.filter((id) => rest.every((ids) => ids.includes(id)));
}
