import { describe, expect, it } from "vitest";
import type { TokenClient } from "./client";
import type { TargetProject } from "./project-scope";
import { reservedClaims, reservedWish } from "./reserved-claims";
import { accessTokenFlatRoles, ownFlatRoles, sharedFlatRoles, whyNoRolesClaim } from "./roles-claim";

const app = { clientId: "web", projectId: "p1", organizationId: "acme", rolesClaim: "roles" } as TokenClient;
const machine = { clientId: "ci", projectId: undefined, organizationId: "acme" } as TokenClient;
const p2: TargetProject = {
  id: "p2",
  name: "P2",
  organizationId: "acme",
  isActive: true,
  scopes: [],
  rolesClaim: "groups",
};

describe("the claim with a flat list of roles", () => {
  it("may not have a registered name", () => {
    const free = ["roles", "groups", "entitlements", "https://acme.test/roles", "cognito:groups", "acme_roles", "r"];
    expect(free.filter((name) => whyNoRolesClaim(name) !== undefined)).toEqual([]);
    const taken = [
      "sub",
      "Sub",
      "aud",
      "iss",
      "exp",
      "scope",
      "email",
      "name",
      "act",
      "cnf",
      "active",
      "username",
      "txn",
    ];
    const reserved = ["urn:service:iam:org:project:roles", "URN:x", "urn:zitadel:iam:org:project:roles"];
    const malformed = ["", "_x", "1roles", "a b", "ä", "__proto__", "a\n", `r${"x".repeat(100)}`, 'a"'];
    expect([...taken, ...reserved, ...malformed].filter((name) => whyNoRolesClaim(name) === undefined)).toEqual([]);
  });

  it("is included only where another project's roles cannot be mistaken for one's own", () => {
    const own = { projectId: "p1", claim: "roles" };
    expect(ownFlatRoles(app)).toEqual(own);
    expect(ownFlatRoles({ ...app, rolesClaim: undefined })).toBeUndefined();
    expect(ownFlatRoles(machine)).toBeUndefined();
    const cells: [string, unknown, unknown][] = [
      ["an app's token for its own project", sharedFlatRoles(app, ["web", "p1"]), own],
      ["an app's for its project and the management APIs", sharedFlatRoles(app, ["web", "p1", "service"]), own],
      ["an app's for its project and another", sharedFlatRoles(app, ["web", "p1", "p2"]), undefined],
      ["an app's JWT for both projects", accessTokenFlatRoles(app, ["web", "p1", "p2"], [p2]), undefined],
      ["an app's JWT for itself", accessTokenFlatRoles(app, ["web", "p1"], []), own],
      [
        "a machine's for one project",
        accessTokenFlatRoles(machine, ["ci", "p2"], [p2]),
        { projectId: "p2", claim: "groups" },
      ],
      ["a machine's for two", accessTokenFlatRoles(machine, ["ci", "p2", "p3"], [p2, { ...p2, id: "p3" }]), undefined],
      ["a machine's for none", accessTokenFlatRoles(machine, ["ci"], []), undefined],
      [
        "a machine's for another organization's project",
        accessTokenFlatRoles(machine, ["ci", "p2"], [{ ...p2, organizationId: "globex" }]),
        undefined,
      ],
      ["a machine's for one and another app", accessTokenFlatRoles(machine, ["ci", "p2", "web"], [p2]), undefined],
    ];
    expect(cells.filter(([, found, wanted]) => JSON.stringify(found) !== JSON.stringify(wanted))).toEqual([]);
  });

  it("contains the roles that scopes name, or all of them, and may be an empty list", () => {
    const about = {
      organizationId: "acme",
      projectId: "p1",
      audience: ["web", "p1", "p2"],
      roles: "never" as const,
      flatRoles: { projectId: "p1", claim: "roles" },
    };
    const of = (projectId: string, organizationId: string, roleKeys: string[]) => {
      return { projectId, organizationId, primaryDomain: null, roleKeys };
    };
    const roles = [of("p1", "acme", ["admin", "reader"]), of("p2", "acme", ["owner"]), of("p1", "globex", ["guest"])];
    const claims = (scopes: string[], source = roles) =>
      reservedClaims(reservedWish(scopes, about), { roles: source }, "p1");
    expect(claims(["openid"])).toEqual({ roles: ["admin", "reader", "guest"] });
    expect(claims(["openid", "urn:service:iam:org:roles:id:acme"])).toEqual({ roles: ["admin", "reader"] });
    expect(claims(["urn:service:iam:org:project:role:reader"])).toEqual({ roles: ["reader"] });
    expect(claims(["openid"], [])).toEqual({ roles: [] });
  });
});
