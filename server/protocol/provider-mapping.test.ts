import { describe, expect, it } from "vitest";
import { mappedGrants, textsOfClaim } from "./provider-mapping";

describe("mapping of claims", () => {
  it.each([
    [{ groups: ["a", "b"] }, "groups", ["a", "b"]],
    [{ realm_access: { roles: ["a"] } }, "realm_access.roles", ["a"]],
    [{ "https://acme.test/roles": "a" }, "https://acme.test/roles", ["a"]],
    [{ n: 3, nested: { yes: true } }, "nested.yes", ["true"]],
    [{ groups: [{ name: "a" }, null, "b"] }, "groups", ["b"]],
    [{}, "constructor.name", []],
    [{ a: "text" }, "a.length", []],
  ])("reads %o at %s", (claims, path, texts) => expect(textsOfClaim(claims, path)).toEqual(texts));

  it("joins the roles of all rules that apply, by project", () => {
    const rule = (value: string, projectId: string, ...roleKeys: string[]) => {
      return { claim: "groups", value, projectId, roleKeys };
    };
    const roles = [rule("a", "p", "x"), rule("b", "p", "x", "y"), rule("c", "p", "z"), rule("a", "q", "x")];
    expect(mappedGrants({ roles }, { groups: ["a", "b"] })).toEqual([
      { projectId: "p", roleKeys: ["x", "y"] },
      { projectId: "q", roleKeys: ["x"] },
    ]);
  });
});
