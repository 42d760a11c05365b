import { describe, expect, it } from "vitest";
import { operations } from "../../server/api/all";
import { repositorySources } from "../../server/testing/repository";
import { addressOf, parametersIn } from "./declared";
import * as declared from "./generated/operations";

const project = declared.GetProjectByID;

describe("the address of an operation", () => {
  it("is the declared one with its parameters, which lead nowhere else", () => {
    expect(addressOf(project, { projectId: "../orgs/me?x#y" })).toBe("/management/v1/projects/..%2Forgs%2Fme%3Fx%23y");
    expect(addressOf(project, {})).toBe("/management/v1/projects/");
    expect(parametersIn(declared.RemoveAppSecret)).toEqual(["projectId", "appId", "secretId"]);
  });

  it("says in its query what was given", () => {
    const { ExportEvents } = declared;
    expect(addressOf(ExportEvents, undefined, { format: "csv", eventTypes: undefined, actorId: "" })).toBe(
      "/management/v1/events/_export?format=csv",
    );
    expect(addressOf(ExportEvents)).toBe("/management/v1/events/_export");
  });

  it("is the one under which the service answers", () => {
    const served = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    const types = new Set(operations.flatMap(({ variant }) => variant?.value ?? []));
    for (const { method, path } of Object.values(declared)) {
      const all = /\/:type(\/|$)/.test(path) ? [...types].map((type) => path.replace(":type", type)) : [path];
      for (const one of all) expect(served).toContain(`${method} ${one}`);
    }
  });
});

/** What is known of them without their declaration. */
const BY_HAND = /["'`]\/?(?:(?:admin|management|assets)\/v1|v2|v2beta)\//;
/** Files that still write addresses. None is added. */
const WRITING: readonly string[] = [
  "app/console/administrators/page.tsx",
  "app/console/organizations/[organization]/members/page.tsx",
  "components/console/apps/app-page.tsx",
  "components/console/directory/domain-page.tsx",
  "components/console/directory/domain-table.tsx",
  "components/console/directory/grant-parts.tsx",
  "components/console/directory/machine-keys.tsx",
  "components/console/directory/machine-list.tsx",
  "components/console/directory/machine-view.tsx",
  "components/console/directory/new-user-page.tsx",
  "components/console/directory/organization-list.tsx",
  "components/console/directory/organization-page.tsx",
  "components/console/directory/profile-view.tsx",
  "components/console/directory/security-view.tsx",
  "components/console/directory/sessions-view.tsx",
  "components/console/directory/user-page.tsx",
  "components/console/operation.ts",
  "components/console/operations/key-list.tsx",
  "components/console/operations/session-list.tsx",
  "components/console/playground/playground.tsx",
  "components/console/projects/grant-table.tsx",
  "components/console/projects/project-list.tsx",
  "components/console/projects/project.ts",
  "components/console/settings/features-page.tsx",
  "components/console/settings/mail-settings-page.tsx",
];

describe("the console", () => {
  it("writes no address of an operation by hand", () => {
    const writing = [...repositorySources()].flatMap(([path, text]) =>
      /^(?:components|app|server)\/console\//.test(path) && !/\.test\.tsx?$/.test(path) && BY_HAND.test(text)
        ? [path]
        : [],
    );
    expect(writing).toEqual(WRITING);
  });
});
