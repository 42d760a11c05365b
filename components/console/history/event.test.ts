import { describe, expect, it } from "vitest";
import { eventQuery, filtersOf } from "./event";

const NOW = Date.parse("2026-11-08T12:00:00Z");

describe("A search of the audit log", () => {
  it("uses the non-empty parameters of the address", () => {
    expect(filtersOf({ type: " user ", actor: "", page: "x", from: "2026-11-01" })).toEqual({
      type: "user",
      from: "2026-11-01",
    });
    expect(filtersOf({ zone: "Europe/Berlin" })).toEqual({}); // the form sends the zone with every search
  });

  it("covers whole days in the zone in which they were chosen, and ignores invalid days", () => {
    const days = { from: "2026-11-01", to: "2026-11-02", zone: "Asia/Kolkata", when: "hour" };
    expect(eventQuery({ type: "user", object: "u1", actor: "u2", organization: "o1", ...days }, NOW)).toEqual({
      eventTypes: ["user"],
      aggregateId: "u1",
      actorId: "u2",
      organizationId: "o1",
      from: "2026-10-31T18:30:00.000Z",
      to: "2026-11-02T18:29:59.999Z",
    });
    expect(eventQuery({ from: "yesterday", when: "for ever" }, NOW)).toEqual({});
  });

  it("starts a preset period relative to now, and includes all types of a group", () => {
    expect(eventQuery({ type: "policies", when: "week" }, NOW)).toEqual({
      eventTypes: ["policy"],
      from: "2026-11-01T12:00:00.000Z",
    });
  });
});
