import http from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ruleDatabases } from "../testing/database";
import { REDIRECT_URI } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const first = await generateKeyPair("RS256", { extractable: true });
const second = await generateKeyPair("ES256", { extractable: true });
const jwk = async (key: CryptoKey, kid: string) => ({ ...(await exportJWK(key)), kid, use: "sig" });

describe.each(ruleDatabases)("keys that a client publishes itself (jwks_uri) on %s", (kind) => {
  let service: TestService;
  let publisher: http.Server;
  let asked = 0;
  let answer: { status: number; body: string };
  const say = (body: string) => {
    answer = { status: 200, body };
  };
  const publish = async (...keys: object[]) => say(JSON.stringify({ keys }));
  beforeAll(async () => {
    publisher = http.createServer((request, response) => {
      asked++;
      if (request.url === "/moved") return response.writeHead(302, { location: "/keys" }).end();
      return response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((resolve) => publisher.listen(0, "127.0.0.1", resolve));
    const { port } = publisher.address() as AddressInfo;
    const jwksUri = `http://127.0.0.1:${port}/keys`;
    const oidc = (clientId: string, more: object) => ({
      id: `a-${clientId}`,
      name: clientId,
      oidc: {
        clientId,
        redirectUris: [REDIRECT_URI],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
        devMode: true,
        ...more,
      },
    });
    const apps = [
      oidc("rotating", { jwksUri }),
      oidc("moving", { jwksUri: `http://127.0.0.1:${port}/moved` }),
      oidc("secretive", { jwksUri, authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC", clientSecret: "s".repeat(40) }),
      {
        id: "a-api",
        name: "api",
        api: { clientId: "api", jwksUri, authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
      },
    ];
    const machines = [{ id: "m-bot", userName: "bot", jwksUri }];
    const projects = [{ id: "p1", name: "P", apps }];
    service = await testService(kind, { organizations: [{ id: "acme", name: "ACME", projects, machines }] });
  });
  beforeEach(() => {
    service.advance(2 * 3_600_000); // nothing is cached from the previous test
    asked = 0;
  });
  afterAll(async () => {
    await service.close();
    await new Promise((resolve) => publisher.close(resolve));
  });

  const seconds = () => Math.floor(service.ctx.clock() / 1000);
  const assertion = (clientId: string, kid: string, key: CryptoKey, alg = "RS256") =>
    new SignJWT({ iss: clientId, sub: clientId, aud: BASE_URL, exp: seconds() + 60, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg, kid })
      .sign(key);
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    service.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
  /** Sends a token request. Status 400 means that the client was authenticated and its refresh token was not valid. */
  const token = async (client_assertion: string | Promise<string>) => {
    const form = { grant_type: "refresh_token", refresh_token: "none", client_assertion_type: TYPE };
    return (await post("/oauth/v2/token", { ...form, client_assertion: await client_assertion })).status;
  };

  it("are fetched once, and again for an unknown key id", async () => {
    await publish(await jwk(first.publicKey, "one"));
    for (let time = 0; time < 3; time++) expect(await token(assertion("rotating", "one", first.privateKey))).toBe(400);
    expect(asked).toBe(1);
    await publish(await jwk(second.publicKey, "two"));
    service.advance(31_000);
    expect(await token(assertion("rotating", "two", second.privateKey, "ES256"))).toBe(400);
    expect(await token(assertion("rotating", "one", first.privateKey))).toBe(401);
    expect(asked).toBe(2);
  });

  it("are not fetched repeatedly for invented key ids, nor once for each of many concurrent requests", async () => {
    await publish(await jwk(first.publicKey, "one"));
    const invented = Array.from({ length: 20 }, (_, n) => token(assertion("rotating", `x${n}`, first.privateKey)));
    expect(new Set(await Promise.all(invented))).toEqual(new Set([401]));
    for (let n = 0; n < 5; n++) await token(assertion("rotating", `y${n}`, first.privateKey));
    expect(asked).toBe(1);
  });

  it("are used for an hour if they cannot be fetched again, and not longer", async () => {
    await publish(await jwk(first.publicKey, "one"));
    expect(await token(assertion("rotating", "one", first.privateKey))).toBe(400);
    answer = { status: 500, body: "" };
    service.advance(50 * 60_000);
    expect(await token(assertion("rotating", "one", first.privateKey))).toBe(400);
    service.advance(11 * 60_000);
    expect(await token(assertion("rotating", "one", first.privateKey))).toBe(401);
    expect(asked).toBe(3);
  });

  it("are reported as unreadable if they cannot be fetched, but not if the key is another one", async () => {
    const problem = async () => {
      const client_assertion = await assertion("rotating", "other", first.privateKey);
      const form = { grant_type: "refresh_token", refresh_token: "none", client_assertion_type: TYPE };
      return (await (await post("/oauth/v2/token", { ...form, client_assertion })).json()).error_description;
    };
    const unread = expect.stringMatching(/no registered key matches, and the keys at its jwksUri could not be read$/);
    for (const bad of [
      { status: 500, body: "" },
      { status: 200, body: "<html>" },
    ]) {
      answer = bad;
      service.advance(31_000);
      expect(await problem()).toEqual(unread);
      expect(await problem()).toEqual(unread);
    }
    await publish(await jwk(first.publicKey, "one"));
    service.advance(31_000);
    expect(await problem()).toMatch(/no registered key matches$/);
    answer = { status: 500, body: "" };
    service.advance(31_000);
    expect(await problem()).toEqual(unread);
  });

  it("authenticate APIs at introspection and machines in the JWT profile", async () => {
    await publish(await jwk(first.publicKey, "one"));
    const client_assertion = await assertion("api", "one", first.privateKey);
    const introspection = { token: "none", client_assertion_type: TYPE, client_assertion };
    expect((await post("/oauth/v2/introspect", introspection)).status).toBe(200);
    const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const profile = { grant_type, assertion: await assertion("m-bot", "one", first.privateKey) };
    expect((await post("/oauth/v2/token", profile)).status).toBe(200);
  });

  it("are not fetched if another proof, or none, was sent", async () => {
    const jwt = await assertion("secretive", "one", first.privateKey);
    const form = { grant_type: "refresh_token", refresh_token: "none" };
    expect(await token(jwt)).toBe(401);
    expect((await post("/oauth/v2/token", { ...form, client_id: "rotating" })).status).toBe(401);
    expect((await post("/oauth/v2/token", { ...form, client_id: "rotating", client_secret: "x" })).status).toBe(401);
    expect(asked).toBe(0);
  });

  it.each<[string, () => Promise<void>]>([
    ["a symmetric key", () => publish({ kty: "oct", k: "AAAA", kid: "one" })],
    ["a private key", async () => publish({ ...(await exportJWK(first.privateKey)), kid: "one" })],
    ["a key for encryption", async () => publish({ ...(await jwk(first.publicKey, "one")), use: "enc" })],
    ["no array of keys", async () => say('{"keys": {}}')],
    ["no JSON", async () => say("<html>")],
    ["more than 64 KiB", async () => publish(await jwk(first.publicKey, "one"), { pad: "x".repeat(70_000) })],
  ])("are not accepted if the response has %s", async (_, prepare) => {
    await prepare();
    expect(await token(assertion("rotating", "one", first.privateKey))).toBe(401);
    expect(asked).toBe(1);
  });

  it("are not fetched from the target of a redirect", async () => {
    await publish(await jwk(first.publicKey, "one"));
    expect(await token(assertion("moving", "one", first.privateKey))).toBe(401);
    expect(asked).toBe(1);
  });

  it.each(["http://10.0.0.1/keys", "https://192.168.1.1/keys", "https://169.254.169.254/", "http://rp.test/keys"])(
    "are never fetched from %s, even if that is stored",
    async (jwksUri) => {
      const { prisma } = service.ctx.db;
      await prisma.user.update({ where: { id: "m-bot" }, data: { jwksUri } });
      const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
      const profile = { grant_type, assertion: await assertion("m-bot", "one", first.privateKey) };
      expect((await post("/oauth/v2/token", profile)).status).toBe(400);
    },
  );
});
