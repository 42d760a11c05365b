import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSecuritySettings } from "../../directory/instance-settings";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

/** Members of discovery documents that the suite's schema knows; any other is a warning. */
const KNOWN = new Set(
  `issuer authorization_endpoint token_endpoint userinfo_endpoint jwks_uri registration_endpoint scopes_supported
   response_types_supported response_modes_supported grant_types_supported acr_values_supported subject_types_supported
   id_token_signing_alg_values_supported token_endpoint_auth_methods_supported claim_types_supported
   token_endpoint_auth_signing_alg_values_supported claims_supported claims_parameter_supported
   request_parameter_supported request_uri_parameter_supported require_request_uri_registration ui_locales_supported prompt_values_supported
   code_challenge_methods_supported authorization_response_iss_parameter_supported end_session_endpoint
   introspection_endpoint introspection_endpoint_auth_methods_supported
   introspection_endpoint_auth_signing_alg_values_supported revocation_endpoint
   revocation_endpoint_auth_methods_supported revocation_endpoint_auth_signing_alg_values_supported
   dpop_signing_alg_values_supported request_object_signing_alg_values_supported
   authorization_signing_alg_values_supported userinfo_signing_alg_values_supported
   pushed_authorization_request_endpoint require_pushed_authorization_requests
   device_authorization_endpoint backchannel_logout_supported backchannel_logout_session_supported
   frontchannel_logout_supported frontchannel_logout_session_supported`.split(/\s+/),
);

describe.each(ruleDatabases)("oidcc-config-certification-test-plan on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  it("oidcc-discovery-endpoint-verification: the document", async () => {
    const response = await service.fetch("/.well-known/openid-configuration");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    const document = (await response.json()) as Record<string, unknown>;
    expect(document.issuer).toBe(BASE_URL);
    for (const [name, value] of Object.entries(document)) {
      expect(KNOWN, name).toContain(name);
      expect(value, name).not.toBeNull();
      if (name.endsWith("_endpoint") || name === "jwks_uri") expect(value).toMatch(new RegExp(`^${BASE_URL}/`));
      if (name.endsWith("_supported") && typeof value !== "boolean") {
        expect((value as string[]).length, name).toBeGreaterThan(0);
      }
    }
    expect(document).toMatchObject({
      subject_types_supported: ["public", "pairwise"],
      request_parameter_supported: true,
      request_uri_parameter_supported: true,
      claims_parameter_supported: true,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(document.id_token_signing_alg_values_supported).toContain("RS256");
    expect(document.scopes_supported).toContain("openid");
    expect(document.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(["client_secret_basic", "client_secret_post"]),
    );
    for (const tag of document.ui_locales_supported as string[]) expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    expect(document.id_token_signing_alg_values_supported).not.toContain("none");
  });

  it("has the address of RFC 8414 §3 only while the security setting oauthMetadata is on", async () => {
    const path = "/.well-known/oauth-authorization-server";
    const all = () =>
      Promise.all(["GET", "HEAD", "OPTIONS", "POST", "PUT"].map((method) => service.fetch(path, { method })));
    const statuses = async () => (await all()).map(({ status }) => status);
    const set = (oauthMetadata: boolean) =>
      setSecuritySettings(
        { ...service.ctx, origin: { actor: "system" } },
        { enableImpersonation: false, oauthMetadata },
      );
    expect(await statuses()).toEqual([404, 404, 404, 404, 404]);
    const unknown = await service.fetch("/.well-known/nothing");
    const off = await service.fetch(path);
    expect({ ...(await off.json()), request_id: "" }).toEqual({ ...(await unknown.json()), request_id: "" });
    await set(true);
    expect(await statuses()).toEqual([200, 200, 204, 405, 405]);
    const [oidc, oauth] = [await service.fetch("/.well-known/openid-configuration"), await service.fetch(path)];
    expect(await oauth.json()).toEqual(await oidc.json());
    expect(oauth.headers.get("etag")).toBe(oidc.headers.get("etag"));
    await set(false);
    expect(await statuses()).toEqual([404, 404, 404, 404, 404]);
  });

  it("has the OAuth metadata of an issuer with a path behind the well-known part too (RFC 8414 §3.1)", async () => {
    const below = await testService(kind, exampleBootstrap, "http://localhost:8080/tenant");
    const wanted = { enableImpersonation: false, oauthMetadata: true };
    await setSecuritySettings({ ...below.ctx, origin: { actor: "system" } }, wanted);
    for (const path of ["", "/tenant"]) {
      const answer = await below.fetch(`/.well-known/oauth-authorization-server${path}`);
      expect((await answer.json()).issuer, path).toBe("http://localhost:8080/tenant");
    }
    await below.close();
  });

  it("oidcc-discovery-endpoint-verification: every named endpoint exists", async () => {
    const document = (await (await service.fetch("/.well-known/openid-configuration")).json()) as object;
    for (const [name, url] of Object.entries(document)) {
      if (!name.endsWith("_endpoint") && name !== "jwks_uri") continue;
      const { pathname } = new URL(url as string);
      const responses = await Promise.all([service.fetch(pathname), service.fetch(pathname, { method: "POST" })]);
      for (const response of responses) expect(response.status, name).not.toBe(404);
    }
  });

  it("oidcc-discovery-endpoint-verification: the key set", async () => {
    const response = await service.fetch("/oauth/v2/keys");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    const { keys } = (await response.json()) as { keys: Record<string, string>[] };
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    for (const key of keys) {
      expect(key).toMatchObject({ kid: expect.stringMatching(/\S/), use: "sig" });
      const members = { RSA: ["n", "e"], EC: ["x", "y"], OKP: ["x"] }[key.kty ?? ""] ?? ["kty"];
      for (const name of members) expect(key[name], name).toMatch(/^[\w-]+$/);
      for (const name of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(key).not.toHaveProperty(name);
    }
  });

  it("keys and discovery are served without a redirect", async () => {
    for (const path of ["/.well-known/openid-configuration/", "/oauth/v2/keys/"]) {
      expect((await service.fetch(path)).status).toBe(404);
    }
  });
});
