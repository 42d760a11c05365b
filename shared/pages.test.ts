import { describe, expect, it } from "vitest";
import { AREAS } from "../components/console/shell/navigation";
import type { Permission } from "../server/directory/member/permissions";
import { organizationInPath, PAGES, pageAddress, pagesFor } from "./pages";

const held = (...permissions: Permission[]) => new Set(permissions);
const nothing = held();

describe("The pages of the console", () => {
  it("have unique addresses and names", () => {
    const addresses = PAGES.map(({ page }) => pageAddress(page, "o1"));
    expect(new Set(addresses).size).toBe(PAGES.length);
    expect(new Set(PAGES.map(({ page }) => page)).size).toBe(PAGES.length);
  });

  it("belong to one area each, and there are at most nine areas including that of the whole service", () => {
    const ofAreas = AREAS.flatMap(({ pages }) => pages);
    const wanted = PAGES.filter(({ group }) => group !== "instance").map(({ page }) => page);
    expect([...ofAreas].sort()).toEqual([...wanted].sort());
    expect(AREAS.length + 1).toBeLessThanOrEqual(9);
  });

  it("are empty for a user without a role", () => {
    expect(pagesFor({ home: nothing, organization: nothing, instance: nothing })).toEqual([]);
  });

  it("are those of the level at which the user holds the permission", () => {
    const ofOrganization = pagesFor({ home: held("policy.read"), organization: held("user.read"), instance: nothing });
    expect(ofOrganization).toEqual(["overview", "users", "machines", "attempts"]);
    const ofInstance = pagesFor({ home: nothing, organization: nothing, instance: held("user.read") });
    expect(ofInstance).toEqual(["everybody", "instance_attempts"]);
  });

  it("include pages that list projects if the user holds a permission in single projects", () => {
    const none = { home: nothing, organization: nothing, instance: nothing };
    const inProjects = held("project.read", "project.app.read", "policy.read", "user.grant.read");
    expect(pagesFor(none, inProjects)).toEqual(["overview", "apps", "projects", "playground"]);
  });
});

describe("The organization of an address", () => {
  it.each([
    ["/console/organizations/acme", "acme"],
    ["/console/organizations/a%40b/users/u1", "a@b"],
    ["/console/organizations", undefined],
    ["/console/organizations/", undefined],
    ["/console/organizations/%E0%A4%A", undefined],
    ["/console/mail", undefined],
  ])("of %s is %s", (path, id) => {
    expect(organizationInPath(path)).toBe(id);
  });
});
