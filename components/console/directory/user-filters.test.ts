import { describe, expect, it } from "vitest";
import { orderOf, peopleQueries, sorting, userFilters } from "./user-filters";

describe("Filters of the list of users", () => {
  it("are read from the address, and values that the form does not offer are ignored", () => {
    const search = {
      q: " ada ",
      state: "invited",
      signedIn: "x",
      factors: "none",
      sort: "email",
      order: "desc",
      page: "2",
    };
    expect(userFilters(search)).toEqual({ q: "ada", state: "invited", factors: "none", order: "desc" });
  });

  it("become queries of the API", () => {
    const filters = { q: "ada", state: "invited", signedIn: "never", factors: "none" } as const;
    expect(peopleQueries(filters, 0).filter(Boolean)).toEqual([
      { typeQuery: { type: "TYPE_HUMAN" } },
      { textQuery: { text: "ada" } },
      { invitationQuery: { isPending: true } },
      { lastSignInQuery: { never: true } },
      { secondFactorQuery: { hasSecondFactor: false } },
    ]);
    const now = Date.parse("2026-06-01T00:00:00.000Z");
    expect(peopleQueries({ state: "locked", signedIn: "dormant" }, now).filter(Boolean).slice(1)).toEqual([
      { stateQuery: { state: "USER_STATE_LOCKED" } },
      { lastSignInQuery: { before: "2026-03-03T00:00:00.000Z" } },
    ]);
  });

  it("sort by a column, first in its usual direction, then in the other", () => {
    expect(sorting({}, "signedIn")).toEqual({ sorted: undefined, filters: { sort: "signedIn", order: "desc" } });
    const byName = { sort: "name" } as const;
    expect(sorting(byName, "name")).toEqual({ sorted: "ascending", filters: { sort: "name", order: "desc" } });
    expect(orderOf(byName)).toEqual({ sortingColumn: "USER_FIELD_NAME_DISPLAY_NAME", asc: true });
    expect(orderOf({})).toEqual({});
  });
});
