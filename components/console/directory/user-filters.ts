// The filters and the order of a list of users, as parameters of its address, so that a view can be linked.
import { upperCase } from "../calls/list";
import { USER_STATES } from "./user";

/** The states. `invited`: active, but the invitation is not accepted yet. */
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

/** The filters; an omitted one does not filter. */
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

/** Reads the filters. Values that the form does not offer, typed into the address, do not filter. */
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

/** Returns the filters as parameters of an address, always in the same order. */
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

/**
 * Returns the queries of a search for users.
 * @param now epoch milliseconds
 */
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

/** Returns the order. Search results are ordered by match, unless an order is chosen. */
export function orderOf({ sort, order }: UserFilters) {
  if (sort === undefined) return {};
  return { sortingColumn: SORTS[sort], asc: (order ?? firstOrder(sort)) === "asc" };
}

/** Returns the default direction: names ascending, times from the latest. */
const firstOrder = (sort: SortColumn) => (sort === "name" ? "asc" : "desc");

/**
 * Returns the state and the link of a column header: the opposite direction if the list is already sorted by the
 * column.
 */
export function sorting(filters: UserFilters, column: SortColumn) {
  const isSorted = filters.sort === column;
  const order = filters.order ?? firstOrder(column);
  const next = isSorted ? (order === "asc" ? "desc" : "asc") : firstOrder(column);
  return {
    sorted: isSorted ? ({ asc: "ascending", desc: "descending" } as const)[order] : undefined,
    filters: { ...filters, sort: column, order: next } as UserFilters,
  };
}

/** The built-in views. */
export const BUILT_IN_VIEWS = {
  all: {},
  invited: { state: "invited" },
  neverSignedIn: { signedIn: "never" },
  withoutFactor: { factors: "none" },
  locked: { state: "locked" },
} as const satisfies Record<string, UserFilters>;
