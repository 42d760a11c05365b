import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD, SECRET } from "../../testing/example";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const bootstrap = {
  organizations: [
    {
      ...acme,
      users: [
        ...(acme?.users ?? []),
        {
          id: "u-mia",
          userName: "mia",
          password: PASSWORD,
          profile: { firstName: "Mia", lastName: "Manager" },
        },
      ],
      projects: [
        ...(acme?.projects ?? []),
        {
          id: "p-other",
          name: "Other",
          roles: [{ roleKey: "reader" }],
          apps: [{ id: "a-other", name: "Other's", api: { clientId: "other", clientSecret: SECRET } }],
        },
      ],
    },
  ],
};

/** A role on a project counts for what is in that project (server/directory/member/permissions.ts). */
describe.each(ruleDatabases)("a user who manages one project and nothing else, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    tokens.ada = await apiToken(service);
    tokens.mia = await apiToken(service, "mia@acme.test");
    const member = { userId: "u-mia", roles: ["PROJECT_OWNER"] };
    expect((await call("POST", "/management/v1/projects/p1/members", member, "ada")).status).toBe(200);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, as = "mia") =>
    callApi(service, method, path, { token: tokens[as], body });

  it("finds that project and its apps among those of the organization, and no others", async () => {
    const projects = await call("POST", "/management/v1/projects/_search", {});
    expect(projects.body.result.map(({ id }: { id: string }) => id)).toEqual(["p1"]);
    expect(projects.body.details.totalResult).toBe("1");
    const apps = await call("POST", "/management/v1/apps/_search", {});
    const ofWhich = apps.body.result.map(({ projectId }: { projectId: string }) => projectId);
    expect(new Set(ofWhich)).toEqual(new Set(["p1"]));
    const searched = { queries: [{ nameQuery: { name: "Other", method: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" } }] };
    expect((await call("POST", "/management/v1/projects/_search", searched)).body.result).toEqual([]);
    expect((await call("POST", "/management/v1/apps/_search", searched)).body.result).toEqual([]);
    const all = await call("POST", "/management/v1/apps/_search", {}, "ada");
    expect(all.body.result.some(({ projectId }: { projectId: string }) => projectId === "p-other")).toBe(true);
  });

  it("can read the roles of its managers, and the rule that an address of one of its apps breaks", async () => {
    const roles = await call("POST", "/management/v1/projects/members/roles/_search", {});
    expect(roles.body.result).toContain("PROJECT_OWNER");
    const check = async (clientId: string) => {
      const query = new URLSearchParams({ client_id: clientId, redirect_uri: "https://wrong.test/" });
      return (await call("POST", "/v2/oidc/authorize_check", { url: `${BASE_URL}/oauth/v2/authorize?${query}` })).body;
    };
    expect(await check("web")).toMatchObject({ valid: false, rule: "redirect_uri" });
    expect(await check("other")).toMatchObject({ valid: false, rule: "client_id" });
    const uri = { uri: "http://shop.test/cb", appType: "OIDC_APP_TYPE_NATIVE" };
    expect((await call("POST", "/management/v1/apps/_check_redirect_uri", uri)).status).toBe(200);
  });

  it("loses all permissions with the role", async () => {
    expect((await call("DELETE", "/management/v1/projects/p1/members/u-mia", undefined, "ada")).status).toBe(200);
    for (const path of ["projects/_search", "apps/_search", "projects/members/roles/_search"]) {
      expect(refusalOf(await call("POST", `/management/v1/${path}`, {})).id, path).toBe("access.denied");
    }
  });
});
