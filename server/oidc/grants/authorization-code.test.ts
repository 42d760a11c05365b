import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { clientKey, exampleBootstrap, SECRET } from "../../testing/example";
import {
  authorize,
  basic,
  errorOf,
  pkcePair,
  postToken,
  REDIRECT_URI,
  redeem,
  type Tokens,
  tokensOf,
  userinfo,
} from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

describe.each(databaseKinds)("token endpoint: authorization_code (RFC 6749 §4.1.3) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const newCode = async (parameters: Partial<Record<string, string>> = {}) =>
    (await authorize(service.browser(), parameters)).get("code") ?? "";

  it("returns tokens that may not be cached", async () => {
    const response = await redeem(service, await newCode());
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const tokens = (await response.json()) as Tokens;
    expect(tokens).toMatchObject({
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid profile email offline_access",
    });
    const claims = decodeJwt(tokens.id_token);
    expect(claims).toMatchObject({ iss: BASE_URL, sub: "u-ada", aud: "web", azp: "web", nonce: "n-1", amr: ["pwd"] });
    expect(claims.name).toBeUndefined(); // Rule AUTHORIZE-11: no scope claims with an access token
  });

  it("includes scope claims in the id_token if the app is set to it", async () => {
    const code = await newCode({ client_id: "jwt-tokens" });
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    const response = await postToken(service, form, basic("jwt-tokens", SECRET));
    const tokens = (await response.json()) as Tokens;
    expect(decodeJwt(tokens.id_token)).toMatchObject({ name: "Ada Lovelace", email: "ada@acme.test" });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: "u-ada", client_id: "jwt-tokens" });
    expect((await userinfo(service, tokens.access_token)).status).toBe(200);
  });

  it("redeems a code once: one of 100 concurrent requests succeeds", async () => {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeem(service, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(await errorOf(answer)).toEqual({ status: 400, error: "invalid_grant" });
    }
  });

  it("revokes what was issued for a code when the code is presented again", async () => {
    const code = await newCode();
    const tokens = (await (await redeem(service, code)).json()) as Tokens;
    expect((await userinfo(service, tokens.access_token)).status).toBe(200);
    expect(await errorOf(await redeem(service, code))).toEqual({ status: 400, error: "invalid_grant" });
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    const again = await postToken(service, { grant_type: "refresh_token", refresh_token: tokens.refresh_token });
    expect(await errorOf(again)).toEqual({ status: 400, error: "invalid_grant" });
  });

  it("rejects another client's code and keeps it valid for its owner", async () => {
    const code = await newCode();
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    const stranger = await postToken(service, form, basic("jwt-tokens", SECRET));
    expect(await errorOf(stranger)).toEqual({ status: 400, error: "invalid_grant" });
    expect((await redeem(service, code)).status).toBe(200);
  });

  it("rejects another redirect_uri", async () => {
    const answer = await redeem(service, await newCode(), { redirect_uri: `${REDIRECT_URI}/` });
    expect(await errorOf(answer)).toEqual({ status: 400, error: "invalid_grant" });
  });

  it("rejects an unknown code", async () => {
    expect(await errorOf(await redeem(service, "unknown"))).toEqual({ status: 400, error: "invalid_grant" });
  });

  it("requires the code_verifier of a public client (RFC 7636 §4.6)", async () => {
    const { verifier, challenge } = pkcePair();
    const ask = { client_id: "spa", code_challenge: challenge, code_challenge_method: "S256" };
    const code = await newCode(ask);
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, client_id: "spa" };
    for (const sent of [form, { ...form, code: "unknown" }]) {
      expect(await errorOf(await postToken(service, sent, null))).toEqual({ status: 400, error: "invalid_request" });
    }
    const wrong = { ...form, code_verifier: `${verifier}x` };
    expect(await errorOf(await postToken(service, wrong, null))).toEqual({ status: 400, error: "invalid_grant" });
    expect((await postToken(service, { ...form, code_verifier: verifier }, null)).status).toBe(200);
  });

  it("rejects a code_verifier for a code without challenge (RFC 9700 §4.8.2: downgrade)", async () => {
    const answer = await redeem(service, await newCode(), { code_verifier: pkcePair().verifier });
    expect(await errorOf(answer)).toEqual({ status: 400, error: "invalid_grant" });
  });

  it("accepts the secret by either transport from an app registered for client_secret_post", async () => {
    const form = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI };
    const inHeader = { ...form, code: await newCode({ client_id: "post" }) };
    expect((await postToken(service, inHeader, basic("post", SECRET))).status).toBe(200);
    const inForm = { ...form, code: await newCode({ client_id: "post" }), client_id: "post", client_secret: SECRET };
    expect((await postToken(service, inForm, null)).status).toBe(200);
  });

  describe("private_key_jwt (RFC 7523 §3, OIDC Core §9)", () => {
    const assertion = (claims: Record<string, unknown> = {}) => {
      const now = Math.floor(service.ctx.clock() / 1000);
      const all = {
        iss: "jwt-client",
        sub: "jwt-client",
        aud: BASE_URL,
        jti: crypto.randomUUID(),
        iat: now,
        exp: now + 60,
      };
      return new SignJWT({ ...all, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "k1" })
        .sign(clientKey.privateKey);
    };
    const send = async (client_assertion: string) =>
      postToken(
        service,
        {
          grant_type: "authorization_code",
          code: await newCode({ client_id: "jwt-client" }),
          redirect_uri: REDIRECT_URI,
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion,
        },
        null,
      );

    it("accepts an assertion once", async () => {
      const signed = await assertion();
      expect((await send(signed)).status).toBe(200);
      expect(await errorOf(await send(signed))).toEqual({ status: 401, error: "invalid_client" });
    });

    it.each([
      ["the token endpoint as audience (RFC 10070)", { aud: `${BASE_URL}/oauth/v2/token` }],
      ["another audience in addition to the issuer", { aud: [BASE_URL, "https://other.test"] }],
      ["no audience", { aud: undefined }],
      ["no jti", { jti: undefined }],
      ["another issuer", { iss: "web" }],
      ["an expired one", { exp: 1 }],
      ["one that lives for more than an hour", { exp: Math.floor(Date.now() / 1000) + 3_720 }],
    ])("rejects %s: invalid_client", async (_, claims) => {
      expect(await errorOf(await send(await assertion(claims)))).toEqual({ status: 401, error: "invalid_client" });
    });
  });

  it("rejects a wrong secret: invalid_client with the scheme that was used", async () => {
    const form = { grant_type: "authorization_code", code: "x", redirect_uri: REDIRECT_URI };
    const answer = await postToken(service, form, basic("web", `${SECRET}x`));
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
    expect(await errorOf(answer)).toEqual({ status: 401, error: "invalid_client" });
  });

  it.each([
    ["application/json", JSON.stringify({ grant_type: "authorization_code" })],
    ["multipart/form-data; boundary=x", "--x--"],
  ])("rejects a body of type %s", async (type, body) => {
    const headers = { "content-type": type, authorization: basic("web", SECRET) };
    const answer = await service.fetch("/oauth/v2/token", { method: "POST", body, headers });
    expect(await errorOf(answer)).toEqual({ status: 400, error: "invalid_request" });
  });

  it("rejects an expired code, one of an ended session and one older than a password change", async () => {
    const expired = await newCode();
    service.advance(61_000);
    expect(await errorOf(await redeem(service, expired))).toEqual({ status: 400, error: "invalid_grant" });

    const browser = service.browser();
    const code = (await authorize(browser)).get("code") ?? "";
    const idToken = (await tokensOf(service, browser)).id_token;
    await browser.get(`/oidc/v1/end_session?id_token_hint=${idToken}`);
    expect(await errorOf(await redeem(service, code))).toEqual({ status: 400, error: "invalid_grant" });
  });
});
