/** The requests of common client libraries with their default settings, as recorded (rules CLIENT-1 to CLIENT-7). */
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invalidateDirectory } from "../directory/cache";
import { ruleDatabases } from "../testing/database";
import { SECRET } from "../testing/example";
import { authorize, basic, postToken, REDIRECT_URI, redeem, tokensOf } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { exchangeKey, MACHINE_SECRET, machineKey, tokenBootstrap } from "../testing/token-example";

const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const TOKEN_ENDPOINT = `${BASE_URL}/oauth/v2/token`;
const INTROSPECTION = `${BASE_URL}/oauth/v2/introspect`;
const REUSE =
  "switch on allowAssertionReuse ('Accept repeated assertions') to accept assertions without jti, and again";
const seconds = () => Math.floor(Date.now() / 1000);

describe.each(ruleDatabases)("requests of common client libraries on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  const post = (path: string, form: Record<string, string>, authorization?: string) =>
    service.fetch(path, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: authorization === undefined ? {} : { authorization },
    });
  const sign = (claims: Record<string, unknown>, header: object = {}, key = exchangeKey.privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "x1", ...header }).sign(key);
  const clientAssertion = (claims: Record<string, unknown>, clientId = "exchange-jwt") =>
    sign({ iss: clientId, sub: clientId, jti: crypto.randomUUID(), exp: seconds() + 300, ...claims });
  /** Returns `[status, error_description]`. A 400 about the refresh token means that the client was authenticated. */
  const believed = async (path: string, jwt: string) => {
    const form = { grant_type: "refresh_token", refresh_token: "none", token: "none" };
    const answer = await post(path, { ...form, client_assertion_type: TYPE, client_assertion: jwt });
    const { error_description } = (await answer.json()) as { error_description?: string };
    return [answer.status, error_description];
  };
  const BELIEVED = [400, "the refresh token is not one of this service"];
  const setLegacy = async (on: boolean) => {
    const { prisma } = service.ctx.db;
    for (const id of ["a-exchange-jwt", "a-api-jwt"]) {
      const { settings } = await prisma.app.findUniqueOrThrow({ where: { id } });
      const changed = { ...(settings as object), legacyAssertionAudience: on };
      await prisma.app.update({ where: { id }, data: { settings: changed } });
    }
    await prisma.user.update({ where: { id: "m-ci" }, data: { legacyAssertionAudience: on } });
    invalidateDirectory(service.ctx);
  };

  it("accepts an assertion for an hour, as from zitadel/oidc and Authlib, and tolerates one minute of skew", async () => {
    const hour = { aud: [BASE_URL], iat: seconds(), exp: seconds() + 3600 };
    expect(await believed("/oauth/v2/token", await clientAssertion(hour))).toEqual(BELIEVED);
    expect(await believed("/oauth/v2/introspect", await clientAssertion(hour, "api-jwt"))).toEqual([200, undefined]);
    await setLegacy(true); // Authlib's PrivateKeyJWT: an hour, for the token endpoint
    const authlib = await clientAssertion({ ...hour, aud: TOKEN_ENDPOINT });
    expect(await believed("/oauth/v2/token", authlib)).toEqual(BELIEVED);
    await setLegacy(false);
    const late = await clientAssertion({ ...hour, exp: seconds() + 3600 + 75 });
    expect(await believed("/oauth/v2/token", late)).toEqual([
      401,
      "the client assertion is not valid: it expires more than 60 minutes ahead",
    ]);
  });

  it("requires a client's jti, accepts it once, and does not require iat", async () => {
    const anonymous = await clientAssertion({ aud: BASE_URL, jti: undefined });
    expect(await believed("/oauth/v2/token", anonymous)).toEqual([
      401,
      `the client assertion is not valid: it has no jti; ${REUSE}`,
    ]);
    const once = await clientAssertion({ aud: BASE_URL, iat: undefined });
    expect(await believed("/oauth/v2/token", once)).toEqual(BELIEVED);
    expect(await believed("/oauth/v2/token", once)).toEqual([401, `the client assertion was used before; ${REUSE}`]);
  });

  const refusedAudience = (words: string) => [401, `the client assertion is not valid: its aud must be ${words}`];

  it.each<[string, unknown]>([
    ["Spring, pyoidc, mod_auth_openidc", TOKEN_ENDPOINT],
    ["a list of the issuer and the token endpoint", [BASE_URL, TOKEN_ENDPOINT]],
  ])("accepts the audience of %s only if legacyAssertionAudience is on", async (_, aud) => {
    const names = `${BASE_URL} alone, or switch on legacyAssertionAudience ('Accept the endpoint as audience')`;
    expect(await believed("/oauth/v2/token", await clientAssertion({ aud }))).toEqual(refusedAudience(names));
    await setLegacy(true);
    expect(await believed("/oauth/v2/token", await clientAssertion({ aud }))).toEqual(BELIEVED);
    expect(await believed("/oauth/v2/introspect", await clientAssertion({ aud }, "api-jwt"))).toEqual([200, undefined]);
    await setLegacy(false);
  });

  it("accepts the URL of an endpoint as audience at that endpoint only", async () => {
    await setLegacy(true);
    const names = `${BASE_URL} or, by legacyAssertionAudience, the endpoint's address, alone or beside it`;
    for (const aud of [INTROSPECTION, [INTROSPECTION, BASE_URL]]) {
      const jwt = () => clientAssertion({ aud }, "api-jwt");
      expect(await believed("/oauth/v2/introspect", await jwt())).toEqual([200, undefined]);
      const there = await clientAssertion({ aud });
      expect(await believed("/oauth/v2/token", there)).toEqual(refusedAudience(names));
    }
    for (const aud of [
      [BASE_URL, "https://other.test"],
      [TOKEN_ENDPOINT, INTROSPECTION],
      [],
      [BASE_URL, BASE_URL],
      `${TOKEN_ENDPOINT}/`,
    ]) {
      const answer = await believed("/oauth/v2/introspect", await clientAssertion({ aud }, "api-jwt"));
      expect(answer[0]).toBe(401);
    }
    await setLegacy(false);
  });

  const machineAssertion = (claims: Record<string, unknown>) =>
    sign(
      { iss: "m-ci", sub: "m-ci", aud: BASE_URL, exp: seconds() + 300, ...claims },
      { kid: "k1" },
      machineKey.privateKey,
    );
  const jwtProfile = async (claims: Record<string, unknown>) => {
    const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    return postToken(service, { grant_type, assertion: await machineAssertion(claims) }, null);
  };

  it("issues tokens for a machine's assertion without iat (Nimbus) and for one to the token endpoint (x/oauth2)", async () => {
    expect((await jwtProfile({})).status).toBe(200);
    const refused = await jwtProfile({ aud: TOKEN_ENDPOINT });
    expect(await refused.json()).toMatchObject({
      error: "invalid_grant",
      error_description: expect.stringContaining("legacyAssertionAudience"),
    });
    await setLegacy(true);
    expect((await jwtProfile({ aud: TOKEN_ENDPOINT })).status).toBe(200);
    await setLegacy(false);
  });

  it("reports to a machine whose assertion has no sub (x/oauth2 without Subject) what to set", async () => {
    const refused = await jwtProfile({ sub: undefined });
    expect(await refused.json()).toMatchObject({
      error: "invalid_grant",
      error_description: "the assertion is not valid: it has no sub; set sub to the same id as iss",
    });
  });

  it("accepts a machine's assertion with jti once, and one without jti repeatedly", async () => {
    const claims = { jti: "once", iat: seconds(), exp: seconds() + 60 };
    expect([(await jwtProfile(claims)).status, (await jwtProfile(claims)).status]).toEqual([200, 400]);
  });

  it("names the missing grant of an app as the console does, but not for APIs and machines, which cannot change it", async () => {
    const said = async (path: string, form: Record<string, string>, authorization: string) => {
      const { error, error_description } = (await (await post(path, form, authorization)).json()) as Record<
        string,
        string
      >;
      return [error, error_description];
    };
    const device = { client_id: "web" };
    const tick = "tick 'Device code' (OIDC_GRANT_TYPE_DEVICE_CODE) under 'Grant types' in the app's settings";
    expect(await said("/oauth/v2/device_authorization", device, basic("web", SECRET))).toEqual([
      "unauthorized_client",
      `this client is not registered for device authorization; ${tick}`,
    ]);
    const grant = (grant_type: string) => said("/oauth/v2/token", { grant_type }, basic("web", SECRET));
    expect((await grant("urn:ietf:params:oauth:grant-type:device_code"))[1]).toContain(tick);
    expect((await grant("client_credentials"))[1]).toContain("tick 'Client credentials'");
    for (const authorization of [basic("api", SECRET), basic("ci", MACHINE_SECRET)]) {
      const refused = await said("/oauth/v2/token", { grant_type: "refresh_token" }, authorization);
      expect(refused).toEqual(["unauthorized_client", "this client is not registered for grant type refresh_token"]);
    }
  });

  it("accepts a secret in the header or the form, regardless of which of them the client is registered for", async () => {
    const form = { grant_type: "refresh_token", refresh_token: "none" };
    const inForm = (client_id: string, client_secret: string) =>
      post("/oauth/v2/token", { ...form, client_id, client_secret });
    for (const client of ["exchange", "exchange-post"]) {
      expect((await inForm(client, SECRET)).status).toBe(400);
      expect((await post("/oauth/v2/token", form, basic(client, SECRET))).status).toBe(400);
      expect((await inForm(client, "wrong")).status).toBe(401);
      expect((await post("/oauth/v2/token", form, basic(client, "wrong"))).status).toBe(401);
    }
    expect((await inForm("exchange-jwt", SECRET)).status).toBe(401);
    expect((await inForm("exchange-spa", SECRET)).status).toBe(401);
  });

  it("accepts Basic at introspection also from a client registered for the form, but no secret in the form", async () => {
    const token = { token: "none" };
    expect((await post("/oauth/v2/introspect", token, basic("exchange-post", SECRET))).status).toBe(200);
    for (const client_id of ["exchange-post", "exchange"]) {
      const answer = await post("/oauth/v2/introspect", { ...token, client_id, client_secret: SECRET });
      expect(await answer.json()).toEqual({
        error: "invalid_client",
        error_description: "client_secret_post is not accepted here; send client id and secret as Basic",
      });
    }
    const machine = await post("/oauth/v2/introspect", token, basic("ci", MACHINE_SECRET));
    expect(machine.status).toBe(401);
  });

  it("accepts Basic with an empty secret from a public client (oidc-agent), and reports it to a confidential one", async () => {
    const form = { grant_type: "refresh_token", refresh_token: "none", client_id: "exchange-spa" };
    const empty = (id: string) => `Basic ${Buffer.from(`${id}:`).toString("base64")}`;
    expect((await post("/oauth/v2/token", form, empty("exchange-spa"))).status).toBe(400);
    const { client_id: _, ...nobody } = form;
    expect(await (await post("/oauth/v2/token", nobody, empty("exchange"))).json()).toEqual({
      error: "invalid_client",
      error_description: "the client secret is empty, or the client is unknown or not active",
    });
    const two = await post("/oauth/v2/token", { ...form, client_secret: SECRET }, empty("exchange-spa"));
    expect([two.status, await two.json()]).toEqual([400, expect.objectContaining({ error: "invalid_request" })]);
  });

  it("keeps the code while x/oauth2 tries authentication styles: first the header, then the form", async () => {
    const challenge = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
    const sent = { redirect_uri: REDIRECT_URI, code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" };
    const grant = async (client_id: string) => {
      const code = (await authorize(service.browser(), { client_id, ...challenge })).get("code") ?? "";
      return { grant_type: "authorization_code", code, ...sent };
    };
    const ofSecret = await grant("web");
    expect((await post("/oauth/v2/token", ofSecret, basic("web", "another"))).status).toBe(401);
    const inForm = { ...ofSecret, client_id: "web", client_secret: SECRET };
    expect((await post("/oauth/v2/token", inForm)).status).toBe(200);
    // A public client: the header with an empty secret is enough, and so is client_id.
    expect((await post("/oauth/v2/token", await grant("spa"), basic("spa", ""))).status).toBe(200);
    expect((await post("/oauth/v2/token", { ...(await grant("spa")), client_id: "spa" })).status).toBe(200);
  });

  it("returns the same error for an unknown client and for a wrong secret", async () => {
    const form = { grant_type: "refresh_token", refresh_token: "none" };
    const words = async (authorization: string) => (await post("/oauth/v2/token", form, authorization)).text();
    const unknown = await words(basic("nobody", SECRET));
    expect(unknown).toContain("the client is unknown or not active, or its secret is wrong");
    expect(await words(basic("exchange", "wrong"))).toBe(unknown);
    expect(await words(basic("ci", "wrong"))).toBe(unknown);
  });

  it("returns at introspection that a bearer token does not authenticate a client", async () => {
    const answer = await post("/oauth/v2/introspect", { token: "none" }, "Bearer abc");
    const description = "a Bearer token does not authenticate a client; send client id and secret as Basic";
    expect(answer.headers.get("www-authenticate")).toBe(
      `Basic realm="oauth", error="invalid_client", error_description="${description}"`,
    );
    expect(await answer.json()).toEqual({ error: "invalid_client", error_description: description });
  });

  it("distinguishes a missing code_verifier from a wrong one, and keeps the code for the next attempt", async () => {
    const answer = await authorize(service.browser(), {
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const code = answer.get("code") ?? "";
    const missing = await redeem(service, code);
    expect([missing.status, await missing.json()]).toEqual([
      400,
      { error: "invalid_request", error_description: "code_verifier is missing" },
    ]);
    const wrong = await redeem(service, code, { code_verifier: "x".repeat(43) });
    expect(await wrong.json()).toMatchObject({ error: "invalid_grant" });
    const right = { code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" };
    expect((await redeem(service, code, right)).status).toBe(200);
  });

  it("rejects a client that may not use a grant before it checks the grant's parameters", async () => {
    const device = { grant_type: "urn:ietf:params:oauth:grant-type:device_code" };
    const answer = await post("/oauth/v2/token", device, basic("exchange", SECRET));
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: "unauthorized_client" }),
    ]);
  });

  it("returns scope in every token response (rule TOKEN-3)", async () => {
    expect(await tokensOf(service)).toMatchObject({ scope: "openid profile email offline_access" });
    const own = await postToken(service, { grant_type: "client_credentials" }, basic("ci", MACHINE_SECRET));
    expect(await own.json()).toHaveProperty("scope", "");
    expect(await (await jwtProfile({})).json()).toHaveProperty("scope", "");
  });

  it("responds to a revocation with an empty JSON object (simple-oauth2)", async () => {
    const answer = await post("/oauth/v2/revoke", { token: "none" }, basic("exchange", SECRET));
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
      "{}",
    ]);
  });
});
