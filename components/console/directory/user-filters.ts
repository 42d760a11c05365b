// What a list of people is narrowed to and sorted by: parameters of its address, so that a view can be kept as a link.
import { upperCase } from "../list";
import { USER_STATES } from "./user";

/** `invited`: active, but the invitation was not accepted yet. */
export const STATE_FILTERS = [...USER_STATES, "invited"] as const;
export const SIGN_IN_FILTERS = ["never", "dormant"] as const;
export const FACTOR_FILTERS = ["none", "some"] as const;
const SORTS = {
  name: "USER_FIELD_NAME_DISPLAY_NAME",
  signedIn: "USER_FIELD_NAME_LAST_SIGN_IN_DATE",
  created: "USER_FIELD_NAME_CREATION_DATE",
} as const;
export type SortColumn = keyof typeof SORTS;
export const ORDERS = ["asc", "desc"] as const;

/** What is left out does not narrow. */
export interface UserFilters {
  q?: string;
  state?: (typeof STATE_FILTERS)[number];
  signedIn?: (typeof SIGN_IN_FILTERS)[number];
  factors?: (typeof FACTOR_FILTERS)[number];
  sort?: SortColumn;
  order?: (typeof ORDERS)[number];
}

const DORMANT_AFTER = 90 * 24 * 60 * 60_000;

type Search = Readonly<Record<string, string | undefined>>;
const among = <Value extends string>(values: readonly Value[], given: string | undefined): Value | undefined =>
  values.find((value) => value === given);

/** What nobody can choose in the form, but type into an address, does not filter. */
export function userFilters({ q, state, signedIn, factors, sort, order }: Search): UserFilters {
  const given: UserFilters = {
    q: q?.trim() || undefined,
    state: among(STATE_FILTERS, state),
    signedIn: among(SIGN_IN_FILTERS, signedIn),
    factors: among(FACTOR_FILTERS, factors),
    sort: among(Object.keys(SORTS) as SortColumn[], sort),
    order: among(ORDERS, order),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The filters as parameters of an address, always in the same order. */
export const queryOf = ({
  q,
  state,
  signedIn,
  factors,
  sort,
  order,
}: UserFilters): Record<string, string | undefined> => ({
  q,
  state,
  signedIn,
  factors,
  sort,
  order,
});

/** The queries of a search for people. @param now epoch milliseconds */
export function peopleQueries({ q, state, signedIn, factors }: UserFilters, now: number) {
  return [
    { typeQuery: { type: "TYPE_HUMAN" as const } },
    q !== undefined && { textQuery: { text: q } },
    state !== undefined &&
      (state === "invited"
        ? { invitationQuery: { isPending: true } }
        : { stateQuery: { state: `USER_STATE_${upperCase(state)}` as const } }),
    signedIn !== undefined && {
      lastSignInQuery:
        signedIn === "never" ? { never: true as const } : { before: new Date(now - DORMANT_AFTER).toISOString() },
    },
    factors !== undefined && { secondFactorQuery: { hasSecondFactor: factors === "some" } },
  ] as const;
}

/** A search goes by match, unless an order is chosen. */
export function orderOf({ sort, order }: UserFilters) {
  if (sort === undefined) return {};
  return { sortingColumn: SORTS[sort], asc: (order ?? firstOrder(sort)) === "asc" };
}

/** Names begin with A, times with the latest. */
const firstOrder = (sort: SortColumn) => (sort === "name" ? "asc" : "desc");

/** What the header of a column shows and leads to: the other direction, where the list goes by it already. */
export function sorting(filters: UserFilters, column: SortColumn) {
  const isSorted = filters.sort === column;
  const order = filters.order ?? firstOrder(column);
  const next = isSorted ? (order === "asc" ? "desc" : "asc") : firstOrder(column);
  return {
    sorted: isSorted ? ({ asc: "ascending", desc: "descending" } as const)[order] : undefined,
    filters: { ...filters, sort: column, order: next } as UserFilters,
  };
}

/** The views that everybody has. */
export const BUILT_IN_VIEWS = {
  all: {},
  invited: { state: "invited" },
  neverSignedIn: { signedIn: "never" },
  withoutFactor: { factors: "none" },
  locked: { state: "locked" },
} as const satisfies Record<string, UserFilters>;
