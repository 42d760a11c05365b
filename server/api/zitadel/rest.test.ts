import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, refusalOf } from "../../testing/api";
import type { ServiceOnAPort } from "../../testing/on-a-port";
import { machineTokens, zitadelService } from "../../testing/zitadel-clients";
import { publishedAddresses } from "./addresses";
import { isAnswered } from "./bridge";
import { zitadelMethods, zitadelServiceNames } from "./descriptors";

describe("REST addresses in ZITADEL's proto files", () => {
  let running: ServiceOnAPort;
  const service = { fetch: async (path: string, init?: RequestInit) => fetch(running.origin + path, init) };
  const tokens = { owner: "", mallory: "" };
  beforeAll(async () => {
    running = await zitadelService();
    for (const name of ["owner", "mallory"] as const) {
      tokens[name] = (await machineTokens(running, name)).access_token;
    }
  });
  afterAll(() => running.close());

  const call = (method: string, path: string, body?: unknown, as: keyof typeof tokens = "owner") =>
    callApi(service, method, path, { token: tokens[as], body });
  async function ok(method: string, path: string, body?: unknown) {
    const { status, body: answer } = await call(method, path, body);
    expect([method, path, status, status === 200 ? "" : answer]).toEqual([method, path, 200, ""]);
    return answer;
  }

  it("all answer, of every procedure that is answered", async () => {
    const unanswered: string[] = [];
    let asked = 0;
    for (const name of zitadelServiceNames) {
      for (const procedure of zitadelMethods(name).filter((one) => isAnswered(name, one))) {
        for (const address of publishedAddresses(name, procedure)) {
          const [method = "", path = ""] = address.split(" ");
          const { status, body } = await callApi(service, method, path.replace(/\{[^}]*\}/g, "x"));
          const detail = body?.details?.[0] ?? {};
          const isRest = detail["@type"] === "type.googleapis.com/service.v1.ErrorDetail";
          const isThere = status !== 405 && detail.id !== "address.not_found" && status < 500;
          if (!isThere || !(isRest || status === 200)) unanswered.push(`${status} ${address}`);
          asked += 1;
        }
      }
    }
    expect(unanswered).toEqual([]);
    expect(asked).toBeGreaterThan(650);
  });

  it("of projects, applications and organizations do what their procedures do", async () => {
    const { id } = await ok("POST", "/v2beta/projects", { organizationId: "acme", name: "By REST" });
    await ok("POST", `/v2beta/projects/${id}`, { project_role_assertion: true });
    const { project } = await ok("GET", `/v2beta/projects/${id}`);
    expect(project).toMatchObject({ id, name: "By REST", projectRoleAssertion: true, organizationId: "acme" });
    await ok("POST", `/v2beta/projects/${id}/roles`, { roleKey: "a b", displayName: "Reader" });
    await ok("POST", `/v2beta/projects/${id}/roles/a%20b`, { displayName: "Readers" });
    // The path says which, whatever the body says.
    await ok("POST", `/v2beta/projects/${id}/roles`, {
      roleKey: "other",
      displayName: "Other",
      projectId: "elsewhere",
    });
    const roles = await ok("POST", `/v2beta/projects/${id}/roles/search?pagination.limit=1&pagination.asc=true`);
    expect(roles.projectRoles).toMatchObject([{ key: "a b", displayName: "Readers" }]);
    expect(roles.pagination).toMatchObject({ appliedLimit: "1", totalResult: "2" });
    const app = await ok("POST", "/v2beta/applications", { projectId: id, name: "App", apiRequest: {} });
    expect((await ok("GET", `/v2beta/applications/${app.appId}`)).app).toMatchObject({ name: "App" });
    await ok("DELETE", `/v2beta/applications/${app.appId}?projectId=${id}`);
    await ok("DELETE", `/v2beta/projects/${id}/roles/other`);
    await ok("DELETE", `/v2beta/projects/${id}`);
    expect((await call("GET", `/v2beta/projects/${id}`)).status).toBe(404);

    await ok("POST", "/v2/organizations/acme/domains", { domain: "rest.test" });
    const { domains } = await ok("POST", "/v2/organizations/acme/domains/search", {});
    expect(domains).toContainEqual(expect.objectContaining({ domain: "rest.test", organizationId: "acme" }));
    await ok("DELETE", "/v2/organizations/acme/domains?domain=rest.test");
    expect((await ok("GET", "/v2beta/settings/login")).settings).toBeDefined();
  });

  it("refuse like other addresses: strangers, bad JSON, unknown values, and name unknown members", async () => {
    const path = "/v2beta/projects";
    expect(refusalOf(await callApi(service, "POST", path, { body: "{" })).id).toBe("access.token_missing");
    expect(refusalOf(await call("POST", path, { organizationId: "acme", name: "X" }, "mallory")).id).toBe(
      "access.denied",
    );
    for (const body of ["{", "[]", "null", '"text"', { organizationId: "acme", name: 7 }]) {
      const { id, status } = refusalOf(await call("POST", path, body));
      expect([body, status, id]).toEqual([body, 400, "request.malformed"]);
    }
    const search = `${path}/search?pagination=1&pagination.limit=2&__proto__.x=1&filters.a=1`;
    expect((await call("POST", search)).status).toBe(200);
    const odd = { organizationId: "acme", name: "Odd", extra: 1, admins: [{ userId: "m-owner", also: true }] };
    const made = await call("POST", path, odd);
    expect(made.status).toBe(200);
    expect(made.headers.get("x-service-ignored")).toContain("extra, admins[0].also");
    const unknown = await callApi(service, "GET", "/v2beta/nothing", { token: tokens.owner });
    expect(refusalOf(unknown)).toMatchObject({ status: 404, id: "address.not_found" });
    const wrong = await call("PUT", path, {});
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("admit pages of the app's origins only", async () => {
    const headers = { origin: "https://elsewhere.test" };
    const foreign = await callApi(service, "GET", "/v2beta/projects/x", { token: tokens.owner, headers });
    expect(refusalOf(foreign).id).toBe("access.origin");
  });
});
