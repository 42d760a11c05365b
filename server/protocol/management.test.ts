import { describe, expect, it } from "vitest";
import { asksToManage, manageableAudience, manageableScope, serviceAudience } from "./management";
import { ownManagementScope as managementScope } from "./scope";

describe("the audience of the management APIs (rule TRUST-2)", () => {
  const scope = ["openid", managementScope, "urn:service:iam:org:project:id:p1:aud"];

  it("is kept for a client that may manage", () => {
    expect(manageableScope(scope, { mayManage: true })).toEqual(scope);
    expect(manageableAudience(["web", serviceAudience], { mayManage: true })).toEqual(["web", serviceAudience]);
  });

  it("is dropped for any other client, without anything else", () => {
    const left = manageableScope(scope, { mayManage: false });
    expect(left).toEqual(["openid", "urn:service:iam:org:project:id:p1:aud"]);
    expect(asksToManage(left)).toBe(false);
    expect(manageableAudience(["web", serviceAudience, "p1"], { mayManage: false })).toEqual(["web", "p1"]);
  });

  it("drops the scope under each of its names", () => {
    for (const name of [
      "service:iam:org:project:id:service",
      "zitadel:iam:org:project:id:zitadel",
      "zitadel:iam:org:project:id:service",
    ]) {
      expect(asksToManage([`urn:${name}:aud`])).toBe(true);
      expect(manageableScope([`urn:${name}:aud`], { mayManage: false })).toEqual([]);
    }
  });
});
