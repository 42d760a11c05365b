import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import {
  authorize,
  basic,
  errorOf,
  postToken,
  REDIRECT_URI,
  redeem,
  type Tokens,
  tokensOf,
  userinfo,
} from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

describe.each(ruleDatabases)("userinfo endpoint (OIDC Core §5.3) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  async function tokenFor(parameters: Record<string, string>): Promise<string> {
    const code = (await authorize(service.browser(), parameters)).get("code") ?? "";
    return ((await (await redeem(service, code)).json()) as Tokens).access_token;
  }

  it("returns every claim of every scope, and none that is empty", async () => {
    const token = await tokenFor({ scope: "openid profile email phone address" });
    const answer = await userinfo(service, token);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(await answer.json()).toEqual({
      sub: "u-ada",
      name: "Ada Lovelace",
      given_name: "Ada",
      family_name: "Lovelace",
      middle_name: "K",
      nickname: "Countess",
      preferred_username: "ada@acme.test",
      profile: "https://ada.test/me",
      picture: "https://ada.test/p.png",
      website: "https://ada.test",
      gender: "female",
      birthdate: "1815-12-10",
      zoneinfo: "Europe/London",
      locale: "en",
      updated_at: expect.any(Number),
      email: "ada@acme.test",
      email_verified: true,
      phone_number: "+441234567890",
      phone_number_verified: true,
      address: expect.objectContaining({ locality: "London", country: "UK" }),
    });
  });

  it("returns the subject alone for openid alone", async () => {
    expect(await (await userinfo(service, await tokenFor({ scope: "openid" }))).json()).toEqual({ sub: "u-ada" });
  });

  it("returns a claim of the claims parameter", async () => {
    const token = await tokenFor({ scope: "openid", claims: '{"userinfo":{"name":{"essential":true}}}' });
    expect(await (await userinfo(service, token)).json()).toEqual({ sub: "u-ada", name: "Ada Lovelace" });
  });

  it("accepts the token in a form post and in the header of a post", async () => {
    const { access_token } = await tokensOf(service);
    const body = await service.fetch("/oidc/v1/userinfo", {
      method: "POST",
      body: new URLSearchParams({ access_token }),
    });
    expect(body.status).toBe(200);
    const header = await service.fetch("/oidc/v1/userinfo", {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}`, "content-type": "application/x-www-form-urlencoded" },
    });
    expect(header.status).toBe(200);
  });

  it("rejects values that are not access tokens with 401 and a challenge", async () => {
    const { access_token, id_token, refresh_token } = await tokensOf(service);
    for (const token of [id_token, refresh_token, access_token.slice(1), "x", `${access_token}.a.b`]) {
      const answer = await userinfo(service, token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
    const none = await service.fetch("/oidc/v1/userinfo");
    expect(none.status).toBe(401);
    expect(none.headers.get("www-authenticate")).not.toContain("error"); // RFC 6750 §3.1
    expect((await service.fetch(`/oidc/v1/userinfo?access_token=${access_token}`)).status).toBe(401);
  });

  it("reports errors of a token in the form as of one in the header (RFC 6750 §3)", async () => {
    const post = (body: URLSearchParams) => service.fetch("/oidc/v1/userinfo", { method: "POST", body });
    const refused = await post(new URLSearchParams({ access_token: "x" }));
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect((await post(new URLSearchParams())).headers.get("www-authenticate")).not.toContain("error");
  });

  it("rejects a JWT that was changed, is unsigned, was signed with another key, or contains its own key (RFC 8725 §3)", async () => {
    const form = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI };
    const code = (await authorize(service.browser(), { client_id: "jwt-tokens" })).get("code") ?? "";
    const answer = await postToken(service, { ...form, code }, basic("jwt-tokens", SECRET));
    const { access_token } = (await answer.json()) as Tokens;
    expect((await userinfo(service, access_token)).status).toBe(200);
    const [header = "", payload = "", signature = ""] = access_token.split(".");
    const claims = decodeJwt(access_token);
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const own = await generateKeyPair("RS256", { extractable: true });
    const sign = (fields: object, key: CryptoKey | Uint8Array) =>
      new SignJWT(claims)
        .setProtectedHeader({ ...(decodeProtectedHeader(access_token) as { alg: string }), ...fields })
        .sign(key);
    const forged = [
      `${header}.${encode({ ...claims, sub: "u-bob" })}.${signature}`,
      `${encode({ alg: "none", typ: "at+jwt" })}.${payload}.`,
      `${header}.${payload}.`,
      await sign({ alg: "HS256" }, new TextEncoder().encode(SECRET)),
      await sign({}, own.privateKey),
      await sign({ kid: "unknown" }, own.privateKey),
      await sign({ jwk: await exportJWK(own.publicKey) }, own.privateKey),
    ];
    for (const token of forged) {
      const refused = await userinfo(service, token);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
  });

  it.each(["Bearer", "Bearer a b c", "Bearer a, Bearer b", "Bearer é", "bearer\ta", 'Bearer "a"', "Bearer ="])(
    "rejects the malformed header %s as invalid_request (RFC 6750 §3.1)",
    async (authorization) => {
      const answer = await service.fetch("/oidc/v1/userinfo", { headers: { authorization } });
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_request"');
      expect(await errorOf(answer)).toEqual({ status: 400, error: "invalid_request" });
    },
  );

  it.each([undefined, basic("web", SECRET), "Digest abc", "Bearers a"])(
    "returns no error for a request without a token, or with another scheme: %s (RFC 6750 §3.1)",
    async (authorization) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await service.fetch("/oidc/v1/userinfo", { headers });
      const { status } = answer;
      const found = [status, answer.headers.get("www-authenticate"), await answer.json()];
      expect(found).toEqual([401, 'Bearer realm="userinfo"', {}]);
    },
  );

  it("rejects two tokens in one request and a header that contains two", async () => {
    const { access_token } = await tokensOf(service);
    const headers = { authorization: `Bearer ${access_token}` };
    const body = new URLSearchParams({ access_token });
    const both = await service.fetch("/oidc/v1/userinfo", { method: "POST", body, headers });
    expect(await errorOf(both)).toEqual({ status: 400, error: "invalid_request" }); // RFC 6750 §2
    const twice = { authorization: `Bearer ${access_token}, Bearer ${access_token}` };
    expect((await service.fetch("/oidc/v1/userinfo", { headers: twice })).status).toBe(400);
  });

  it("ignores the body if it is not a form, with or without a token in the header (RFC 6750 §2.2)", async () => {
    const { access_token } = await tokensOf(service);
    const json = (headers: Record<string, string>) =>
      service.fetch("/oidc/v1/userinfo", {
        method: "POST",
        body: JSON.stringify({ access_token }),
        headers: { "content-type": "application/json", ...headers },
      });
    expect((await json({ authorization: `Bearer ${access_token}` })).status).toBe(200);
    expect(await errorOf(await json({}))).toEqual({ status: 400, error: "invalid_request" });
  });

  it("rejects a form that repeats a parameter (RFC 6750 §3.1)", async () => {
    const { access_token } = await tokensOf(service);
    const twice = new URLSearchParams([access_token, access_token].map((token) => ["access_token", token]));
    const answer = await service.fetch("/oidc/v1/userinfo", { method: "POST", body: twice });
    expect(await errorOf(answer)).toEqual({ status: 400, error: "invalid_request" });
  });

  it("rejects an expired token", async () => {
    const { access_token } = await tokensOf(service);
    service.advance(3_601_000);
    expect((await userinfo(service, access_token)).status).toBe(401);
  });
});
