import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { digest } from "../crypto/digest";
import { findClient } from "../directory/app/app";
import { API_SCOPE, apiToken, callApi } from "../testing/api";
import { databaseKinds } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { authorizePath, basic, errorOf, fillSignIn, onOf, postToken, type Tokens } from "../testing/flow";
import { registeringAt, TOOL_CALLBACK } from "../testing/registering";
import { anotherProcess, BASE_URL, type TestService, testService } from "../testing/test-context";
import { sweepExpired } from "./sweep";

const DAY = 86_400_000;

const { publicKey } = await generateKeyPair("ES256", { extractable: true });
const publicJwk = { ...(await exportJWK(publicKey)), kid: "k" };

describe.each(databaseKinds)("clients that registered themselves (RFC 7592) on %s", (kind) => {
  let service: TestService;
  let owner: string;
  let at: ReturnType<typeof registeringAt>;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    at = registeringAt(service);
  });
  beforeEach(async () => {
    service.advance(2 * 3_600_000); // the counters of the previous test have expired
    await at.allow(true);
    owner = await apiToken(service);
  });
  afterAll(() => service.close());

  it("always asks users, and says that no one has checked the client and where it leads", async () => {
    const client = await at.registered({ client_name: "ACME Single Sign-on" });
    const browser = service.browser();
    const asked = onOf(await fillSignIn(browser, await browser.get(authorizePath(at.request(client)))));
    expect(asked).toMatch(/^\/login\/continue\?/);
    const page = await (await browser.get(asked)).text();
    expect(page).toContain("registered itself");
    expect(page).toContain("tool.test");
  });

  it("gets none but the scopes that it registered, from a device, too (rule REGISTER-4)", async () => {
    const grants = ["urn:ietf:params:oauth:grant-type:device_code"];
    const client = await at.registered({ grant_types: grants, scope: "openid profile", redirect_uris: [] });
    const form = new URLSearchParams({ scope: "openid profile email" });
    const authorization = basic(client.client_id, client.client_secret ?? "");
    const init = { method: "POST", body: form, headers: { authorization } };
    const response = await service.fetch("/oauth/v2/device_authorization", init);
    expect(response.status).toBe(200);
    const { device_code } = (await response.json()) as { device_code: string };
    const row = await service.ctx.db.prisma.deviceAuthorization.findUnique({ where: { id: digest(device_code) } });
    expect(row?.scope).toBe("openid profile");
  });

  it("is shown in the language of the reader, with the pages it has for users", async () => {
    const client = await at.registered({
      client_name: "Notes",
      "client_name#ja": "ノート",
      policy_uri: "https://tool.test/privacy",
      "policy_uri#ja": "https://tool.test/ja/privacy",
      tos_uri: "https://tool.test/terms",
    });
    const shown = async (ui_locales: string) => {
      const browser = service.browser();
      const asked = await fillSignIn(browser, await browser.get(authorizePath(at.request(client, { ui_locales }))));
      return (await browser.get(onOf(asked))).text();
    };
    const [japanese, german] = [await shown("ja"), await shown("de")];
    expect(japanese).toContain("<bdi>ノート</bdi>");
    expect(japanese).toContain('href="https://tool.test/ja/privacy"');
    expect(german).toContain("<bdi>Notes</bdi>");
    for (const page of ["privacy", "terms"]) expect(german).toContain(`href="https://tool.test/${page}"`);
  });

  it("authenticates by a certificate where the service accepts them (RFC 8705)", async () => {
    const certified = { token_endpoint_auth_method: "tls_client_auth", tls_client_auth_san_dns: "tool.test" };
    const bound = { tls_client_certificate_bound_access_tokens: true };
    const refused = async (members: object) => {
      const response = await at.post({ redirect_uris: [TOOL_CALLBACK], ...members });
      return ((await response.json()) as { error_description: string }).error_description;
    };
    expect(await refused(certified)).toMatch(/^token_endpoint_auth_method asks for certificates/);
    expect(await refused(bound)).toMatch(/^tls_client_certificate_bound_access_tokens asks for certificates/);
    const { mtls } = service.config;
    Object.assign(service.config, { mtls: { ...mtls, url: "https://mtls.test" } });
    const client = await at.registered({ ...certified, ...bound });
    expect(client).toMatchObject({ ...certified, ...bound });
    expect(client).not.toHaveProperty("client_secret");
    expect(await findClient(service.ctx, client.client_id)).toMatchObject({
      authenticationMethod: "tls_client_auth",
      certificateName: { kind: "sanDns", value: "tool.test" },
      tlsClientCertificateBoundAccessTokens: true,
    });
    const { tls_client_auth_san_dns, ...nameless } = certified;
    expect(await refused(nameless)).toMatch(/^tls_client_auth_subject_dn or another name is required/);
    expect(await refused({ tls_client_auth_san_dns })).toMatch(/^tls_client_auth_san_dns needs/);
    expect(await refused({ ...certified, tls_client_auth_san_ip: "192.0.2.1" })).toMatch(/exclude each other$/);
    const self = { token_endpoint_auth_method: "self_signed_tls_client_auth" };
    expect(await refused(self)).toMatch(/^jwks or jwks_uri is required/);
    expect(await at.registered({ ...self, jwks: { keys: [publicJwk] } })).toMatchObject(self);
    Object.assign(service.config, { mtls });
  });

  it("honours each member that it returns", async () => {
    const jwks = { keys: [publicJwk] };
    const members = {
      jwks,
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      request_object_signing_alg: "ES256",
      require_signed_request_object: true,
      id_token_signed_response_alg: "ES256",
      userinfo_signed_response_alg: "ES256",
      initiate_login_uri: "https://tool.test/start",
      frontchannel_logout_uri: `${new URL(TOOL_CALLBACK).origin}/sign-out`,
      frontchannel_logout_session_required: true,
      default_max_age: 0,
      require_auth_time: true,
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      scope: "openid email",
    };
    const { client_id, ...rest } = await at.registered(members);
    expect(rest).toMatchObject(members);
    expect(rest).not.toHaveProperty("client_secret");
    expect(await findClient(service.ctx, client_id)).toMatchObject({
      jwks,
      authenticationMethod: "private_key_jwt",
      assertionAlgorithm: "ES256",
      requestObjectAlgorithm: "ES256",
      requireSignedRequestObject: true,
      idTokenSigningAlgorithm: "ES256",
      userinfoSigningAlgorithm: "ES256",
      initiateLoginUri: "https://tool.test/start",
      defaultMaxAge: 0,
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: true,
      registeredScopes: ["openid", "email"],
    });
  });

  it("gives such a client no management audience, no client_credentials and no token exchange", async () => {
    const client = await at.registered({ grant_types: ["authorization_code", "refresh_token"] });
    const authorization = basic(client.client_id, client.client_secret ?? "");
    const form = await at.signIn(client, { scope: API_SCOPE });
    const { access_token } = (await (await postToken(service, form, authorization)).json()) as Tokens;
    expect((await callApi(service, "GET", "/auth/v1/users/me", { token: access_token })).status).toBe(401);
    await callApi(service, "PUT", "/v2/features/instance", { token: owner, body: { oidcTokenExchange: true } });
    for (const grant_type of ["client_credentials", "urn:ietf:params:oauth:grant-type:token-exchange"]) {
      const response = await postToken(service, { grant_type, scope: "openid" }, authorization);
      expect(await errorOf(response)).toEqual({ status: 400, error: "unauthorized_client" });
    }
  });

  it("gets only the scopes that it registered", async () => {
    const client = await at.registered({ scope: "openid email" });
    const form = await at.signIn(client, { scope: "openid email profile" });
    const response = await postToken(service, form, basic(client.client_id, client.client_secret ?? ""));
    expect(((await response.json()) as Tokens).scope).toBe("openid email");
  });

  it("lets a client read, change and remove its registration with its own token", async () => {
    const client = await at.registered({ contacts: ["ops@tool.test"] });
    const read = await at.configure(client, "GET");
    expect(read.status).toBe(200);
    const { client_secret, client_secret_expires_at, ...rest } = client;
    expect(await read.json()).toEqual(rest);

    const wanted = { client_id: client.client_id, redirect_uris: ["https://tool.test/new"], client_name: "Notes 2" };
    expect((await at.configure(client, "PUT", wanted)).status).toBe(200);
    const changed = (await (await at.configure(client, "GET")).json()) as object;
    expect(changed).toMatchObject({ client_name: "Notes 2", redirect_uris: ["https://tool.test/new"] });
    expect(changed).not.toHaveProperty("contacts");
    const found = await findClient(service.ctx, client.client_id);
    expect(found?.redirectUris).toEqual(["https://tool.test/new"]);

    expect((await at.configure(client, "DELETE")).status).toBe(204);
    expect((await at.configure(client, "GET")).status).toBe(401);
    expect(await findClient(service.ctx, client.client_id)).toBeUndefined();
  });

  it("makes a secret for a client that begins to use one, and removes those of one that ends it", async () => {
    const client = await at.registered({ token_endpoint_auth_method: "none" });
    expect(client).not.toHaveProperty("client_secret");
    const wanted = { client_id: client.client_id, redirect_uris: [TOOL_CALLBACK], client_name: "Notes" };
    const changed = (await (await at.configure(client, "PUT", wanted)).json()) as Record<string, string>;
    expect(changed.client_secret).toHaveLength(43);
    const wrong = { ...wanted, client_secret: "x".repeat(43) };
    expect(await errorOf(await at.configure(client, "PUT", wrong))).toEqual({
      status: 400,
      error: "invalid_client_metadata",
    });
    const right = { ...wanted, client_secret: changed.client_secret };
    expect((await at.configure(client, "PUT", right)).status).toBe(200);
    expect((await at.configure(client, "PUT", { ...right, token_endpoint_auth_method: "none" })).status).toBe(200);
    const app = await service.ctx.db.prisma.app.findFirst({
      where: { clientId: client.client_id },
      include: { secrets: true },
    });
    expect(app?.secrets).toEqual([]);
  });

  it("refuses the token of another client, an initial access token, and any other, without a difference", async () => {
    const [one, other] = [await at.registered(), await at.registered()];
    const { token } = await at.initialToken(owner);
    const told = async (client: Record<string, string>, method: string, of?: string) => {
      const body = method === "PUT" ? { client_id: client.client_id, redirect_uris: [TOOL_CALLBACK] } : undefined;
      const response = await at.configure(client, method, body, of);
      return [response.status, await response.text()];
    };
    const missing = { ...one, registration_client_uri: `${BASE_URL}/oauth/v2/register/missing` };
    for (const method of ["GET", "PUT", "DELETE"]) {
      const refused = await told(one, method, other.registration_access_token);
      expect(refused[0]).toBe(401);
      for (const of of [token, owner, "x"]) expect(await told(one, method, of)).toEqual(refused);
      expect(await told(missing, method)).toEqual(refused);
    }
    const web = { ...one, registration_client_uri: `${BASE_URL}/oauth/v2/register/web` };
    expect((await told(web, "DELETE"))[0]).toBe(401);
    expect((await at.configure(one, "GET")).status).toBe(200);
    expect(
      (await at.configure(one, "PUT", { client_id: other.client_id, redirect_uris: [TOOL_CALLBACK] })).status,
    ).toBe(400);
  });

  it("lets no client change what an administrator trusts", async () => {
    const client = await at.registered();
    await service.ctx.db.prisma.app.update({ where: { clientId: client.client_id }, data: { isTrusted: true } });
    const response = await at.configure(client, "PUT", {
      client_id: client.client_id,
      redirect_uris: ["https://evil.test/"],
    });
    expect(await errorOf(response)).toEqual({ status: 403, error: "access_denied" });
    expect((await at.configure(client, "GET")).status).toBe(200);
  });

  it("is shown to administrators of the instance with its last use, and to no others", async () => {
    const { token } = await at.initialToken(owner);
    const client = (await (
      await at.post({ redirect_uris: [TOOL_CALLBACK], client_name: "Listed" }, `Bearer ${token}`)
    ).json()) as Record<string, string>;
    const search = async (as: string) =>
      callApi(service, "POST", "/admin/v1/registered_clients/_search", {
        token: as,
        body: { queries: [{ nameQuery: { name: "Listed" } }, { kindQuery: { kind: "CLIENT_KIND_REGISTERED" } }] },
      });
    const shown = { clientId: client.client_id, name: "Listed", createdBy: "u-ada", state: "APP_STATE_ACTIVE" };
    const [first] = (await search(owner)).body.result;
    expect(first).toMatchObject(shown);
    expect(first).not.toHaveProperty("lastUsed");
    await at.signIn(client);
    await expect.poll(async () => (await search(owner)).body.result[0]).toHaveProperty("lastUsed");
    const { projectId, organizationId, appId } = first;
    const removed = await callApi(service, "DELETE", `/management/v1/projects/${projectId}/apps/${appId}`, {
      token: owner,
      headers: { "x-service-orgid": organizationId },
    });
    expect(removed.status).toBe(200);
    expect((await search(owner)).body.result).toEqual([]);
  });

  it("leaves nothing of a client that is never used for 30 days, and keeps those that are used", async () => {
    const [unused, used] = [await at.registered(), await at.registered()];
    await at.signIn(used);
    const { prisma } = service.ctx.db;
    const { id } = await prisma.app.findFirstOrThrow({ where: { clientId: unused.client_id } });
    const traces = async () => [
      await prisma.app.count({ where: { id } }),
      await prisma.claimedIdentifier.count({ where: { key: unused.client_id } }),
      await prisma.aggregate.count({ where: { type: "app", id } }),
      await prisma.event.count({ where: { aggregateId: id } }),
    ];
    expect(await traces()).toEqual([1, 2, 1, 2]);
    service.advance(29 * DAY);
    await sweepExpired(service.ctx);
    expect(await traces()).toEqual([1, 2, 1, 2]);
    service.advance(DAY + 1);
    await Promise.all([sweepExpired(service.ctx), sweepExpired(anotherProcess(service).ctx)]);
    expect(await traces()).toEqual([0, 0, 0, 0]);
    expect(await prisma.app.count({ where: { clientId: used.client_id } })).toBe(1);
  });
});
