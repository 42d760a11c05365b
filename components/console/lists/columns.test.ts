import { describe, expect, it } from "vitest";
import { columnsCookie, toggledIn } from "./columns";

const stored = (cookie: string) => cookie.split(";")[0] ?? "";

describe("The chosen columns of lists", () => {
  it("are read from the cookie that was set, and those of other lists are kept", () => {
    const users = stored(columnsCookie("tz=UTC", "users", ["created", "email"]));
    expect(toggledIn(users, "users")).toEqual(["created", "email"]);
    const both = stored(columnsCookie(`tz=UTC; ${users}`, "apps", ["kind"]));
    expect(toggledIn(both, "users")).toEqual(["created", "email"]);
    expect(toggledIn(both, "apps")).toEqual(["kind"]);
    expect(toggledIn(stored(columnsCookie(both, "users", [])), "users")).toEqual([]);
  });

  it("are the default ones if the cookie contains anything else", () => {
    for (const value of ["", "~~~", "users.<b>", "users.a;b", `users.${"a".repeat(31)}`, "%"]) {
      expect(toggledIn(`columns=${value}`, "users"), value).toEqual([]);
    }
    expect(toggledIn("columns=users.<b>~apps.kind", "apps")).toEqual(["kind"]);
  });
});
