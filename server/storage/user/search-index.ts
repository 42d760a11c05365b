/** Chooses the index that a search for users walks along: the most selective one. */
import type { NameCondition, NameKey, UserFilter } from "./search-filter";

export const SEARCHABLE_KINDS = ["human", "machine"] as const;
export const SEARCHABLE_STATES = ["active", "inactive", "locked"] as const;
export type Kind = (typeof SEARCHABLE_KINDS)[number];
export type State = (typeof SEARCHABLE_STATES)[number];

/** A search for users; all conditions must be met. */
export interface UserSearch {
  /** Undefined for all organizations. */
  organizationId: string | undefined;
  kinds: readonly Kind[];
  states: readonly State[];
  ids?: readonly string[];
  /** A few users to leave out. */
  except?: readonly string[];
  names: readonly NameCondition[];
  /** Prefixes of words. */
  words: readonly string[];
  /** Further conditions, which no index decides. */
  filters?: readonly UserFilter[];
  /** Undefined: by the searched column, otherwise by id, which is the order of creation. */
  sort: "userNameKey" | "displayNameKey" | "lastSignIn" | undefined;
}

export type Walk =
  /** One walk per kind and state; their results are merged. */
  | { by: "id"; kind: Kind; state: State }
  | { by: "word"; begins: string }
  /** All users who ever signed in. */
  | { by: "at" }
  /** All users who never signed in, because `equals` is empty. */
  | { by: "lastSignIn"; equals: "" }
  | { by: NameKey; equals?: string; begins?: string };

const NEVER_SIGNED_IN: Walk = { by: "lastSignIn", equals: "" };

export function walksOf(search: UserSearch): Walk[] {
  const { kinds, states, names, words, sort, organizationId, filters = [] } = search;
  const [longest] = [...words].sort((a, b) => b.length - a.length);
  if (longest !== undefined) return [{ by: "word", begins: longest }];
  const walks = names.flatMap((name) => walkTo(name, organizationId !== undefined) ?? []);
  const [best] = walks.filter(({ by }) => sort === undefined || by === sort).sort((a, b) => rank(a) - rank(b));
  if (best) return [best];
  const isNever = filters.some((filter) => "signedIn" in filter && filter.signedIn === "never");
  if (isNever && (sort === undefined || sort === "lastSignIn")) return [NEVER_SIGNED_IN];
  if (sort === "lastSignIn") return [NEVER_SIGNED_IN, { by: "at" }];
  if (sort) return [{ by: sort }];
  return kinds.flatMap((kind) => states.map((state) => ({ by: "id" as const, kind, state })));
}

type NameWalk = { by: NameKey; equals?: string; begins?: string };

/** The walk along a name's index; undefined if the condition does not narrow it. */
function walkTo({ key: by, match, text }: NameCondition, inOrganization: boolean): NameWalk | undefined {
  if (match === "equals") return { by, equals: text };
  if (match !== "starts" || text === "") return undefined;
  // Login names have no index per organization, but begin with the user name.
  if (by === "loginNameKey" && inOrganization) return { by: "userNameKey", begins: text.replace(/@.*/s, "") };
  return { by, begins: text };
}

/** Exact names before prefixes, longer prefixes before shorter ones. */
function rank({ equals, begins = "" }: NameWalk): number {
  return equals !== undefined ? -1_000 : -begins.length;
}
