import { describe, expect, it } from "vitest";
import { eventQuery, filtersOf } from "./event";

const NOW = Date.parse("2026-11-08T12:00:00Z");

describe("what the audit log is asked for", () => {
  it("is what stands in the address and was not left empty", () => {
    expect(filtersOf({ type: " user ", actor: "", page: "x", from: "2026-11-01" })).toEqual({
      type: "user",
      from: "2026-11-01",
    });
    expect(filtersOf({ zone: "Europe/Berlin" })).toEqual({}); // the form sends it with every search
  });

  it("names whole days of the zone they were chosen in, and leaves out what is no day", () => {
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

  it("counts a preset back from now, and asks for all types of a group", () => {
    expect(eventQuery({ type: "policies", when: "week" }, NOW)).toEqual({
      eventTypes: ["policy"],
      from: "2026-11-01T12:00:00.000Z",
    });
  });
});
