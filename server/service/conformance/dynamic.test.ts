import { decodeProtectedHeader, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newClientKey } from "../../testing/client-keys";
import { ruleDatabases } from "../../testing/database";
import { type DocumentHost, documentHost } from "../../testing/document-host";
import { exampleBootstrap } from "../../testing/example";
import {
  answerOf,
  authorizePath,
  errorOf,
  fillSignIn,
  onOf,
  postToken,
  type Tokens,
  userinfo,
} from "../../testing/flow";
import { type RegisteredTool, registeringAt, TOOL_CALLBACK } from "../../testing/registering";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

const QUERY = `${TOOL_CALLBACK}?foo=bar`;
const TOKEN_ENDPOINT = `${BASE_URL}/oauth/v2/token`;
const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined };
const key = await newClientKey("RS256");
const jwkOf = (kid?: string, { jwk } = key) => ({ ...jwk, kid, use: "sig", alg: "RS256" });

describe.each(ruleDatabases)("oidcc-dynamic-certification-test-plan, response_type code, on %s", (kind) => {
  let service: TestService;
  let host: DocumentHost;
  let at: ReturnType<typeof registeringAt>;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    host = await documentHost(service);
    at = registeringAt(service);
    await at.allow(true);
  });
  beforeEach(() => service.advance(2 * 3_600_000)); // the counters of registrations have expired
  afterAll(async () => {
    await host.close();
    await service.close();
  });

  /** Registers a client like the plan: with private_key_jwt, and a key without an id. */
  const METADATA = {
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [jwkOf()] },
    contacts: ["certification@tool.test"],
  };
  const registered = (members: object = {}) => at.registered({ ...METADATA, ...members });
  const refusedWith = async (members: object) => {
    const response = await at.post({ redirect_uris: [TOOL_CALLBACK], ...METADATA, ...members });
    expect(response.status).toBe(400);
    return ((await response.json()) as { error: string }).error;
  };
  /** Signs the client in at the token endpoint, whose address is the audience unless a module has another. */
  const signed = async (client: RegisteredTool, { kid, of = key, aud = TOKEN_ENDPOINT }: Signing = {}) => {
    const now = Math.floor(service.ctx.clock() / 1000);
    const claims = { iss: client.client_id, sub: client.client_id, aud, jti: crypto.randomUUID(), nbf: now };
    return {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", ...(kid && { kid }) })
        .setIssuedAt(now)
        .setExpirationTime(now + 60)
        .sign(of.privateKey),
    };
  };
  interface Signing {
    kid?: string;
    of?: typeof key;
    aud?: string;
  }
  const post = async (form: Record<string, string>, client: RegisteredTool, signing?: Signing) =>
    postToken(service, { ...form, ...(await signed(client, signing)) }, null);
  const tokensOf = async (client: RegisteredTool, more: Record<string, string> = {}, signing?: Signing) => {
    const { code_verifier: _, ...form } = await at.signIn(client, { ...NO_PKCE, ...more });
    const response = await post(form, client, signing);
    expect(response.status).toBe(200);
    return (await response.json()) as Tokens;
  };
  /** Serves JSON and returns its address. */
  const served = (path: string, content: unknown) =>
    host.answer(path, (response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(content)),
    );
  const asked = async (client: RegisteredTool, more: Partial<Record<string, string>> = {}) =>
    service.browser().get(authorizePath(at.request(client, { ...NO_PKCE, ...more })));

  it("oidcc-server", async () => {
    const { id_token, access_token } = await tokensOf(await registered());
    expect(decodeProtectedHeader(id_token).alg).toBe("RS256");
    expect((await userinfo(service, access_token)).status).toBe(200);
  });

  it("oidcc-idtoken-rs256", async () => {
    const { id_token } = await tokensOf(await registered({ id_token_signed_response_alg: "RS256" }));
    expect(decodeProtectedHeader(id_token).alg).toBe("RS256");
  });

  it("oidcc-idtoken-unsigned", async () => {
    expect(await refusedWith({ id_token_signed_response_alg: "none" })).toBe("invalid_client_metadata");
  });

  it("oidcc-userinfo-rs256", async () => {
    const { access_token } = await tokensOf(await registered({ userinfo_signed_response_alg: "RS256" }));
    const response = await userinfo(service, access_token);
    expect(response.headers.get("content-type")).toContain("application/jwt");
    expect(decodeProtectedHeader(await response.text()).alg).toBe("RS256");
  });

  it("oidcc-ensure-redirect-uri-in-authorization-request", async () => {
    expect((await asked(await registered(), { redirect_uri: undefined })).status).toBe(400);
  });

  it("oidcc-redirect-uri-query-OK", async () => {
    const client = await registered({ redirect_uris: [QUERY] });
    const browser = service.browser();
    const path = authorizePath(at.request(client, { redirect_uri: QUERY }));
    const agreed = onOf(await fillSignIn(browser, await browser.get(path)));
    const flow = new URL(agreed, BASE_URL).searchParams.get("flow") ?? "";
    const values = answerOf(await browser.post("/login/continue/submit", { flow }));
    expect([values.get("foo"), values.has("code")]).toEqual(["bar", true]);
  });

  it.each([
    ["oidcc-redirect-uri-query-added", TOOL_CALLBACK, QUERY],
    ["oidcc-redirect-uri-query-mismatch", QUERY, `${TOOL_CALLBACK}?foo=other`],
  ])("%s", async (_, own, redirect_uri) => {
    expect((await asked(await registered({ redirect_uris: [own] }), { redirect_uri })).status).toBe(400);
  });

  it("oidcc-redirect-uri-regfrag", async () => {
    expect(await refusedWith({ redirect_uris: [`${TOOL_CALLBACK}#fragment`] })).toBe("invalid_redirect_uri");
  });

  it.each([
    ["oidcc-registration-logo-uri", { logo_uri: "https://tool.test/logo.png" }, ""],
    ["oidcc-registration-policy-uri", { policy_uri: "https://tool.test/policy" }, "https://tool.test/policy"],
    ["oidcc-registration-tos-uri", { tos_uri: "https://tool.test/tos" }, "https://tool.test/tos"],
  ])("%s", async (_, members, shown) => {
    const client = await registered(members);
    expect(client).toMatchObject(members);
    const browser = service.browser();
    const page = onOf(await fillSignIn(browser, await browser.get(authorizePath(at.request(client)))));
    expect(await (await browser.get(page)).text()).toContain(shown);
  });

  it("oidcc-registration-sector-uri", async () => {
    const sector_identifier_uri = served("/sector.json", [TOOL_CALLBACK]);
    const client = await registered({ sector_identifier_uri, subject_type: "pairwise" });
    expect((await tokensOf(client)).id_token).toBeTruthy();
  });

  it("oidcc-registration-sector-bad", async () => {
    const sector_identifier_uri = served("/bad-sector.json", ["https://other.test/"]);
    expect(await refusedWith({ sector_identifier_uri })).toBe("invalid_client_metadata");
  });

  it("oidcc-registration-jwks-uri and oidcc-refresh-token-rp-key-rotation", async () => {
    const jwks_uri = served("/jwks.json", { keys: [jwkOf("one")] });
    const grant_types = ["authorization_code", "refresh_token"];
    const client = await registered({ jwks: undefined, jwks_uri, grant_types });
    const offline = { scope: "openid offline_access", prompt: "consent" };
    const first = await tokensOf(client, offline, { kid: "one" });
    const of = await newClientKey("RS256");
    served("/jwks.json", { keys: [jwkOf("two", of)] });
    service.advance(60_000);
    const again = { grant_type: "refresh_token", refresh_token: first.refresh_token };
    expect((await post(again, client, { kid: "two", of })).status).toBe(200);
  });

  it("oidcc-refresh-token", async () => {
    const grant_types = ["authorization_code", "refresh_token"];
    const [client, other] = [await registered({ grant_types }), await registered({ grant_types })];
    const first = await tokensOf(client, { scope: "openid offline_access", prompt: "consent" });
    const again = { grant_type: "refresh_token", refresh_token: first.refresh_token };
    const stolen = await post(again, other);
    expect(await errorOf(stolen)).toEqual({ status: 400, error: "invalid_grant" });
    const response = await post({ ...again, scope: "openid offline_access" }, client);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });

  it("oidcc-ensure-client-assertion-with-iss-aud-succeeds", async () => {
    expect((await tokensOf(await registered(), {}, { aud: BASE_URL })).id_token).toBeTruthy();
    const { code_verifier: _, ...form } = await at.signIn(await registered(), NO_PKCE);
    const response = await post(form, await registered(), { aud: "https://other.test/token" });
    expect(await errorOf(response)).toEqual({ status: 401, error: "invalid_client" });
  });

  /** Returns a request object with these claims, unsigned or signed with the client's key. */
  const objectOf = async (client: RegisteredTool, claims: object, alg: "RS256" | "none" = "RS256") => {
    const payload = { ...at.request(client, NO_PKCE), response_type: "code", ...claims };
    const jwt = new SignJWT({ ...payload, aud: BASE_URL, iss: client.client_id }).setProtectedHeader({ alg });
    if (alg === "RS256") return jwt.sign(key.privateKey);
    return `${[{ alg }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;
  };

  it("oidcc-ensure-request-object-with-redirect-uri", async () => {
    const client = await registered();
    const outer = { redirect_uri: `${TOOL_CALLBACK}/bad` };
    const good = await asked(client, { ...outer, request: await objectOf(client, {}) });
    expect(good.headers.get("location")).toContain("/login?flow=");
    const bad = await asked(client, { ...outer, request: await objectOf(client, {}, "none") });
    expect([bad.status, bad.headers.get("location")]).toEqual([400, null]); // the suite skips it without alg none
  });

  it.each([
    ["oidcc-request-uri-signed-rs256", "RS256"],
    ["oidcc-request-uri-unsigned", "none"], // the suite skips it without alg none in discovery
  ] as const)("%s", async (title, alg) => {
    // OIDC Core §6.2: the fragment is a digest of the content, which the suite does not know when it registers.
    const uri = `${host.url(`/${title}.jwt`)}#GkurKxf5T0Y-mnPFCHqWOMiZi4VS138cQO_V7PZHAdM`;
    const client = await registered({
      request_uris: [uri],
      ...(alg === "RS256" && { request_object_signing_alg: alg }),
    });
    expect(client.request_uris).toEqual([uri]);
    const object = await objectOf(client, {}, alg);
    host.answer(`/${title}.jwt`, (response) =>
      response.writeHead(200, { "content-type": "application/jwt" }).end(object),
    );
    const response = await asked(client, { request_uri: uri });
    if (alg === "RS256") expect(response.headers.get("location")).toContain("/login?flow=");
    else expect(answerOf(response).get("error")).toBe("invalid_request_object");
    const another = await asked(client, { request_uri: uri.replace("GkurK", "AAAAA") });
    expect(answerOf(another).get("error")).toBe("invalid_request_uri");
  });

  it("oidcc-discovery-endpoint-verification", async () => {
    const response = await service.fetch("/.well-known/openid-configuration");
    const discovery = (await response.json()) as Record<string, unknown>;
    const contains = (...values: string[]) => expect.arrayContaining(values);
    expect(discovery).toMatchObject({
      registration_endpoint: `${BASE_URL}/oauth/v2/register`,
      response_types_supported: contains("code", "id_token", "id_token token"),
      grant_types_supported: contains("authorization_code", "implicit"),
      request_object_signing_alg_values_supported: contains("RS256"),
      token_endpoint_auth_methods_supported: contains("private_key_jwt"),
      request_uri_parameter_supported: true,
    });
  });

  it("the client is removed at the end of each module", async () => {
    const client = await registered();
    expect((await at.configure(client, "DELETE")).status).toBe(204);
    expect((await at.configure(client, "GET")).status).toBe(401);
  });

  it("oidcc-server-rotate-keys: the next key is published before it signs", async () => {
    const keysNow = async () =>
      ((await (await service.fetch("/oauth/v2/keys")).json()) as { keys: { kid: string }[] }).keys;
    const { id_token } = await tokensOf(await registered());
    const { kid } = decodeProtectedHeader(id_token);
    expect((await keysNow()).filter((one) => one.kid === kid)).toHaveLength(1);
    expect((await keysNow()).length).toBeGreaterThan(1);
  });
});
