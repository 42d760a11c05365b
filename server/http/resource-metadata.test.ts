import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSecuritySettings } from "../directory/instance-settings";
import { managementBases } from "../protocol/protected-resource";
import { apiToken } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { SECRET } from "../testing/example";
import { authorize, basic, postToken, REDIRECT_URI } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { MACHINE_SECRET, SERVICE_SCOPE, tokenApp, tokenBootstrap } from "../testing/token-example";

const [acme, ...others] = tokenBootstrap.organizations;
const [p1, ...rest] = acme?.projects ?? [];
const bootstrap = {
  ...tokenBootstrap,
  organizations: [
    {
      ...acme,
      projects: [
        { ...p1, apps: [...(p1?.apps ?? []), tokenApp("admin-tool", { allowManagementApi: true }), tokenApp("shop")] },
        ...rest,
      ],
    },
    ...others,
  ],
};
const API = `${BASE_URL}/management/v1`;
const METADATA = "/.well-known/oauth-protected-resource/management/v1";
const SCOPE = `openid ${SERVICE_SCOPE}`;

describe.each(ruleDatabases)("the metadata of the management APIs (RFC 9728) on %s", (kind) => {
  let service: TestService;
  const turn = (oauthMetadata: boolean) =>
    setSecuritySettings({ ...service.ctx, origin: { actor: "system" } }, { oauthMetadata });
  const challengeOf = async (path: string, headers: Record<string, string> = {}) =>
    (await service.fetch(path, { headers })).headers.get("www-authenticate") ?? "";
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    await turn(true);
  });
  afterAll(() => service.close());

  it("is accepted by oauth4webapi for every API, with an ETag and for pages of any origin", async () => {
    const options = {
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (url: string, { method }: { method: string }) =>
        service.fetch(new URL(url).pathname, { method }),
    };
    for (const base of Object.keys(managementBases)) {
      const resource = new URL(BASE_URL + base);
      const response = await oauth.resourceDiscoveryRequest(resource, options);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("etag")).toMatch(/^".+"$/);
      expect(await oauth.processResourceDiscoveryResponse(resource, response), base).toMatchObject({
        ...{ authorization_servers: [BASE_URL], scopes_supported: SCOPE.split(" ") },
        ...{ bearer_methods_supported: ["header"], dpop_bound_access_tokens_required: false },
      });
    }
  });

  it("is named by a 401 with the scopes of a token, whatever is wrong with the token", async () => {
    const named = `, resource_metadata="${BASE_URL}${METADATA}", scope="${SCOPE}"`;
    expect(await challengeOf("/management/v1/orgs/me")).toBe(`Bearer realm="api"${named}`);
    const invalid = await challengeOf("/management/v1/orgs/me", { authorization: "Bearer x" });
    expect(invalid).toContain('error="invalid_token"');
    expect(invalid.endsWith(named)).toBe(true);
    const procedure = "/service.management.v1.ManagementService/GetCustomInitMessageText";
    const init = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    const refused = await service.fetch(procedure, init);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, `Bearer realm="api"${named}`]);
    expect(await challengeOf("/v2/users/u-ada")).toContain("/.well-known/oauth-protected-resource/v2");
  });

  it("is not named by a 403, which is about roles that no other token has", async () => {
    const token = await apiToken(service, "eve@acme.test");
    const response = await service.fetch("/admin/v1/orgs/_search", {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([403, null]);
  });

  it("does not exist and is not named while no OAuth metadata is published", async () => {
    await turn(false);
    expect((await service.fetch(METADATA)).status).toBe(404);
    expect(await challengeOf("/management/v1/orgs/me")).toBe('Bearer realm="api"');
    await turn(true);
    expect((await service.fetch("/.well-known/oauth-protected-resource/oidc/v1")).status).toBe(404);
  });

  it("is behind the well-known part if the issuer has a path (§3.1)", async () => {
    const below = await testService(kind, bootstrap, "http://localhost:8080/id");
    await setSecuritySettings({ ...below.ctx, origin: { actor: "system" } }, { oauthMetadata: true });
    const answer = await below.fetch("/management/v1/orgs/me");
    const address = /resource_metadata="([^"]+)"/.exec(answer.headers.get("www-authenticate") ?? "")?.[1] ?? "";
    expect(address).toBe("http://localhost:8080/.well-known/oauth-protected-resource/id/management/v1");
    const document = await (await below.fetch(new URL(address).pathname)).json();
    expect(document.resource).toBe("http://localhost:8080/id/management/v1");
    await below.close();
  });

  it("has a resource that narrows tokens to the management APIs, with their scope (RFC 8707)", async () => {
    const parameters = { client_id: "admin-tool", scope: SCOPE, resource: API };
    const code = (await authorize(service.browser(), parameters)).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, resource: API };
    const { access_token } = await (await postToken(service, form, basic("admin-tool", SECRET))).json();
    const row = await service.ctx.db.prisma.accessToken.findFirst({ orderBy: { createdAt: "desc" } });
    expect(row?.audience).toBe("service");
    const used = await service.fetch("/auth/v1/users/me", { headers: { authorization: `Bearer ${access_token}` } });
    expect(used.status).toBe(200);
    const machine = { grant_type: "client_credentials", scope: SCOPE, resource: `${BASE_URL}/v2` };
    expect((await postToken(service, machine, basic("ci", MACHINE_SECRET))).status).toBe(200);
  });

  it.each([
    ["without the scope", "admin-tool", "openid", [API]],
    ["for an app that may not manage", "shop", SCOPE, [API]],
    ["beside another resource", "admin-tool", SCOPE, [API, "https://api.acme.test/"]],
  ])("has a resource that is invalid_target %s", async (_, clientId, scope, resources) => {
    const query = new URLSearchParams({
      client_id: clientId,
      scope,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
    });
    for (const one of resources) query.append("resource", one);
    const response = await service.browser().get(`/oauth/v2/authorize?${query}`);
    expect(new URL(response.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_target");
  });

  it("has a resource that a grant for other audiences does not reach later", async () => {
    const code = (await authorize(service.browser(), { client_id: "shop", scope: "openid" })).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, resource: API };
    expect(await (await postToken(service, form, basic("shop", SECRET))).json()).toMatchObject({
      error: "invalid_target",
    });
  });
});
