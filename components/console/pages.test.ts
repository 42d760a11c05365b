import { describe, expect, it } from "vitest";
import type { Permission } from "../../server/directory/member/permissions";
import { AREAS } from "./navigation";
import { organizationInPath, PAGES, pageAddress, pagesFor } from "./pages";

const held = (...permissions: Permission[]) => new Set(permissions);
const nothing = held();

describe("the pages of the console", () => {
  it("have an address and a name each of their own", () => {
    const addresses = PAGES.map(({ page }) => pageAddress(page, "o1"));
    expect(new Set(addresses).size).toBe(PAGES.length);
    expect(new Set(PAGES.map(({ page }) => page)).size).toBe(PAGES.length);
  });

  it("stand in one area each, of which there are nine at most with that of the whole service", () => {
    const ofAreas = AREAS.flatMap(({ pages }) => pages);
    const wanted = PAGES.filter(({ group }) => group !== "instance").map(({ page }) => page);
    expect([...ofAreas].sort()).toEqual([...wanted].sort());
    expect(AREAS.length + 1).toBeLessThanOrEqual(9);
  });

  it("are none for somebody without a role", () => {
    expect(pagesFor({ home: nothing, organization: nothing, instance: nothing })).toEqual([]);
  });

  it("are those of the level a permission is held at", () => {
    const ofOrganization = pagesFor({ home: held("policy.read"), organization: held("user.read"), instance: nothing });
    expect(ofOrganization).toEqual(["overview", "users", "machines", "attempts"]);
    const ofInstance = pagesFor({ home: nothing, organization: nothing, instance: held("user.read") });
    expect(ofInstance).toEqual(["everybody", "instance_attempts"]);
  });

  it("are, of what is held in single projects, those that show each project what may be seen of it", () => {
    const none = { home: nothing, organization: nothing, instance: nothing };
    const inProjects = held("project.read", "project.app.read", "policy.read", "user.grant.read");
    expect(pagesFor(none, inProjects)).toEqual(["overview", "apps", "projects", "playground"]);
  });
});

describe("the organization of an address", () => {
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
