import { decodeProtectedHeader, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newClientKey } from "../../testing/client-keys";
import { ruleDatabases } from "../../testing/database";
import { type DocumentHost, documentHost } from "../../testing/document-host";
import { exampleBootstrap } from "../../testing/example";
import { answerOf, authorizePath, basic, fillSignIn, onOf, postToken, type Tokens, userinfo } from "../../testing/flow";
import { type RegisteredTool, registeringAt, TOOL_CALLBACK } from "../../testing/registering";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

const QUERY = `${TOOL_CALLBACK}?foo=bar`;
const key = await newClientKey("RS256");
const jwkOf = (kid: string, { jwk } = key) => ({ ...jwk, kid, use: "sig", alg: "RS256" });

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

  const refusedWith = async (members: object) => {
    const response = await at.post({ redirect_uris: [TOOL_CALLBACK], ...members });
    expect(response.status).toBe(400);
    return ((await response.json()) as { error: string }).error;
  };
  const tokensOf = async (client: RegisteredTool, more: Record<string, string> = {}) => {
    const form = { ...(await at.signIn(client)), ...more };
    const own = client.client_secret === undefined ? null : basic(client.client_id, client.client_secret);
    const response = await postToken(service, form, own);
    expect(response.status).toBe(200);
    return (await response.json()) as Tokens;
  };
  /** Serves JSON and returns its address. */
  const served = (path: string, content: unknown) =>
    host.answer(path, (response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(content)),
    );
  const asked = async (client: RegisteredTool, more: Partial<Record<string, string>> = {}) =>
    service.browser().get(authorizePath(at.request(client, more)));
  const assertion = (client: RegisteredTool, kid: string, of = key) =>
    new SignJWT({ iss: client.client_id, sub: client.client_id, aud: BASE_URL, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: "RS256", kid })
      .setExpirationTime(Math.floor(service.ctx.clock() / 1000) + 60)
      .sign(of.privateKey);
  const signed = async (client: RegisteredTool, kid: string, of = key) => ({
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await assertion(client, kid, of),
  });

  it("oidcc-server", async () => {
    const { id_token, access_token } = await tokensOf(await at.registered());
    expect(decodeProtectedHeader(id_token).alg).toBe("RS256");
    expect((await userinfo(service, access_token)).status).toBe(200);
  });

  it("oidcc-idtoken-rs256", async () => {
    const { id_token } = await tokensOf(await at.registered({ id_token_signed_response_alg: "RS256" }));
    expect(decodeProtectedHeader(id_token).alg).toBe("RS256");
  });

  it("oidcc-idtoken-unsigned", async () => {
    expect(await refusedWith({ id_token_signed_response_alg: "none" })).toBe("invalid_client_metadata");
  });

  it("oidcc-userinfo-rs256", async () => {
    const { access_token } = await tokensOf(await at.registered({ userinfo_signed_response_alg: "RS256" }));
    const response = await userinfo(service, access_token);
    expect(response.headers.get("content-type")).toContain("application/jwt");
    expect(decodeProtectedHeader(await response.text()).alg).toBe("RS256");
  });

  it("oidcc-ensure-redirect-uri-in-authorization-request", async () => {
    expect((await asked(await at.registered(), { redirect_uri: undefined })).status).toBe(400);
  });

  it("oidcc-redirect-uri-query-OK", async () => {
    const client = await at.registered({ redirect_uris: [QUERY] });
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
  ])("%s", async (_, registered, redirect_uri) => {
    expect((await asked(await at.registered({ redirect_uris: [registered] }), { redirect_uri })).status).toBe(400);
  });

  it("oidcc-redirect-uri-regfrag", async () => {
    expect(await refusedWith({ redirect_uris: [`${TOOL_CALLBACK}#fragment`] })).toBe("invalid_redirect_uri");
  });

  it.each([
    ["oidcc-registration-logo-uri", { logo_uri: "https://tool.test/logo.png" }, ""],
    ["oidcc-registration-policy-uri", { policy_uri: "https://tool.test/policy" }, "https://tool.test/policy"],
    ["oidcc-registration-tos-uri", { tos_uri: "https://tool.test/tos" }, "https://tool.test/tos"],
  ])("%s", async (_, members, shown) => {
    const client = await at.registered(members);
    expect(client).toMatchObject(members);
    const browser = service.browser();
    const page = onOf(await fillSignIn(browser, await browser.get(authorizePath(at.request(client)))));
    expect(await (await browser.get(page)).text()).toContain(shown);
  });

  it("oidcc-registration-sector-uri", async () => {
    const sector_identifier_uri = served("/sector.json", [TOOL_CALLBACK]);
    const client = await at.registered({ sector_identifier_uri, subject_type: "pairwise" });
    expect((await tokensOf(client)).id_token).toBeTruthy();
  });

  it("oidcc-registration-sector-bad", async () => {
    const sector_identifier_uri = served("/bad-sector.json", ["https://other.test/"]);
    expect(await refusedWith({ sector_identifier_uri })).toBe("invalid_client_metadata");
  });

  it("oidcc-registration-jwks-uri and oidcc-refresh-token-rp-key-rotation", async () => {
    const jwks_uri = served("/jwks.json", { keys: [jwkOf("one")] });
    const grant_types = ["authorization_code", "refresh_token"];
    const client = await at.registered({ jwks_uri, grant_types, token_endpoint_auth_method: "private_key_jwt" });
    const form = await at.signIn(client, { scope: "openid offline_access" });
    const first = (await (
      await postToken(service, { ...form, ...(await signed(client, "one")) }, null)
    ).json()) as Tokens;
    expect(first.id_token).toBeTruthy();
    const next = await newClientKey("RS256");
    served("/jwks.json", { keys: [jwkOf("two", next)] });
    service.advance(31_000);
    const again = { grant_type: "refresh_token", refresh_token: first.refresh_token };
    expect((await postToken(service, { ...again, ...(await signed(client, "two", next)) }, null)).status).toBe(200);
  });

  it("oidcc-request-uri-signed-rs256 and oidcc-request-uri-unsigned", async () => {
    const uris = ["/object.jwt", "/unsigned.jwt"].map((path) => host.url(path));
    const client = await at.registered({ request_uris: uris, jwks: { keys: [jwkOf("one")] } });
    const { client_id } = client;
    const claims = { ...at.request(client), response_type: "code", aud: BASE_URL, iss: client_id };
    const object = await new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setExpirationTime(Math.floor(service.ctx.clock() / 1000) + 60)
      .sign(key.privateKey);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${object.split(".")[1]}.`;
    for (const [path, text] of [
      ["/object.jwt", object],
      ["/unsigned.jwt", unsigned],
    ] as const) {
      host.answer(path, (response) => response.writeHead(200, { "content-type": "application/jwt" }).end(text));
    }
    const [good, bad] = await Promise.all(uris.map((request_uri) => asked(client, { request_uri })));
    expect(good?.headers.get("location")).toContain("/login?flow=");
    expect(bad && answerOf(bad).get("error")).toMatch(/^invalid_request/);
  });

  it("oidcc-server-rotate-keys: the next key is published before it signs", async () => {
    const keysNow = async () =>
      ((await (await service.fetch("/oauth/v2/keys")).json()) as { keys: { kid: string }[] }).keys;
    const { id_token } = await tokensOf(await at.registered());
    const { kid } = decodeProtectedHeader(id_token);
    expect((await keysNow()).filter((one) => one.kid === kid)).toHaveLength(1);
    expect((await keysNow()).length).toBeGreaterThan(1);
  });
});
