import { describe, expect, it } from "vitest";
import { eventQuery, filtersOf } from "./event";

describe("what the audit log is asked for", () => {
  it("is what stands in the address and was not left empty", () => {
    expect(filtersOf({ type: " user ", actor: "", page: "x", from: "2026-11-01" })).toEqual({
      type: "user",
      from: "2026-11-01",
    });
  });

  it("names whole days, and leaves out what is no day", () => {
    expect(eventQuery({ type: "user", object: "u1", actor: "u2", from: "2026-11-01", to: "2026-11-02" })).toEqual({
      eventTypes: ["user"],
      aggregateId: "u1",
      actorId: "u2",
      from: "2026-11-01T00:00:00.000Z",
      to: "2026-11-02T23:59:59.999Z",
    });
    expect(eventQuery({ from: "yesterday" })).toEqual({});
  });
});
