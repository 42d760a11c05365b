import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { type TestService, testService } from "../../testing/test-context";
import { tokenBootstrap } from "../../testing/token-example";

const APPS = "/management/v1/projects/p1/apps";
const settings = { redirectUris: ["https://shop.test/cb"] };

describe.each(ruleDatabases)("trust of the instance in apps (rule TRUST-3) on %s", (kind) => {
  let service: TestService;
  let owner: string;
  let boss: string;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
    owner = await apiToken(service); // IAM_OWNER
    boss = await apiToken(service, "boss@acme.test"); // ORG_OWNER
  });
  afterAll(() => service.close());

  const call = (token: string, method: string, path: string, body?: object) =>
    callApi(service, method, `${APPS}${path}`, { token, body });
  const add = async (token: string, more: object = {}) => {
    const { status, body } = await call(token, "POST", "/oidc", { name: "A", ...settings, ...more });
    expect(status).toBe(200);
    return String(body.appId);
  };
  const granted = async (id: string) => {
    const { oidcConfig } = (await call(boss, "GET", `/${id}`)).body.app;
    return [oidcConfig.trusted, oidcConfig.allowManagementApi];
  };
  const ONLY_INSTANCE = { status: 403, code: 7, id: "app.not_yours_to_vouch" };
  const VOUCHED_FOR = { status: 403, code: 7, id: "app.vouched_for" };

  it.each(["trusted", "allowManagementApi"])("permits only managers of the instance to set %s", async (name) => {
    const refused = await call(boss, "POST", "/oidc", { name: "A", ...settings, [name]: true });
    expect(refusalOf(refused)).toEqual(ONLY_INSTANCE);
    expect(refused.body.details[0].field).toBe(name);
    const id = await add(boss, { [name]: false }); // what is verified already
    expect(refusalOf(await call(boss, "PUT", `/${id}/oidc_config`, { ...settings, [name]: true }))).toEqual(
      ONLY_INSTANCE,
    );
    expect(await granted(id)).toEqual([false, false]);
    expect((await call(owner, "PUT", `/${id}/oidc_config`, { ...settings, [name]: true })).status).toBe(200);
    expect(await granted(id)).toEqual([name === "trusted", name === "allowManagementApi"]);
    // Left out it stays, unlike the settings that are the app's own.
    expect((await call(owner, "PUT", `/${id}/oidc_config`, settings)).status).toBe(200);
    expect(await granted(id)).toEqual([name === "trusted", name === "allowManagementApi"]);
  });

  it("prevents a trusted app from becoming another one under its name", async () => {
    const id = await add(owner, { allowManagementApi: true });
    const asItStands = { ...settings, allowManagementApi: true };
    const changes: [string, string, object][] = [
      ["PUT", `/${id}/oidc_config`, { ...asItStands, redirectUris: ["https://evil.test/cb"] }],
      ["PUT", `/${id}/oidc_config`, { ...asItStands, allowManagementApi: false }],
      ["PUT", `/${id}`, { name: "Console" }],
      ["POST", `/${id}/oidc_config/_generate_client_secret`, {}],
      ["POST", `/${id}/keys`, { type: "KEY_TYPE_JSON" }],
    ];
    const before = (await call(owner, "GET", `/${id}`)).body;
    for (const [method, path, body] of changes) {
      const { status, id: slug } = refusalOf(await call(boss, method, path, body));
      expect([status, path, ["app.vouched_for", "app.not_yours_to_vouch"].includes(slug)]).toEqual([403, path, true]);
    }
    expect(refusalOf(await call(boss, "PUT", `/${id}`, { name: "B" }))).toEqual(VOUCHED_FOR);
    expect((await call(owner, "GET", `/${id}`)).body).toEqual(before);
    // Taking something away is its organization's right.
    expect((await call(boss, "POST", `/${id}/_deactivate`)).status).toBe(200);
    expect((await call(boss, "DELETE", `/${id}`)).status).toBe(200);
  });

  it("leaves connections to authorization servers to managers of the organization (rule ASSERT-4)", async () => {
    const connected = {
      connectedAuthorizationServers: [{ issuer: "https://auth.test", clientId: "c", scopes: ["a"] }],
    };
    const role = { token: boss, body: { userId: "u-eve", roles: ["PROJECT_OWNER"] } };
    expect((await callApi(service, "POST", "/management/v1/projects/p1/members", role)).status).toBe(200);
    const eve = await apiToken(service, "eve@acme.test");
    const refused = { status: 403, code: 7, id: "app.not_yours_to_connect" };
    expect(refusalOf(await call(eve, "POST", "/oidc", { name: "A", ...settings, ...connected }))).toEqual(refused);
    const id = await add(eve);
    const put = (token: string, body: object) => call(token, "PUT", `/${id}/oidc_config`, { ...settings, ...body });
    expect(refusalOf(await put(eve, connected))).toEqual(refused);
    expect((await put(boss, connected)).status).toBe(200);
    expect((await put(eve, { ...connected, devMode: true })).status).toBe(200);
    const [server] = connected.connectedAuthorizationServers;
    const wider = { connectedAuthorizationServers: [{ ...server, scopes: ["a", "b"] }] };
    expect(refusalOf(await put(eve, wider))).toEqual(refused);
    expect((await put(eve, {})).status).toBe(200);
    const { oidcConfig } = (await call(eve, "GET", `/${id}`)).body.app;
    expect(oidcConfig.connectedAuthorizationServers).toEqual([]);
  });

  it("ends tokens for the management APIs when the app loses its permission", async () => {
    const managing = await apiToken(service);
    const ping = () => callApi(service, "GET", "/management/v1/orgs/me", { token: managing });
    expect((await ping()).status).toBe(200);
    const web = (await call(owner, "GET", "/a-web")).body.app.oidcConfig;
    const kept = { redirectUris: web.redirectUris, grantTypes: web.grantTypes, responseTypes: web.responseTypes };
    // The app whose token it is takes the permission away from itself.
    await call(owner, "PUT", "/a-web/oidc_config", { ...kept, allowManagementApi: false });
    expect(refusalOf(await ping())).toEqual({ status: 401, code: 16, id: "access.app_not_allowed" });
  });
});
