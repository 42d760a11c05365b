/** Searching people and machines by names, words, kind and state. */
import type { Context } from "../../context";
import { countFound, LOOKED_AT, searchUsers } from "../../storage/user-search";
import { KINDS, type NameCondition, type NameKey, STATES, type UserSearch } from "../../storage/user-search-walk";
import { createCache } from "../cache";
import type { PagedList, TextWanted } from "../listing";
import { comparable, comparableLoginName } from "../names";
import type { ListedUser } from "./list";
import { wordsOf } from "./search-terms";

/** Further words are ignored, as they hardly narrow the search. */
const MAX_WORDS = 6;

/** What a user must be to be found; all that is given. */
export interface UserMatch {
  userName?: TextWanted;
  /** Compared without regard to case, whatever is asked for. */
  loginName?: TextWanted;
  displayName?: TextWanted;
  email?: TextWanted;
  kind?: (typeof KINDS)[number];
  state?: (typeof STATES)[number];
  ids?: readonly string[];
  organizationId?: string;
  /** As in a search box: each word must begin a word of the names, e-mail address or phone number. */
  text?: string;
}

export interface UsersWanted {
  matches: readonly UserMatch[];
  /** Undefined: newest first, or by name if a name is searched for. */
  sort?: "userName" | "displayName";
}

/** @param organizationId undefined: all organizations */
export function searchUsersOf(
  ctx: Context,
  organizationId: string | undefined,
  wanted: UsersWanted,
): PagedList<ListedUser> {
  const search = searchFor(organizationId, wanted);
  const byName = search.words.length > 0 || search.names.some(({ match }) => match === "equals" || match === "starts");
  const isNewestFirst = search.sort === undefined && !byName;
  return {
    places: ["string", "string"],
    page: ({ ascending, ...page }) =>
      searchUsers(ctx.db, search, { ...page, descending: ascending === undefined ? isNewestFirst : !ascending }),
    count: () => count(ctx, search),
  };
}

/** Counting ten thousand users takes longer than reading a page, so large counts are cached briefly. */
const userCounts = createCache<number>();

async function count(ctx: Context, search: UserSearch): Promise<number> {
  let found = 0;
  const crowd = await userCounts.get(ctx, JSON.stringify(search), async () => {
    found = await countFound(ctx.db, search);
    return found < LOOKED_AT ? undefined : found;
  });
  return crowd ?? found;
}

function searchFor(organizationId: string | undefined, { matches, sort }: UsersWanted): UserSearch {
  const organizations = new Set(matches.flatMap((match) => match.organizationId ?? []));
  if (organizationId !== undefined) organizations.add(organizationId);
  const texts = matches.flatMap(({ text }) => (text === undefined ? [] : [wordsOf(text)]));
  // Nobody belongs to two organizations, and nobody is found by a text without words.
  const nobody = organizations.size > 1 || texts.some((words) => words.length === 0);
  return {
    organizationId: [...organizations][0],
    kinds: KINDS.filter((one) => matches.every(({ kind = one }) => kind === one)),
    states: STATES.filter((one) => matches.every(({ state = one }) => state === one)),
    ids: nobody ? [] : inAll(matches.flatMap(({ ids }) => (ids ? [ids] : []))),
    names: matches.flatMap(namesOf),
    words: texts.flat().slice(0, MAX_WORDS),
    sort: sort && `${sort}Key`,
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

/** The ids that are in every list; undefined if there is no list, which means anybody. */
function inAll([first, ...rest]: (readonly string[])[]): readonly string[] | undefined {
  return first?.filter((id) => rest.every((ids) => ids.includes(id)));
}
