import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addApp } from "../directory/app/app";
import { setSecuritySettings } from "../directory/instance-settings";
import { isApiError } from "../protocol/api-error";
import { ruleDatabases } from "../testing/database";
import { DOCUMENT_REDIRECT, type DocumentHost, documentHost } from "../testing/document-host";
import { exampleBootstrap } from "../testing/example";
import { authorize, authorizePath, errorOf, fillSignIn, onOf, pkcePair, postToken, userinfo } from "../testing/flow";
import { anotherProcess, BASE_URL, type TestService, testService } from "../testing/test-context";
import { sweepExpired } from "./sweep";

const MINUTE = 60_000;
const origin = { actor: "system" };
const { verifier, challenge } = pkcePair();
const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
const keyPair = await generateKeyPair("ES256", { extractable: true });
const privateJwk = await exportJWK(keyPair.privateKey);

describe.each(ruleDatabases)("client ID metadata documents (draft -02) on %s", (kind) => {
  let service: TestService;
  let host: DocumentHost;
  const accept = (settings: { enabled?: boolean; allowedHosts?: string[]; deniedHosts?: string[] }) =>
    setSecuritySettings(
      { ...service.ctx, origin },
      { clientIdMetadataDocuments: { enabled: true, allowedHosts: [], deniedHosts: [], ...settings } },
    );
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    host = await documentHost(service);
  });
  beforeEach(async () => {
    service.advance(25 * 60 * MINUTE); // nothing is cached from the previous test
    await accept({});
  });
  afterAll(async () => {
    await host.close();
    await service.close();
  });

  const request = (clientId: string, more: Partial<Record<string, string>> = {}) => ({
    client_id: clientId,
    redirect_uri: DOCUMENT_REDIRECT,
    scope: "openid profile offline_access",
    ...pkce,
    ...more,
  });
  const open = (clientId: string, more: Partial<Record<string, string>> = {}) =>
    service.browser().get(authorizePath(request(clientId, more)));
  /** Returns the status of an authorization request: 303 leads to the sign-in page. */
  const status = async (clientId: string, more?: Partial<Record<string, string>>) =>
    (await open(clientId, more)).status;
  const refusal = async (clientId: string) => {
    const response = await open(clientId);
    const details = /<bdi lang="en">(.*?)<\/bdi>/.exec(await response.text())?.[1];
    return response.status === 400 ? details : `status ${response.status}`;
  };
  const rows = async () =>
    (await service.ctx.db.prisma.app.findMany({ where: { clientId: { startsWith: "https:" } } })).length;
  const signIn = async (clientId: string, more: Partial<Record<string, string>> = {}) => {
    const code = (await authorize(service.browser(), request(clientId, more))).get("code") ?? "";
    const redirect_uri = more.redirect_uri ?? DOCUMENT_REDIRECT;
    return { grant_type: "authorization_code", code, redirect_uri, client_id: clientId, code_verifier: verifier };
  };

  it("let users sign in to a client that no administrator registered, and are stored only then", async () => {
    const clientId = host.serve("/client");
    expect(await status(clientId)).toBe(303);
    expect(await rows()).toBe(0);
    const response = await postToken(service, await signIn(clientId), null);
    expect(response.status).toBe(200);
    const tokens = await response.json();
    expect(tokens).toMatchObject({ token_type: "Bearer", scope: "openid profile offline_access" });
    expect((await userinfo(service, tokens.access_token)).status).toBe(200);
    const refreshed = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: clientId };
    expect((await postToken(service, refreshed, null)).status).toBe(200);
    expect(await rows()).toBe(1);
    expect(host.asked("/client")).toBe(1);
  });

  it("ask the users of every organization, and again in another browser only for more", async () => {
    const clientId = host.serve("/asks");
    const browser = service.browser();
    const first = await browser.get(authorizePath(request(clientId)));
    const asked = onOf(await fillSignIn(browser, first));
    expect(asked).toMatch(/^\/login\/continue\?/);
    const page = await (await browser.get(asked)).text();
    expect(page).toContain(`This request comes from <bdi>${new URL(clientId).host}</bdi>`);
  });

  it("need no scope openid, and then get no id_token", async () => {
    const clientId = host.serve("/oauth");
    const form = await signIn(clientId, { scope: undefined, nonce: undefined });
    const tokens = await (await postToken(service, form, null)).json();
    expect(tokens).toMatchObject({ scope: "" });
    expect(tokens.id_token).toBeUndefined();
    expect((await userinfo(service, tokens.access_token)).status).toBe(403);
  });

  it("have loopback redirect addresses with any port, whatever kind of application they say they are", async () => {
    const clientId = host.serve("/ports", { application_type: "web" });
    expect(await status(clientId, { redirect_uri: "http://127.0.0.1:49152/callback" })).toBe(303);
    expect(await status(clientId, { redirect_uri: "http://127.0.0.1:49152/other" })).toBe(400);
    expect(await status(clientId, { redirect_uri: "http://localhost:49152/callback" })).toBe(400);
    expect(await status(clientId, { redirect_uri: "https://evil.test/callback" })).toBe(400);
  });

  it("authenticate by the keys in the document, and accept no secret", async () => {
    const jwks = { keys: [{ ...(await exportJWK(keyPair.publicKey)), kid: "k", use: "sig" }] };
    const clientId = host.serve("/keys", { token_endpoint_auth_method: "private_key_jwt", jwks });
    const form = await signIn(clientId);
    expect(await errorOf(await postToken(service, form, null))).toEqual({ status: 401, error: "invalid_client" });
    const now = Math.floor(service.ctx.clock() / 1000);
    const claims = { iss: clientId, sub: clientId, aud: BASE_URL, exp: now + 60, jti: crypto.randomUUID() };
    const assertion = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(keyPair.privateKey);
    const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const proven = { ...form, client_assertion_type, client_assertion: assertion };
    expect((await postToken(service, proven, null)).status).toBe(200);
  });

  it("are fetched again when they are stale, and share one fetch among concurrent requests", async () => {
    const clientId = host.serve("/fresh", {}, { "cache-control": "max-age=600" });
    await Promise.all(Array.from({ length: 10 }, () => open(clientId)));
    service.advance(9 * MINUTE);
    expect(await status(clientId)).toBe(303);
    expect(host.asked("/fresh")).toBe(1);
    service.advance(2 * MINUTE);
    expect(await status(clientId)).toBe(303);
    expect(host.asked("/fresh")).toBe(2);
  });

  it("are used while their host does not answer, but not after they were removed", async () => {
    const clientId = host.serve("/away");
    expect(await status(clientId)).toBe(303);
    host.answer("/away", (response) => response.writeHead(503).end());
    service.advance(6 * MINUTE);
    expect(await status(clientId)).toBe(303);
    host.remove("/away");
    service.advance(6 * MINUTE);
    expect(await refusal(clientId)).toContain("was answered with status 404");
  });

  it("that cannot be used are not fetched again for a minute", async () => {
    const clientId = host.url("/missing");
    for (let time = 0; time < 5; time++) expect(await status(clientId)).toBe(400);
    expect(host.asked("/missing")).toBe(1);
    service.advance(MINUTE + 1);
    host.serve("/missing");
    expect(await status(clientId)).toBe(303);
  });

  const many = Array.from({ length: 1_000 }, (_, n) => `https://app.example.com/${n}`);
  it.each<[string, object, string]>([
    ["lies about its client_id", { client_id: "https://good.example.com/client" }, "another client_id"],
    ["has no client_id", { client_id: undefined }, "another client_id"],
    ["has a client_id that differs by a query", { client_id: "https://localhost/x?" }, "another client_id"],
    ["has a secret", { client_secret: "s".repeat(40) }, "client_secret"],
    ["has a method with a secret", { token_endpoint_auth_method: "client_secret_basic" }, "token_endpoint_auth_method"],
    [
      "has a method with a shared key",
      { token_endpoint_auth_method: "client_secret_jwt" },
      "token_endpoint_auth_method",
    ],
    ["has script as redirect address", { redirect_uris: ["javascript:alert(1)"] }, "redirect_uris[0]"],
    ["has data as redirect address", { redirect_uris: ["data:text/html,x"] }, "redirect_uris[0]"],
    ["has a redirect address with plain http", { redirect_uris: ["http://app.example.com/cb"] }, "redirect_uris[0]"],
    ["has script as its home page", { client_uri: "javascript:alert(1)" }, "client_uri"],
    ["has script as its logo", { logo_uri: "data:image/svg+xml,x" }, "logo_uri"],
    ["has no redirect address", { redirect_uris: [] }, "redirect_uris"],
    ["has a redirect address twice", { redirect_uris: [DOCUMENT_REDIRECT, DOCUMENT_REDIRECT] }, "redirect_uris"],
    ["has redirect addresses that are no list", { redirect_uris: DOCUMENT_REDIRECT }, "redirect_uris"],
    ["has a private key", { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [privateJwk] } }, "jwks"],
    ["proves itself by a key and has none", { token_endpoint_auth_method: "private_key_jwt" }, "jwks"],
    ["has a name with hidden characters", { client_name: "Bank\u202eknaB" }, "client_name"],
    ["has a name that is no text", { client_name: { en: "x" } }, "client_name"],
  ])("are refused if a document %s", async (_, members, reason) => {
    const page = await refusal(host.serve("/bad", members));
    expect(page).toContain(reason);
    expect(await rows()).toBeLessThan(8);
  });

  it.each<[string, Parameters<DocumentHost["answer"]>[1], string]>([
    ["redirects", (response) => response.writeHead(302, { location: "/client" }).end(), "status 302"],
    ["is HTML", (response) => response.writeHead(200, { "content-type": "text/html" }).end("{}"), "not sent as JSON"],
    [
      "is no JSON",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end("{"),
      "is not JSON",
    ],
    [
      "is a list",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end("[]"),
      "JSON object",
    ],
    [
      "is null",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end("null"),
      "JSON object",
    ],
    [
      "is huge",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(20_000)}"`),
      "could not be read",
    ],
    [
      "has 1,000 redirect addresses",
      (response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ redirect_uris: many })),
      "could not be read",
    ],
    ["breaks off", (response) => response.writeHead(200, { "content-length": "100" }).destroy(), "could not be read"],
  ])("are refused if the response %s", async (_, answer, reason) => {
    expect(await refusal(host.answer("/odd", answer))).toContain(reason);
  });

  it("give up on a host that never ends its answer", { timeout: 15_000 }, async () => {
    const clientId = host.answer("/slow", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 200);
      response.on("close", () => clearInterval(drip));
    });
    expect(await refusal(clientId)).toContain("could not be read");
  });

  it.each([
    "http://localhost:1/client",
    "https://localhost:1",
    "https://user@localhost:1/client",
    "https://localhost:1/a/../client",
    "https://localhost:1/client#x",
  ])("are not looked for at %s", async (clientId) => {
    expect(await refusal(clientId)).toContain("is no address of a metadata document");
  });

  it("fetch no more than a few unknown documents of one host in a minute", async () => {
    const addresses = Array.from({ length: 110 }, (_, n) => host.url(`/flood/${n}`));
    for (const clientId of addresses) expect(await status(clientId)).toBe(400);
    const fetched = addresses.filter((_, n) => host.asked(`/flood/${n}`) > 0);
    expect(fetched.length).toBeLessThanOrEqual(100);
    expect(await refusal(host.url("/flood/111"))).toContain("too many metadata documents");
  });

  it("are off until the instance accepts them, and by its lists of hosts, at once in every process", async () => {
    const clientId = host.serve("/listed");
    const other = anotherProcess(service);
    const statuses = async () => {
      const path = authorizePath(request(clientId));
      return [await status(clientId), (await other.browser().get(path)).status];
    };
    expect(await statuses()).toEqual([303, 303]);
    await accept({ deniedHosts: ["localhost"] });
    expect(await statuses()).toEqual([400, 400]);
    await accept({ allowedHosts: ["*.example.com"] });
    expect(await statuses()).toEqual([400, 400]);
    await accept({ allowedHosts: ["localhost"] });
    expect(await statuses()).toEqual([303, 303]);
    await accept({ enabled: false });
    expect(await statuses()).toEqual([400, 400]);
    expect(await refusal(clientId)).toContain("names no active application");
  });

  it("are forgotten a year after their last use", async () => {
    const clientId = host.serve("/forgotten");
    expect((await postToken(service, await signIn(clientId), null)).status).toBe(200);
    const isStored = async () => (await service.ctx.db.prisma.app.count({ where: { clientId } })) === 1;
    service.advance(300 * 24 * 60 * MINUTE);
    await sweepExpired(service.ctx);
    expect(await isStored()).toBe(true);
    service.advance(66 * 24 * 60 * MINUTE);
    await sweepExpired(service.ctx);
    expect(await isStored()).toBe(false);
  });

  it("cannot be taken by an administrator who chooses such a client id", async () => {
    const app = {
      projectId: "p1",
      organizationId: "acme",
      name: "X",
      kind: "oidc" as const,
      clientId: host.url("/mine"),
    };
    const added = await service.ctx.db.transaction((tx) => addApp({ ...service.ctx, tx, origin }, app));
    expect(isApiError(added) && added.id).toBe("app.reserved_client_id");
  });
});
