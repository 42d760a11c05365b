import { describe, expect, it } from "vitest";
import { announced, droppedFrom, PEOPLE, readAnnounced } from "./announced";

describe("names of changes between processes", () => {
  it("are read as they were announced, once each, without changes that drop nothing", () => {
    const app = { type: "app.changed", aggregateId: "a" } as const;
    const policy = { type: "policy.set", aggregateId: "acme login" } as const;
    const user = { type: "user.added", aggregateId: "u" } as const;
    expect(announced([user])).toEqual([]);
    expect(readAnnounced(announced([app, user, policy, app]))).toEqual([app, policy]);
  });

  it("mean everything if there are none, or one of an event that this release does not know", () => {
    expect(readAnnounced(undefined)).toBeUndefined();
    for (const unknown of ["app.reborn a", "app.changed", "toString a", "", " "]) {
      expect(readAnnounced(["app.changed a", unknown]), unknown).toBeUndefined();
    }
  });

  it("drop an object's entries, those that depend on people, or the whole cache, and of other caches nothing", () => {
    const app = { type: "app.changed", aggregateId: "a" } as const;
    const member = { type: "organization.member.added", aggregateId: "o" } as const;
    expect(droppedFrom("clients", [app, member])).toEqual(new Set(["a"]));
    expect(droppedFrom("pageWords", [app, member])).toEqual(new Set([PEOPLE]));
    expect(droppedFrom("origins", [member, app])).toBe("all");
    expect(droppedFrom("policies", [app, member])).toBeUndefined();
  });
});
