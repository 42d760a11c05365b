import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyBootstrap } from "../bootstrap/apply";
import { ruleDatabases } from "../testing/database";
import { type DocumentHost, documentHost } from "../testing/document-host";
import { exampleBootstrap, SECRET } from "../testing/example";
import { answerOf, basic, fillSignIn, postToken, REDIRECT_URI } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const MINUTE = 60_000;
const [acme] = exampleBootstrap.organizations;
const { privateKey, publicKey } = await generateKeyPair("ES256");
const jwk = await exportJWK(publicKey);
const kid = await calculateJwkThumbprint(jwk);

describe.each(ruleDatabases)("request objects by reference (RFC 9101 §5.2) on %s", (kind) => {
  let service: TestService;
  let host: DocumentHost;
  beforeAll(async () => {
    service = await testService(kind, { organizations: [acme] });
    host = await documentHost(service);
    const shared = { clientSecret: SECRET, redirectUris: [REDIRECT_URI], jwks: { keys: [{ ...jwk, kid }] } };
    const requestUris = ["/object", "/odd", "/slow", "/kept"].map((path) => host.url(path));
    const apps = [
      { id: "a-r", name: "R", oidc: { clientId: "r", ...shared, requestUris, devMode: true } },
      { id: "a-strict", name: "S", oidc: { clientId: "strict", ...shared, requestUris, devMode: true } },
      {
        id: "a-keyless",
        name: "K",
        oidc: { clientId: "keyless", ...shared, jwks: undefined, requestUris, devMode: true },
      },
      { id: "a-none", name: "N", oidc: { clientId: "none", ...shared } },
    ];
    await applyBootstrap(service.ctx, {
      organizations: [{ id: acme?.id, name: acme?.name, projects: [{ id: "p-r", name: "R", apps }] }],
    });
  });
  beforeEach(() => service.advance(11 * MINUTE)); // nothing is cached from the previous test
  afterAll(async () => {
    await host.close();
    await service.close();
  });

  const now = () => Math.floor(service.ctx.clock() / 1000);
  const object = (claims: Record<string, unknown> = {}) =>
    new SignJWT({
      ...{ iss: "r", aud: BASE_URL, exp: now() + 3_600, client_id: "r", response_type: "code" },
      ...{ redirect_uri: REDIRECT_URI, scope: "openid", state: "inside", ...claims },
    })
      .setProtectedHeader({ alg: "ES256", kid, typ: "oauth-authz-req+jwt" })
      .sign(privateKey);
  const publish = (path: string, body: string, headers: Record<string, string> = {}) =>
    host.answer(path, (response) => response.writeHead(200, headers).end(body));
  const open = (parameters: Record<string, string>) =>
    service.browser().get(`/oauth/v2/authorize?${new URLSearchParams(parameters)}`);
  const refusal = async (request_uri: string, more: Record<string, string> = {}) =>
    answerOf(await open({ client_id: "r", redirect_uri: REDIRECT_URI, request_uri, ...more })).get("error");

  it("replace the parameters beside them", async () => {
    const request_uri = publish("/object", await object());
    const query = new URLSearchParams({ client_id: "r", request_uri, state: "outside", scope: "openid email" });
    const browser = service.browser();
    const answer = answerOf(await fillSignIn(browser, await browser.get(`/oauth/v2/authorize?${query}`)));
    expect(answer.get("state")).toBe("inside");
    const form = { grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: REDIRECT_URI };
    const tokens = await (await postToken(service, form, basic("r", SECRET))).json();
    expect(tokens).toMatchObject({ scope: "openid" });
  });

  it("are fetched at each request, or kept as long as their headers say, ten minutes at most", async () => {
    const [fresh, kept] = [host.url("/object"), host.url("/kept")];
    publish("/object", await object());
    publish("/kept", await object(), { "cache-control": "max-age=86400" });
    const before = [host.asked("/object"), host.asked("/kept")] as const;
    for (let time = 0; time < 3; time++)
      for (const uri of [fresh, kept]) await open({ client_id: "r", request_uri: uri });
    expect([host.asked("/object") - before[0], host.asked("/kept") - before[1]]).toEqual([3, 1]);
    service.advance(11 * MINUTE);
    await open({ client_id: "r", request_uri: kept });
    expect(host.asked("/kept") - before[1]).toBe(2);
  });

  it("are fetched only from registered addresses, character by character", async () => {
    publish("/other", await object());
    for (const uri of [
      host.url("/other"),
      `${host.url("/object")}?`,
      host.url("/object").toUpperCase(),
      "https://169.254.169.254/",
    ]) {
      expect(await refusal(uri)).toBe("invalid_request_uri");
    }
    expect(host.asked("/other")).toBe(0);
  });

  it.each<[string, Parameters<DocumentHost["answer"]>[1]]>([
    ["redirects", (response) => response.writeHead(302, { location: "/object" }).end()],
    ["is missing", (response) => response.writeHead(404).end()],
    ["is huge", (response) => response.writeHead(200).end("x".repeat(20_000))],
    ["breaks off", (response) => response.writeHead(200, { "content-length": "100" }).destroy()],
  ])("are refused with invalid_request_uri if the response %s", async (_, answer) => {
    expect(await refusal(host.answer("/odd", answer))).toBe("invalid_request_uri");
  });

  it("that could not be read are not asked for again at once", async () => {
    const uri = host.answer("/odd", (response) => response.writeHead(503).end());
    const before = host.asked("/odd");
    await Promise.all(Array.from({ length: 20 }, () => refusal(uri)));
    expect(host.asked("/odd") - before).toBe(1);
  });

  it.each<[string, () => Promise<string>]>([
    ["is not signed", async () => `${btoa('{"alg":"none"}')}.${btoa("{}")}.`],
    ["is no JWT", async () => "<html>"],
    ["is of another client", () => object({ iss: "strict", client_id: "strict" })],
    ["has expired", () => object({ exp: 1 })],
    ["contains a reference", () => object({ request_uri: host.url("/object") })],
  ])("are refused with invalid_request_object if the object %s", async (_, body) => {
    expect(await refusal(publish("/odd", await body()))).toBe("invalid_request_object");
  });

  it("are refused beside a request object, of clients without keys or registered addresses, and when pushed", async () => {
    const uri = publish("/object", await object());
    expect(await refusal(uri, { request: await object() })).toBe("invalid_request");
    expect(await refusal(uri, { client_id: "keyless" })).toBe("request_uri_not_supported");
    expect(await refusal(uri, { client_id: "none", response_type: "code", scope: "openid" })).toBe(
      "request_uri_not_supported",
    );
    const pushed = await service.fetch("/oauth/v2/par", {
      method: "POST",
      body: new URLSearchParams({ request_uri: uri }),
      headers: { authorization: basic("r", SECRET) },
    });
    expect([pushed.status, ((await pushed.json()) as { error: string }).error]).toEqual([400, "invalid_request"]);
  });
});
