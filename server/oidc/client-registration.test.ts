import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isError } from "../protocol/oauth-error";
import { apiToken, callApi } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { type DocumentHost, documentHost } from "../testing/document-host";
import { exampleBootstrap } from "../testing/example";
import { authorizePath, basic, errorOf, postToken, type Tokens } from "../testing/flow";
import { registeringAt, TOOL_CALLBACK } from "../testing/registering";
import { anotherProcess, BASE_URL, type TestService, testService } from "../testing/test-context";
import { register } from "./endpoints/register";

const DAY = 86_400_000;
const keyPair = await generateKeyPair("ES256", { extractable: true });
const publicJwk = { ...(await exportJWK(keyPair.publicKey)), kid: "k" };
const privateJwk = { ...(await exportJWK(keyPair.privateKey)), kid: "k" };

const METADATA = "invalid_client_metadata";
const SCATTERED = { subject_type: "pairwise", redirect_uris: [TOOL_CALLBACK, "https://other.test/cb"] };

describe.each(ruleDatabases)("client registration (RFC 7591) on %s", (kind) => {
  let service: TestService;
  let host: DocumentHost;
  let owner: string;
  let at: ReturnType<typeof registeringAt>;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    host = await documentHost(service);
    at = registeringAt(service);
  });
  beforeEach(async () => {
    service.advance(2 * 3_600_000); // the counters of the previous test have expired
    await at.allow(true);
    owner = await apiToken(service);
  });
  afterAll(async () => {
    await host.close();
    await service.close();
  });

  it("is answered with 404, and is not in discovery, until it is on, at once in every process", async () => {
    await at.allow(false);
    const other = anotherProcess(service);
    const endpointOf = async (on: TestService, path: string) => {
      const response = await on.fetch(`/.well-known/${path}`);
      return response.status === 200 ? (await response.json()).registration_endpoint : response.status;
    };
    for (const on of [service, other]) {
      expect((await at.post({ redirect_uris: [TOOL_CALLBACK] }, undefined, on)).status).toBe(404);
      expect((await on.fetch("/oauth/v2/register/x")).status).toBe(404);
      expect((await on.fetch("/oauth/v2/register", { method: "OPTIONS" })).status).toBe(404);
      expect(await endpointOf(on, "openid-configuration")).toBeUndefined();
      expect(await endpointOf(on, "oauth-authorization-server")).toBe(404);
    }
    await at.allow(true);
    for (const on of [service, other]) {
      expect(await endpointOf(on, "openid-configuration")).toBe(`${BASE_URL}/oauth/v2/register`);
      expect(await endpointOf(on, "oauth-authorization-server")).toBe(`${BASE_URL}/oauth/v2/register`);
    }
  });

  it("returns the defaults of the standard, a secret that works, and ignores unknown members", async () => {
    const client = await at.registered({ made_up: { a: 1 }, logo_uri: "https://tool.test/logo.png" });
    expect(client).toMatchObject({
      client_name: "Notes",
      redirect_uris: [TOOL_CALLBACK],
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      application_type: "web",
      id_token_signed_response_alg: "RS256",
      subject_type: "public",
      logo_uri: "https://tool.test/logo.png",
      client_secret_expires_at: 0,
      registration_client_uri: `${BASE_URL}/oauth/v2/register/${client.client_id}`,
    });
    expect(client).not.toHaveProperty("made_up");
    expect(client.client_id_issued_at).toBe(Math.floor(Number(client.client_id_issued_at)));
    const response = await postToken(
      service,
      await at.signIn(client),
      basic(client.client_id, client.client_secret ?? ""),
    );
    expect(((await response.json()) as Tokens).scope).toBe("openid profile");
  });

  it("answers any page of any origin without credentials", async () => {
    const preflight = await service.fetch("/oauth/v2/register", {
      method: "OPTIONS",
      headers: { origin: "https://tool.test", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    const response = await at.post({});
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("needs an initial access token unless open registration is on, and never takes a wrong one", async () => {
    await at.allow(true, false);
    const bare = await at.post({ redirect_uris: [TOOL_CALLBACK] });
    expect(await errorOf(bare)).toEqual({ status: 401, error: "invalid_token" });
    expect(bare.headers.get("www-authenticate")).toBe('Bearer realm="registration"');
    const { token, id } = await at.initialToken(owner);
    expect((await at.post({ redirect_uris: [TOOL_CALLBACK] }, `Bearer ${token}`)).status).toBe(201);
    await at.allow(true);
    expect((await at.post({ redirect_uris: [TOOL_CALLBACK] }, "Bearer made-up")).status).toBe(401);
    expect((await at.post({ redirect_uris: [TOOL_CALLBACK] }, `Basic ${token}`)).status).toBe(401);
    await callApi(service, "DELETE", `/admin/v1/registration_tokens/${id}`, { token: owner });
    expect((await at.post({ redirect_uris: [TOOL_CALLBACK] }, `Bearer ${token}`)).status).toBe(401);
  });

  it("takes an initial access token for 30 days, or for the lifetime that was asked for", async () => {
    const { token } = await at.initialToken(owner);
    const short = await at.initialToken(owner, "1h");
    const tooLong = await callApi(service, "POST", "/admin/v1/registration_tokens", {
      token: owner,
      body: { lifetime: "367d" },
    });
    expect(tooLong.status).toBe(400);
    service.advance(3_600_000 + 1);
    expect((await at.post({ redirect_uris: [TOOL_CALLBACK] }, `Bearer ${short.token}`)).status).toBe(401);
    service.advance(29 * DAY);
    expect((await at.post({ redirect_uris: [TOOL_CALLBACK] }, `Bearer ${token}`)).status).toBe(201);
    service.advance(DAY);
    expect((await at.post({ redirect_uris: [TOOL_CALLBACK] }, `Bearer ${token}`)).status).toBe(401);
  });

  it("allows ten open registrations an hour and network, of IPv6 a /64, and any number with a token", async () => {
    const body = { redirect_uris: [TOOL_CALLBACK] };
    const from = (address: string, authorization?: string) =>
      register(service.ctx, { authorization, body, cause: { address, requestId: "r" } });
    for (let time = 0; time < 10; time++) expect(isError(await from(`2001:db8::${time}`))).toBe(false);
    expect(await from("2001:db8::ffff")).toMatchObject({ status: 429, retryAfter: expect.any(Number) });
    expect(isError(await from("2001:db8:0:1::1"))).toBe(false);
    const { token } = await at.initialToken(owner);
    for (let time = 0; time < 12; time++) expect(isError(await from("2001:db8::1", `Bearer ${token}`))).toBe(false);
    const wrong = { redirect_uris: ["javascript:alert(1)"] };
    const attempt = { authorization: undefined, body: wrong, cause: { address: "192.0.2.1", requestId: "r" } };
    for (let time = 0; time < 20; time++) expect(await register(service.ctx, attempt)).toMatchObject({ status: 400 });
    service.advance(3_600_000 + 1);
    expect(isError(await from("2001:db8::1"))).toBe(false);
  });

  const many = Array.from({ length: 1_000 }, (_, n) => `https://tool.test/${n}`);
  it.each<[string, unknown, string, string?]>([
    ["script", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["a fragment", { redirect_uris: [`${TOOL_CALLBACK}#x`] }, "invalid_redirect_uri"],
    [
      "plain http on the network",
      { redirect_uris: ["http://tool.test/cb"], token_endpoint_auth_method: "none" },
      "invalid_redirect_uri",
    ],
    ["duplicates", { redirect_uris: [TOOL_CALLBACK, TOOL_CALLBACK] }, "invalid_redirect_uri"],
    ["1,000 redirect addresses", { redirect_uris: many }, "invalid_redirect_uri"],
    ["no redirect address", {}, "invalid_redirect_uri"],
    [
      "a scheme of its own for a web application",
      { redirect_uris: ["com.tool:/cb"], application_type: "web" },
      "invalid_redirect_uri",
    ],
    [
      "the implicit grant of a web application on localhost",
      { redirect_uris: ["https://localhost/cb"], application_type: "web", response_types: ["id_token"] },
      "invalid_redirect_uri",
    ],
    ["client_credentials", { grant_types: ["client_credentials"] }, METADATA, "grant_types"],
    ["the JWT profile", { grant_types: ["urn:ietf:params:oauth:grant-type:jwt-bearer"] }, METADATA, "grant_types"],
    [
      "token exchange",
      { grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:token-exchange"] },
      METADATA,
      "grant_types",
    ],
    [
      "a contradiction of grants and responses",
      { grant_types: ["implicit"], response_types: ["code"] },
      METADATA,
      "contradict",
    ],
    ["an unknown method", { token_endpoint_auth_method: "client_secret_jwt" }, METADATA, "token_endpoint_auth_method"],
    ["a key method without keys", { token_endpoint_auth_method: "private_key_jwt" }, METADATA, "jwks"],
    [
      "a key method with an empty set",
      { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [] } },
      METADATA,
      "jwks",
    ],
    [
      "the management APIs as audience",
      { scope: "openid urn:service:iam:org:project:id:service:aud" },
      METADATA,
      "scope",
    ],
    [
      "a request URI that is too long",
      { request_uris: [`https://tool.test/${"a".repeat(2_000)}`] },
      METADATA,
      "request_uris[0]",
    ],
    [
      "a private key",
      { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [privateJwk] } },
      METADATA,
      "jwks",
    ],
    ["keys twice", { jwks: { keys: [publicJwk] }, jwks_uri: "https://tool.test/jwks" }, METADATA, "jwks"],
    ["keys of an internal host", { jwks_uri: "https://10.0.0.1/jwks" }, METADATA, "jwks_uri"],
    [
      "sign-out notices to an internal host",
      { backchannel_logout_uri: "https://169.254.169.254/" },
      METADATA,
      "backchannel_logout_uri",
    ],
    [
      "a sign-out page of another origin",
      { frontchannel_logout_uri: "https://other.test/sign-out" },
      METADATA,
      "frontchannel_logout_uri",
    ],
    [
      "a sector of an internal host",
      { sector_identifier_uri: "https://192.168.1.1/" },
      METADATA,
      "sector_identifier_uri",
    ],
    ["pairwise subjects of several hosts", SCATTERED, METADATA, "sector_identifier_uri"],
    [
      "encrypted ID tokens",
      { id_token_encrypted_response_alg: "RSA-OAEP" },
      METADATA,
      "id_token_encrypted_response_alg",
    ],
    ["an unsigned ID token", { id_token_signed_response_alg: "none" }, METADATA, "id_token_signed_response_alg"],
    [
      "signed requests without keys",
      { require_signed_request_object: true },
      METADATA,
      "require_signed_request_object",
    ],
    ["references to requests at an internal host", { request_uris: ["https://10.0.0.1/r"] }, METADATA, "request_uris"],
    ["an age that is no number", { default_max_age: "1h" }, METADATA, "default_max_age"],
    ["a software statement", { software_statement: "a.b.c" }, "unapproved_software_statement", "software_statement"],
    ["a logo of script", { logo_uri: "javascript:alert(1)" }, METADATA, "logo_uri"],
    ["a long name", { client_name: "x".repeat(201) }, METADATA, "client_name"],
    ["a hidden name", { client_name: "Bank\u202eknaB" }, METADATA, "client_name"],
    ["a name that is no text", { client_name: 7 }, METADATA, "client_name"],
    ["a list", [], METADATA, "JSON object"],
    ["no JSON", "{", METADATA, "JSON object"],
    ["JSON in great depth", "[".repeat(10_000), METADATA, "JSON object"],
  ])("refuses %s and stores nothing", async (_, members, error, words = "redirect_uris") => {
    const count = () => service.ctx.db.prisma.app.count();
    const before = await count();
    const isWhole = typeof members === "string" || Array.isArray(members) || error === "invalid_redirect_uri";
    const body = isWhole ? members : { redirect_uris: [TOOL_CALLBACK], ...(members as object) };
    const response = await at.post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error, error_description: expect.stringContaining(words) });
    expect(await count()).toBe(before);
  });

  it("refuses a body of more than 64 kB", async () => {
    expect((await at.post({ redirect_uris: [TOOL_CALLBACK], x: "x".repeat(70_000) })).status).toBe(413);
  });

  it("honours application_type: a native application may come back to any port of a loopback address", async () => {
    const native = await at.registered({ redirect_uris: ["http://127.0.0.1/cb"], token_endpoint_auth_method: "none" });
    expect(native.application_type).toBe("native");
    const status = async (client: Record<string, string>, redirect_uri: string) =>
      (await service.browser().get(authorizePath(at.request(client, { redirect_uri })))).status;
    expect(await status(native, "http://127.0.0.1:49152/cb")).toBe(303);
    const web = await at.registered({ redirect_uris: ["http://127.0.0.1:3000/cb"], application_type: "web" });
    expect(await status(web, "http://127.0.0.1:49152/cb")).toBe(400);
  });

  it("asks for the list at sector_identifier_uri, which must have every redirect address", async () => {
    const serve = (list: unknown) =>
      host.answer("/sector", (response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list)),
      );
    const sector_identifier_uri = serve([TOOL_CALLBACK]);
    const pairwise = { sector_identifier_uri, subject_type: "pairwise" };
    expect(await at.registered({ sector_identifier_uri })).toMatchObject({ ...pairwise, subject_type: "public" });
    expect(await at.registered(pairwise)).toMatchObject(pairwise);
    for (const wrong of [[], ["https://other.test/"], { 0: TOOL_CALLBACK }, null]) {
      serve(wrong);
      const response = await at.post({ redirect_uris: [TOOL_CALLBACK], sector_identifier_uri });
      expect(await errorOf(response)).toEqual({ status: 400, error: "invalid_client_metadata" });
    }
  });
});
