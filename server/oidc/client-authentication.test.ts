import { decodeJwt, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digest } from "../crypto/digest";
import { invalidateDirectory } from "../directory/cache";
import { databaseKinds, ruleDatabases } from "../testing/database";
import { SECRET } from "../testing/example";
import { clientJwt } from "../testing/exchange";
import { basic, errorOf, postToken, refresh, type Tokens, tokensOf } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { exchangeKey, tokenBootstrap } from "../testing/token-example";

const stranger = await generateKeyPair("RS256", { extractable: true });
const seconds = () => Math.floor(Date.now() / 1000);
const REUSE =
  "switch on allowAssertionReuse ('Accept repeated assertions') to accept assertions without jti, and again";
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

describe.each(databaseKinds)("client authentication (RFC 6749 §2.3, RFC 7523 §2.2, §3) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  /** Sends a token request. The error invalid_grant means that the client was authenticated. */
  const post = (form: Record<string, string>, authorization: string | null = null) =>
    postToken(service, { grant_type: "refresh_token", refresh_token: "none", ...form }, authorization);
  const BELIEVED = { status: 400, error: "invalid_grant" };
  const REFUSED = { status: 401, error: "invalid_client" };

  interface Making {
    claims?: Record<string, unknown>;
    header?: Record<string, unknown>;
    key?: CryptoKey;
  }
  const assertion = ({ claims, header, key = exchangeKey.privateKey }: Making = {}) =>
    new SignJWT({
      iss: "exchange-jwt",
      sub: "exchange-jwt",
      aud: BASE_URL,
      exp: seconds() + 60,
      jti: crypto.randomUUID(),
      ...claims,
    })
      .setProtectedHeader({ alg: "RS256", kid: "x1", ...header })
      .sign(key);
  const withAssertion = async (jwt: string | Promise<string>, more: Record<string, string> = {}) =>
    errorOf(await post({ client_assertion_type: TYPE, client_assertion: await jwt, ...more }));

  it("accepts each method for the client that is registered for it", async () => {
    expect(await errorOf(await post({}, basic("exchange", SECRET)))).toEqual(BELIEVED);
    expect(await errorOf(await post({ client_id: "exchange-post", client_secret: SECRET }))).toEqual(BELIEVED);
    expect(await errorOf(await post({ client_id: "exchange-spa" }))).toEqual(BELIEVED);
    expect(await withAssertion(assertion())).toEqual(BELIEVED);
    expect(await withAssertion(assertion({ claims: { aud: [BASE_URL] } }), { client_id: "exchange-jwt" })).toEqual(
      BELIEVED,
    );
  });

  it("accepts an assertion once: one of 100 concurrent requests, and never with another client's id in the body", async () => {
    const jwt = await assertion();
    const answers = await Promise.all(Array.from({ length: 100 }, () => withAssertion(jwt)));
    expect(answers.filter(({ error }) => error === "invalid_grant")).toHaveLength(1);
    expect(answers.filter(({ error }) => error === "invalid_client")).toHaveLength(99);
    expect(await withAssertion(assertion(), { client_id: "api-jwt" })).toEqual(REFUSED);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("accepts Basic also from clients that do not form-encode it (curl -u)", async () => {
    const secret = "Zm9v+YmFy/YmF6%41Zm9v+YmFy/YmF6cXV4cXV4PT0=";
    const { prisma } = service.ctx.db;
    await prisma.appSecret.updateMany({ where: { appId: "a-exchange" }, data: { digest: digest(secret) } });
    await prisma.user.update({ where: { id: "m-ci" }, data: { secretDigest: digest(secret) } });
    invalidateDirectory(service.ctx);
    const asItIs = (id: string, text: string) => `Basic ${Buffer.from(`${id}:${text}`).toString("base64")}`;
    const machine = { grant_type: "client_credentials" };
    for (const right of [asItIs, basic]) {
      expect(await errorOf(await post({}, right("exchange", secret)))).toEqual(BELIEVED);
      expect((await post(machine, right("ci", secret))).status).toBe(200);
    }
    for (const wrong of [secret.replaceAll("+", " "), decodeURIComponent(secret), encodeURIComponent(secret)]) {
      expect(await errorOf(await post({}, basic("exchange", wrong)))).toEqual(REFUSED);
      expect(await errorOf(await post(machine, basic("ci", wrong)))).toEqual(REFUSED);
    }
    await prisma.appSecret.updateMany({ where: { appId: "a-exchange" }, data: { digest: digest(SECRET) } });
    invalidateDirectory(service.ctx);
  });

  it.each<[string, Record<string, string>, string | null]>([
    ["nobody", {}, null],
    ["an unknown client", { client_id: "nobody" }, null],
    ["a confidential client by its id alone", { client_id: "exchange" }, null],
    ["a public client with a secret", { client_id: "exchange-spa", client_secret: SECRET }, null],
    ["an empty secret", {}, basic("exchange", "")],
    ["a client with a key by its id alone", { client_id: "exchange-jwt" }, null],
    ["a bearer token", {}, "Bearer abc"],
    ["a broken header", {}, "Basic !"],
    ["another case of the client id", {}, basic("EXCHANGE", SECRET)],
  ])("rejects %s: 401 invalid_client", async (_, form, authorization) => {
    const answer = await post(form, authorization);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("www-authenticate")).toMatch(
      /^Basic realm="oauth", error="invalid_client", error_description="[^"]+"$/, // RFC 6749 §5.2, rule CLIENT-7
    );
    expect(await errorOf(answer)).toEqual(REFUSED);
  });

  it("reveals to an unauthenticated caller neither that a client exists nor how it authenticates", async () => {
    const describe = async (form: Record<string, string>, authorization: string | null = null) =>
      (await (await post(form, authorization)).json()).error_description as string;
    const unknown = await describe({ client_id: "nobody" });
    for (const client_id of ["exchange", "exchange-jwt", "api-jwt"])
      expect(await describe({ client_id })).toBe(unknown);
    const form = { client_id: "exchange-spa", client_secret: SECRET };
    expect(await describe(form)).toBe(await describe({ ...form, client_id: "nobody" }));
    expect(await describe({}, basic("exchange-jwt", SECRET))).toBe(await describe({}, basic("nobody", SECRET)));
    expect(await describe({}, basic("exchange", ""))).toBe(await describe({}, basic("nobody", "")));
    expect(unknown).not.toMatch(/basic|private_key/);
  });

  it.each<[string, Making]>([
    ["the token endpoint as audience (RFC 10070)", { claims: { aud: `${BASE_URL}/oauth/v2/token` } }],
    ["the issuer and somebody else", { claims: { aud: [BASE_URL, "https://other.test"] } }],
    ["the issuer with a slash", { claims: { aud: `${BASE_URL}/` } }],
    ["another server", { claims: { aud: "https://other.test" } }],
    ["no audience", { claims: { aud: undefined } }],
    ["an empty list of audiences", { claims: { aud: [] } }],
    ["no jti", { claims: { jti: undefined } }],
    ["a time of issue ahead of ours", { claims: { iat: seconds() + 3600 } }],
    ["an empty jti", { claims: { jti: "" } }],
    ["no exp", { claims: { exp: undefined } }],
    ["an expired one", { claims: { exp: seconds() - 120 } }],
    ["one that lives longer than an hour", { claims: { exp: seconds() + 3600 + 120 } }],
    ["a time of issue more than an hour ago", { claims: { iat: seconds() - 2 * 3600 } }],
    ["one that is not valid yet", { claims: { nbf: seconds() + 300 } }],
    ["another issuer than the client", { claims: { iss: "api-jwt" } }],
    ["no subject", { claims: { sub: undefined } }],
    ["an unknown client", { claims: { iss: "nobody", sub: "nobody" } }],
    ["a client without keys", { claims: { iss: "exchange", sub: "exchange" } }],
    ["a key of somebody else", { key: stranger.privateKey }],
    ["the kid of another key", { header: { kid: "k1" } }],
    ["a path as kid", { header: { kid: "../../../etc/passwd" } }],
    ["SQL as kid", { header: { kid: "' OR 1=1 --" } }],
    ["a key inside the header", { header: { jwk: { kty: "RSA" } } }],
    ["a key's address in the header", { header: { jku: "http://169.254.169.254/" } }],
    ["a certificate's address in the header", { header: { x5u: "http://169.254.169.254/" } }],
    ["the type of an access token", { header: { typ: "at+jwt" } }],
  ])("rejects an assertion with %s: 401 invalid_client", async (_, making) => {
    expect(await withAssertion(assertion(making))).toEqual(REFUSED);
  });

  it.each<[string, Making]>([
    [`it has no jti; ${REUSE}`, { claims: { jti: undefined } }],
    ["its jti is not a text", { claims: { jti: "" } }],
    ["it has no exp", { claims: { exp: undefined } }],
    ["it has expired", { claims: { exp: seconds() - 120 } }],
    ["it expires more than 60 minutes ahead", { claims: { exp: seconds() + 2 * 3600 } }],
    ["it is not valid yet", { claims: { nbf: seconds() + 300 } }],
    ["it was issued in the future", { claims: { iat: seconds() + 300 } }],
    ["it was issued too long ago", { claims: { iat: seconds() - 2 * 3600 } }],
    ["its iss must be the id of who signed it", { claims: { iss: "api-jwt" } }],
    ["it has no aud", { claims: { aud: undefined } }],
    [
      `its aud must be ${BASE_URL} alone, or switch on legacyAssertionAudience ('Accept the endpoint as audience')`,
      { claims: { aud: `${BASE_URL}/oauth/v2/token` } },
    ],
    ["no registered key matches", { header: { kid: "other" } }],
    ["the signature does not verify", { key: stranger.privateKey }],
  ])("returns why an assertion is rejected: %s", async (problem, making) => {
    const jwt = await assertion(making);
    const answer = await post({ client_assertion_type: TYPE, client_assertion: jwt });
    expect(await answer.json()).toMatchObject({ error_description: `the client assertion is not valid: ${problem}` });
  });

  it("rejects alg none, a public key used as a secret, unknown critical headers and values that are not JWTs", async () => {
    const [header = "", payload = ""] = (await assertion()).split(".");
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const { n = "" } = (await crypto.subtle.exportKey("jwk", exchangeKey.publicKey)) as { n?: string };
    const hmac = new SignJWT(decodeJwt(`${header}.${payload}.`))
      .setProtectedHeader({ alg: "HS256", kid: "x1" })
      .sign(new TextEncoder().encode(n));
    const signed = await assertion();
    const crit = `${encode({ alg: "RS256", kid: "x1", crit: ["b64"], b64: false })}.${signed.split(".").slice(1).join(".")}`;
    const bad = [`${encode({ alg: "none" })}.${payload}.`, await hmac, crit, "x", "a.b.c", "é", `${signed}x`];
    for (const jwt of bad) expect(await withAssertion(jwt)).toEqual(REFUSED);
  });

  it.each([5, ["exchange-jwt"], { id: "exchange-jwt" }, null, true])(
    "rejects a subject that is not a text: %j",
    async (sub) => {
      const jwt = await assertion({ claims: { sub } });
      expect(await withAssertion(jwt)).toEqual(REFUSED);
      expect(await withAssertion(jwt, { client_id: "exchange-jwt" })).toEqual(REFUSED);
    },
  );

  describe("allowAssertionReuse, for libraries that send one assertion for an hour (passport-zitadel)", () => {
    const setReuse = async (allowAssertionReuse: boolean | undefined) => {
      const { prisma } = service.ctx.db;
      const where = { id: "a-exchange-jwt" };
      const { settings } = await prisma.app.findUniqueOrThrow({ where });
      await prisma.app.update({ where, data: { settings: { ...(settings as object), allowAssertionReuse } } });
      invalidateDirectory(service.ctx);
    };
    beforeAll(() => setReuse(true));
    afterAll(() => setReuse(undefined));
    const hour = () => ({ iat: seconds(), exp: seconds() + 3600 });

    it("accepts an assertion of that app without jti, and one with jti again, until it expires", async () => {
      const anonymous = await assertion({ claims: { ...hour(), jti: undefined } });
      const named = await assertion({ claims: hour() });
      for (const jwt of [anonymous, named, anonymous, named]) expect(await withAssertion(jwt)).toEqual(BELIEVED);
      service.advance(3_661_000);
      for (const jwt of [anonymous, named]) expect(await withAssertion(jwt)).toEqual(REFUSED);
      service.advance(-3_661_000);
    });

    it.each<[string, Making]>([
      ["an hour at most", { claims: { exp: seconds() + 2 * 3600 } }],
      ["an expiry at all", { claims: { exp: undefined } }],
      ["the issuer as audience", { claims: { aud: `${BASE_URL}/oauth/v2/token` } }],
      ["the app as issuer", { claims: { iss: "api-jwt" } }],
      ["a jti that is a text, where there is one", { claims: { jti: "" } }],
      ["a registered key", { key: stranger.privateKey }],
      ["an assertion, not a token", { header: { typ: "at+jwt" } }],
    ])("still requires %s", async (_, { claims, ...more }) => {
      const jwt = assertion({ claims: { jti: undefined, ...claims }, ...more });
      expect(await withAssertion(jwt)).toEqual(REFUSED);
    });

    it("changes nothing for another app: jti is required and can be used once", async () => {
      const ofApi = (jti?: string) =>
        assertion({ claims: { iss: "api-jwt", sub: "api-jwt", jti } }).then((client_assertion) =>
          service.fetch("/oauth/v2/introspect", {
            method: "POST",
            body: new URLSearchParams({ token: "none", client_assertion_type: TYPE, client_assertion }),
          }),
        );
      expect((await ofApi()).status).toBe(401);
      expect([(await ofApi("twice")).status, (await ofApi("twice")).status]).toEqual([200, 401]);
    });
  });

  it("does not accept a JWT about a user, or a token of ours, as an assertion", async () => {
    const { id_token } = await tokensOf(service);
    for (const jwt of [id_token, await clientJwt("u-eve", { jti: "j" })])
      expect(await withAssertion(jwt)).toEqual(REFUSED);
  });

  it.each<[string, Record<string, string>, string | null]>([
    ["header and secret", { client_id: "exchange", client_secret: SECRET }, basic("exchange", SECRET)],
    ["header and assertion", { client_assertion_type: TYPE, client_assertion: "a.b.c" }, basic("exchange", SECRET)],
    [
      "secret and assertion",
      { client_id: "x", client_secret: SECRET, client_assertion_type: TYPE, client_assertion: "a.b.c" },
      null,
    ],
    ["a header and the id of another client", { client_id: "web" }, basic("exchange", SECRET)],
    ["an assertion without its type", { client_assertion: "a.b.c" }, null],
    ["an assertion of another type", { client_assertion: "a.b.c", client_assertion_type: "saml" }, null],
  ])("rejects %s at once: 400 invalid_request (§2.3)", async (_, form, authorization) => {
    expect(await errorOf(await post(form, authorization))).toEqual({ status: 400, error: "invalid_request" });
  });

  it("rejects an app as soon as it, its project or its organization is deactivated", async () => {
    const { prisma } = service.ctx.db;
    const { refresh_token } = (await tokensOf(service)) as Tokens;
    const changes = [
      (state: string) => prisma.app.update({ where: { id: "a-web" }, data: { state } }),
      (state: string) => prisma.project.update({ where: { id: "p1" }, data: { state } }),
      (state: string) => prisma.organization.update({ where: { id: "acme" }, data: { state } }),
    ];
    for (const change of changes) {
      await change("inactive");
      invalidateDirectory(service.ctx);
      expect(await errorOf(await refresh(service, refresh_token))).toEqual(REFUSED);
      await change("active");
      invalidateDirectory(service.ctx);
    }
    expect((await refresh(service, refresh_token)).status).toBe(200);
  });
});
