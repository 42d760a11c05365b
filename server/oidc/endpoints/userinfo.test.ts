import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { authorize, redeem, type Tokens, tokensOf, userinfo } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

describe.each(databaseKinds)("userinfo endpoint (OIDC Core §5.3) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  async function tokenFor(parameters: Record<string, string>): Promise<string> {
    const code = (await authorize(service.browser(), parameters)).get("code") ?? "";
    return ((await (await redeem(service, code)).json()) as Tokens).access_token;
  }

  it("answers every claim of every scope, and none that is empty", async () => {
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

  it("answers the subject alone for openid alone", async () => {
    expect(await (await userinfo(service, await tokenFor({ scope: "openid" }))).json()).toEqual({ sub: "u-ada" });
  });

  it("answers a claim that the claims parameter asked for", async () => {
    const token = await tokenFor({ scope: "openid", claims: '{"userinfo":{"name":{"essential":true}}}' });
    expect(await (await userinfo(service, token)).json()).toEqual({ sub: "u-ada", name: "Ada Lovelace" });
  });

  it("takes the token in a form post and in the header of a post", async () => {
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

  it("refuses what is no access token with 401 and a challenge", async () => {
    const { access_token, id_token, refresh_token } = await tokensOf(service);
    for (const token of [id_token, refresh_token, access_token.slice(1), "x", `${access_token}.a.b`]) {
      const answer = await userinfo(service, token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
    expect((await service.fetch("/oidc/v1/userinfo")).status).toBe(401);
    expect((await service.fetch(`/oidc/v1/userinfo?access_token=${access_token}`)).status).toBe(401);
  });

  it("refuses an expired token", async () => {
    const { access_token } = await tokensOf(service);
    service.advance(3_601_000);
    expect((await userinfo(service, access_token)).status).toBe(401);
  });
});
