import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSecuritySettings } from "../directory/instance-settings";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import { authorize, basic, pkcePair, REDIRECT_URI, type Tokens } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";

const ORIGIN = "https://rp.test";
const VARY = "Origin, Access-Control-Request-Headers";
const [acme] = exampleBootstrap.organizations;
const other = {
  name: "Other",
  oidc: {
    clientId: "other",
    redirectUris: ["https://other.test:8443/cb", "com.example.app:/cb"],
    additionalOrigins: ["https://widget.test"],
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    appType: "OIDC_APP_TYPE_NATIVE",
  },
};
const [shop] = acme?.projects ?? [];
const bootstrap = {
  organizations: [{ ...acme, projects: [{ ...shop, apps: [...(shop?.apps ?? []), other] }] }],
};

describe.each(ruleDatabases)("cross-origin requests (Fetch §3.2) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const preflight = (path: string, origin: string, method = "POST") =>
    service.fetch(path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,content-type",
      },
    });
  const allowed = (response: Response) => response.headers.get("access-control-allow-origin");

  it.each(["/.well-known/openid-configuration", "/oauth/v2/keys"])("%s is open to every page", async (path) => {
    const response = await service.fetch(path, { headers: { origin: "https://anywhere.test" } });
    expect([response.status, allowed(response)]).toEqual([200, "*"]);
    const before = await preflight(path, "https://anywhere.test", "GET");
    expect([before.status, allowed(before), before.headers.get("access-control-allow-methods")]).toEqual([
      204,
      "*",
      "GET",
    ]);
    expect(before.headers.get("access-control-allow-credentials")).toBeNull();
  });

  const endpoints = ["/oauth/v2/token", "/oidc/v1/userinfo", "/oauth/v2/revoke", "/oauth/v2/device_authorization"];
  describe.each(endpoints)("preflight of %s", (path) => {
    it.each([ORIGIN, "https://other.test:8443", "https://widget.test"])("lets %s go on", async (origin) => {
      const response = await preflight(path, origin);
      expect([response.status, allowed(response), response.headers.get("vary")]).toEqual([204, origin, VARY]);
      expect(response.headers.get("access-control-allow-headers")).toBe("authorization,content-type");
      expect(response.headers.get("access-control-allow-methods")).toContain("POST");
      expect(Number(response.headers.get("access-control-max-age"))).toBeGreaterThan(0);
      expect(response.headers.get("access-control-allow-credentials")).toBe("true");
      expect(await response.text()).toBe("");
    });

    it.each(["https://evil.test", "null", "http://rp.test", "https://rp.test.evil.test", "https://other.test"])(
      "tells %s nothing",
      async (origin) => {
        const response = await preflight(path, origin);
        expect([response.status, allowed(response), response.headers.get("vary")]).toEqual([204, null, VARY]);
        for (const name of ["methods", "headers", "credentials"]) {
          expect(response.headers.get(`access-control-allow-${name}`), name).toBeNull();
        }
      },
    );

    it.each([
      ["x-okta-user-agent-extended, auth0-client", "x-okta-user-agent-extended, auth0-client"],
      ["x".repeat(1024), "x".repeat(1024)],
      ["x".repeat(1025), "authorization, content-type"],
      ["a b", "authorization, content-type"],
      ["a,,b", "authorization, content-type"],
      ["*, (x)", "authorization, content-type"],
    ])("allows the headers it asks for where they are a list of at most 1024 characters", async (asked, answered) => {
      const headers = { "access-control-request-method": "POST", "access-control-request-headers": asked };
      const response = await service.fetch(path, { method: "OPTIONS", headers: { origin: ORIGIN, ...headers } });
      expect(response.headers.get("access-control-allow-headers")).toBe(answered);
    });
  });

  it.each(["/oauth/v2/introspect", "/oauth/v2/authorize", "/oidc/v1/end_session", "/login/submit", "/account"])(
    "%s answers no script of another origin",
    async (path) => {
      expect(allowed(await preflight(path, ORIGIN))).toBeNull();
    },
  );

  it.each(["/oauth/v2/authorize", "/account", "/console", "/management/v1/orgs/me", "/v2/users", "/auth/v1/users/me"])(
    "%s allows no credentials",
    async (path) => {
      for (const answer of [
        await preflight(path, ORIGIN),
        await service.fetch(path, { headers: { origin: ORIGIN } }),
      ]) {
        expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      }
    },
  );

  it("answers preflights of every web origin while clients can come by themselves, without reading all apps", async () => {
    const origin = "https://new.test";
    const turn = (enabled: boolean) =>
      setSecuritySettings(
        { ...service.ctx, origin: { actor: "system" } },
        { dynamicClientRegistration: { enabled, allowUnauthenticated: true } },
      );
    await turn(true);
    expect(allowed(await preflight("/oauth/v2/token", origin))).toBe(origin);
    expect(allowed(await preflight("/oauth/v2/token", "null"))).toBeNull();
    // A request that names an app is still answered for the origins of that app alone.
    const body = new URLSearchParams({ grant_type: "authorization_code", client_id: "spa", code: "x" });
    const used = await service.fetch("/oauth/v2/token", { method: "POST", headers: { origin }, body });
    expect(allowed(used)).toBeNull();
    await turn(false);
    expect(allowed(await preflight("/oauth/v2/token", origin))).toBeNull();
  });

  const tokensOf = async () => {
    const { verifier, challenge } = pkcePair();
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const code = (await authorize(service.browser(), { client_id: "spa", ...pkce })).get("code") ?? "";
    return {
      grant_type: "authorization_code",
      client_id: "spa",
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    };
  };
  const post = (form: Record<string, string>, origin: string, headers: Record<string, string> = {}) =>
    service.fetch("/oauth/v2/token", {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { origin, ...headers },
    });

  it("let the app's own origin read its tokens and claims", async () => {
    const response = await post(await tokensOf(), ORIGIN);
    expect([response.status, allowed(response), response.headers.get("vary")]).toEqual([200, ORIGIN, "Origin"]);
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
    const { access_token } = (await response.json()) as Tokens;
    const userinfo = (origin: string) =>
      service.fetch("/oidc/v1/userinfo", { headers: { origin, authorization: `Bearer ${access_token}` } });
    expect(allowed(await userinfo(ORIGIN))).toBe(ORIGIN);
    expect(allowed(await userinfo("https://other.test:8443"))).toBeNull();
  });

  it("do not let the origin of another app read them", async () => {
    const response = await post(await tokensOf(), "https://other.test:8443");
    expect([allowed(response), response.headers.get("vary")]).toEqual([null, "Origin"]);
  });

  it("let the app read errors", async () => {
    const bad = await post({ ...(await tokensOf()), code: "wrong" }, ORIGIN);
    expect([bad.status, allowed(bad)]).toEqual([400, ORIGIN]);
    const wrongSecret = await post({ grant_type: "refresh_token", refresh_token: "x" }, ORIGIN, {
      authorization: basic("web", `${SECRET}x`),
    });
    expect([wrongSecret.status, allowed(wrongSecret)]).toEqual([401, ORIGIN]);
    const nothing = await post({}, ORIGIN);
    expect([nothing.status, allowed(nothing)]).toEqual([400, ORIGIN]);
    const expired = await service.fetch("/oidc/v1/userinfo", {
      headers: { origin: ORIGIN, authorization: "Bearer gone" },
    });
    expect([expired.status, allowed(expired)]).toEqual([401, ORIGIN]);
    expect(expired.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    const method = await service.fetch("/oauth/v2/token", { method: "PUT", headers: { origin: ORIGIN } });
    expect([method.status, allowed(method)]).toEqual([405, ORIGIN]);
  });

  it("are the only ones with CORS headers", async () => {
    const response = await service.fetch("/oauth/v2/token", { method: "POST" });
    expect([allowed(response), response.headers.get("vary")]).toEqual([null, null]);
    const options = await service.fetch("/oauth/v2/token", { method: "OPTIONS" });
    expect(options.status).toBe(405);
  });

  it("are rejected after the app was removed", async () => {
    await service.ctx.db.prisma.app.update({ where: { clientId: "other" }, data: { state: "inactive" } });
    service.advance(6_000);
    expect(allowed(await preflight("/oauth/v2/token", "https://widget.test"))).toBeNull();
  });
});
