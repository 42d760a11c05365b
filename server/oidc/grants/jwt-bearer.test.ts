import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { basic, errorOf, postToken, type Tokens, tokensOf, userinfo } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import {
  MACHINE_SECRET,
  machineEcKey,
  machineKey,
  machinePem,
  P1_SCOPE,
  tokenBootstrap,
} from "../../testing/token-example";
import { verifyAccessToken } from "../access-tokens";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const seconds = () => Math.floor(Date.now() / 1000);
const stranger = await generateKeyPair("RS256", { extractable: true });

describe.each(databaseKinds)("token endpoint: jwt-bearer, the JWT profile (RFC 7523 §2.1, §3) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  interface Making {
    claims?: Record<string, unknown>;
    header?: Record<string, unknown>;
    key?: CryptoKey;
  }
  const assertion = ({ claims, header, key = machineKey.privateKey }: Making = {}) =>
    new SignJWT({ iss: "m-ci", sub: "m-ci", aud: BASE_URL, iat: seconds(), exp: seconds() + 300, ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "k1", ...header })
      .sign(key);
  const post = (jwt: string, form: Record<string, string> = {}, authorization: string | null = null) =>
    postToken(service, { grant_type: JWT_BEARER, assertion: jwt, ...form }, authorization);

  it("issues a token for the machine itself", async () => {
    const response = await post(await assertion(), { scope: P1_SCOPE });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const answer = (await response.json()) as Tokens;
    expect(Object.keys(answer).sort()).toEqual(["access_token", "expires_in", "scope", "token_type"]);
    const live = await verifyAccessToken(service.ctx, answer.access_token);
    expect(live).toMatchObject({ userId: "m-ci", clientId: "ci", audience: "ci p1" });
  });

  it("issues an id_token for openid, and userinfo accepts the access token", async () => {
    const answer = (await (await post(await assertion(), { scope: "openid profile" })).json()) as Tokens;
    const claims = decodeJwt(answer.id_token);
    expect(claims).toMatchObject({ iss: BASE_URL, sub: "m-ci", aud: "ci", azp: "ci", at_hash: expect.any(String) });
    expect(claims).not.toHaveProperty("name");
    expect(await (await userinfo(service, answer.access_token)).json()).toMatchObject({
      sub: "m-ci",
      name: "Machine ci",
      preferred_username: "ci@acme.test",
    });
  });

  it("accepts every algorithm of the registered key, and an audience of one in a list", async () => {
    const ec = { header: { alg: "ES256", kid: "k2" }, key: machineEcKey.privateKey, claims: { aud: [BASE_URL] } };
    expect((await post(await assertion(ec))).status).toBe(200);
    const key = (await importJWK(await exportJWK(machineKey.privateKey), "PS512")) as CryptoKey;
    expect((await post(await assertion({ header: { alg: "PS512" }, key }))).status).toBe(200);
  });

  it("accepts a lifetime of one hour, as in key files of service accounts", async () => {
    expect((await post(await assertion({ claims: { exp: seconds() + 3600 } }))).status).toBe(200);
  });

  it.each<[string, Making]>([
    ["another issuer", { claims: { iss: "m-jwt-bot" } }],
    ["another subject", { claims: { sub: "u-ada" } }],
    ["an unknown issuer", { claims: { iss: "nobody", sub: "nobody" } }],
    ["a person", { claims: { iss: "u-ada", sub: "u-ada" } }],
    ["the user name of the machine", { claims: { iss: "ci", sub: "ci" } }],
    ["no audience", { claims: { aud: undefined } }],
    ["the token endpoint as audience", { claims: { aud: `${BASE_URL}/oauth/v2/token` } }],
    ["another server", { claims: { aud: "https://other.test" } }],
    ["another audience in addition to the issuer", { claims: { aud: [BASE_URL, "https://other.test"] } }],
    ["no exp", { claims: { exp: undefined } }],
    ["an expired one", { claims: { exp: seconds() - 120 } }],
    ["one for more than an hour", { claims: { exp: seconds() + 2 * 3600 } }],
    ["one older than an hour", { claims: { iat: seconds() - 2 * 3600 } }],
    ["one issued in the future", { claims: { iat: seconds() + 3600, exp: seconds() + 3600 } }],
    ["one that is not valid yet", { claims: { nbf: seconds() + 600 } }],
    ["a jti that is not a text", { claims: { jti: 7 } }],
    ["no kid", { header: { kid: undefined } }],
    ["an unknown kid", { header: { kid: "k9" } }],
    ["a path as kid", { header: { kid: "../../k1" } }],
    ["SQL as kid", { header: { kid: "k1' OR '1'='1" } }],
    ["NUL in the kid", { header: { kid: "k1\0" } }],
    ["an expired key", { header: { kid: "old" } }],
    ["a key of another machine", { key: stranger.privateKey }],
    ["another type of key", { header: { alg: "ES256" }, key: machineEcKey.privateKey }],
    ["an access token's type", { header: { typ: "at+jwt" } }],
    ["a key inside the header", { header: { jwk: { kty: "RSA" } } }],
    ["an address of keys in the header", { header: { jku: "https://evil.test/keys" } }],
    ["a certificate's address in the header", { header: { x5u: "https://evil.test/cert" } }],
  ])("rejects %s: invalid_grant", async (_, making) => {
    expect(await errorOf(await post(await assertion(making)))).toEqual({ status: 400, error: "invalid_grant" });
  });

  it("rejects unsigned assertions, and those signed with the public key as a secret", async () => {
    const [header = "", payload = "", signature = ""] = (await assertion()).split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none", kid: "k1" })).toString("base64url");
    const hmac = await new SignJWT(decodeJwt(`${header}.${payload}.${signature}`))
      .setProtectedHeader({ alg: "HS256", kid: "k1" })
      .sign(new TextEncoder().encode(machinePem));
    const changed = Buffer.from(JSON.stringify({ ...decodeJwt(hmac), sub: "m-jwt-bot" })).toString("base64url");
    const crit = await assertion({ header: { crit: ["exp"], exp: 1 } }).catch(() => "x.y.z");
    for (const jwt of [
      `${none}.${payload}.`,
      hmac,
      `${header}.${changed}.${signature}`,
      crit,
      "x",
      "a.b.c",
      "..",
      "é",
    ]) {
      expect(await errorOf(await post(jwt))).toEqual({ status: 400, error: "invalid_grant" });
    }
  });

  it("rejects another spelling of a valid one: spaces, line breaks, padding (RFC 7515 §7.1)", async () => {
    const good = await assertion();
    for (const other of [`${good} `, ` ${good}`, `${good}\n`, `${good}=`, good.replace(".", " .")]) {
      expect(await errorOf(await post(other))).toEqual({ status: 400, error: "invalid_grant" });
    }
    expect((await post(good)).status).toBe(200);
  });

  it("rejects an access token and an id_token as assertion", async () => {
    const { id_token } = await tokensOf(service);
    const machine = basic("jwt-bot", `jwt-bot-${MACHINE_SECRET}`);
    const own = (await (await postToken(service, { grant_type: "client_credentials" }, machine)).json()) as Tokens;
    for (const jwt of [id_token, own.access_token]) {
      expect(await errorOf(await post(jwt))).toEqual({ status: 400, error: "invalid_grant" });
    }
  });

  it("accepts one with a jti once: one of 100 concurrent requests succeeds", async () => {
    for (const scope of ["openid", P1_SCOPE]) {
      const jwt = await assertion({ claims: { jti: `once-${scope}` } });
      const answers = await Promise.all(Array.from({ length: 100 }, () => post(jwt, { scope })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await errorOf(await post(jwt, { scope }))).toEqual({ status: 400, error: "invalid_grant" });
    }
    const written = await service.ctx.db.prisma.grant.count({ where: { userId: "m-ci", scope: "openid" } });
    expect(written).toBe(1);
  });

  it("does not consume a jti with a request that fails", async () => {
    const jwt = await assertion({ claims: { jti: "kept" } });
    expect(await errorOf(await post(jwt, { scope: "everything" }))).toMatchObject({ error: "invalid_scope" });
    expect((await post(jwt)).status).toBe(200);
  });

  it("rejects additional client credentials, and a missing assertion: invalid_request", async () => {
    const jwt = await assertion();
    const refused = [
      post(jwt, {}, basic("web", SECRET)),
      post(jwt, { client_id: "post", client_secret: SECRET }),
      postToken(service, { grant_type: JWT_BEARER }, null),
    ];
    for (const answer of refused) {
      expect(await errorOf(await answer)).toEqual({ status: 400, error: "invalid_request" });
    }
  });

  it("rejects a machine that is deactivated and a key that was removed, from the next request on", async () => {
    const { prisma } = service.ctx.db;
    const answer = (await (await post(await assertion(), { scope: "openid" })).json()) as Tokens;
    await prisma.machineKey.deleteMany({ where: { userId: "m-ci", id: "k2" } });
    const removed = await assertion({ header: { alg: "ES256", kid: "k2" }, key: machineEcKey.privateKey });
    expect(await errorOf(await post(removed))).toEqual({ status: 400, error: "invalid_grant" });
    await prisma.user.update({ where: { id: "m-ci" }, data: { state: "inactive" } });
    expect(await errorOf(await post(await assertion()))).toEqual({ status: 400, error: "invalid_grant" });
    expect((await userinfo(service, answer.access_token)).status).toBe(401);
  });
});
