import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { exchange } from "../../testing/exchange";
import { basic, postToken, refresh, type Tokens, tokensOf, userinfo } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { MACHINE_SECRET, tokenBootstrap } from "../../testing/token-example";

const own = basic("web", SECRET);
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const redirect = { redirect_uri: "https://rp.test/cb" };

describe.each(databaseKinds)("token endpoint errors (RFC 6749 §5.2, rule TOKEN-2) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  const send = (body: string, headers: Record<string, string> = {}) =>
    service.fetch("/oauth/v2/token", {
      method: "POST",
      body,
      headers: { "content-type": "application/x-www-form-urlencoded", authorization: own, ...headers },
    });

  it.each<[string, string, Record<string, string>, number, string]>([
    ["no grant type", "scope=openid", {}, 400, "invalid_request"],
    ["an empty grant type", "grant_type=", {}, 400, "invalid_request"],
    ["nothing at all", "", {}, 400, "invalid_request"],
    ["a code grant without code", "grant_type=authorization_code&redirect_uri=x", {}, 400, "invalid_request"],
    ["a code grant without redirect_uri", "grant_type=authorization_code&code=x", {}, 400, "invalid_request"],
    ["a refresh grant without its token", "grant_type=refresh_token", {}, 400, "invalid_request"],
    ["an assertion grant without assertion", `grant_type=${JWT_BEARER}`, {}, 400, "invalid_request"],
    [
      "an exchange without subject token",
      `grant_type=${EXCHANGE}`,
      { authorization: basic("exchange", SECRET) },
      400,
      "invalid_request",
    ],
    ["a repeated parameter", "grant_type=refresh_token&refresh_token=a&refresh_token=b", {}, 400, "invalid_request"],
    [
      "a repeated grant type",
      "grant_type=refresh_token&grant_type=password&refresh_token=a",
      {},
      400,
      "invalid_request",
    ],
    ["a repeated unknown parameter", "grant_type=refresh_token&refresh_token=a&x=1&x=2", {}, 400, "invalid_request"],
    [
      "two authentications",
      `grant_type=refresh_token&refresh_token=a&client_id=web&client_secret=${SECRET}`,
      {},
      400,
      "invalid_request",
    ],
    ["bad encoding", "grant_type=%ff", {}, 400, "invalid_request"],
    ["a NUL", "grant_type=refresh_token&refresh_token=%00", {}, 400, "invalid_request"],
    ["JSON", '{"grant_type":"refresh_token"}', { "content-type": "application/json" }, 400, "invalid_request"],
    [
      "a malformed scope",
      "grant_type=client_credentials&scope=%22",
      { authorization: basic("ci", MACHINE_SECRET) },
      400,
      "invalid_scope",
    ],
    [
      "an unknown scope",
      "grant_type=client_credentials&scope=x",
      { authorization: basic("ci", MACHINE_SECRET) },
      400,
      "invalid_scope",
    ],
    ["a grant the client may not use", "grant_type=client_credentials", {}, 400, "unauthorized_client"],
    [
      "an exchange the client may not use",
      `grant_type=${EXCHANGE}&subject_token=a&subject_token_type=urn:ietf:params:oauth:token-type:access_token`,
      {},
      400,
      "unauthorized_client",
    ],
    // Rule TOKEN-1: before the grant's own parameters.
    [
      "a device grant the client may not use, without a device code",
      "grant_type=urn:ietf:params:oauth:grant-type:device_code",
      {},
      400,
      "unauthorized_client",
    ],
    [
      "client credentials the client may not use, with an unknown scope",
      "grant_type=client_credentials&scope=x",
      {},
      400,
      "unauthorized_client",
    ],
    ["password", "grant_type=password&username=ada&password=x", {}, 400, "unsupported_grant_type"],
    ["an unknown grant type", "grant_type=magic", {}, 400, "unsupported_grant_type"],
    ["implicit", "grant_type=implicit", {}, 400, "unsupported_grant_type"],
    ["an unknown code", "grant_type=authorization_code&code=x&redirect_uri=x", {}, 400, "invalid_grant"],
    ["an unknown refresh token", "grant_type=refresh_token&refresh_token=x", {}, 400, "invalid_grant"],
    ["a malformed assertion", `grant_type=${JWT_BEARER}&assertion=x`, { authorization: "" }, 400, "invalid_grant"],
    [
      "a wrong secret",
      "grant_type=refresh_token&refresh_token=x",
      { authorization: basic("web", "x") },
      401,
      "invalid_client",
    ],
    [
      "an unknown client",
      "grant_type=refresh_token&refresh_token=x",
      { authorization: basic("nobody", "x") },
      401,
      "invalid_client",
    ],
    // Wrong credentials are reported before a missing parameter (§3.2.1).
    [
      "an unknown client that sends no redirect_uri",
      "grant_type=authorization_code&code=x",
      { authorization: basic("nobody", "x") },
      401,
      "invalid_client",
    ],
    [
      "a wrong secret and no refresh token",
      "grant_type=refresh_token",
      { authorization: basic("web", "x") },
      401,
      "invalid_client",
    ],
    [
      "a machine's wrong secret and an unknown scope",
      "grant_type=client_credentials&scope=x",
      { authorization: basic("ci", "x") },
      401,
      "invalid_client",
    ],
    [
      "a confidential client by its id alone and no code",
      "grant_type=authorization_code&client_id=web",
      { authorization: "" },
      401,
      "invalid_client",
    ],
    ["no client and no code", "grant_type=authorization_code", { authorization: "" }, 400, "invalid_request"],
  ])("%s", async (_, body, headers, status, error) => {
    const { authorization = own, ...rest } = headers;
    const answer = authorization === "" ? await postForm(body) : await send(body, { authorization, ...rest });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    const said = (await answer.json()) as Record<string, string>;
    expect(Object.keys(said).sort()).toEqual(["error", "error_description"]);
    expect(said.error).toBe(error);
    expect(said.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/); // §5.2
  });
  const postForm = (body: string) =>
    service.fetch("/oauth/v2/token", { method: "POST", body: new URLSearchParams(body) });

  it("accepts no method other than POST", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await service.fetch("/oauth/v2/token", { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toContain("POST");
    }
  });

  it("repeats no secret, code or token of the request in any error", async () => {
    const marker = "marker-that-is-secret-marker-that-is-secret";
    const forms = [
      { grant_type: "authorization_code", code: marker, ...redirect },
      { grant_type: "authorization_code", code: "x", redirect_uri: marker },
      { grant_type: "refresh_token", refresh_token: marker },
      { grant_type: "refresh_token", refresh_token: "x", scope: marker },
      { grant_type: JWT_BEARER, assertion: marker },
      { grant_type: "client_credentials", client_id: "ci", client_secret: marker },
      { grant_type: marker },
    ];
    for (const form of forms) {
      for (const authorization of [own, basic("web", marker), null]) {
        const answer = await postToken(service, form as unknown as Record<string, string>, authorization);
        expect(await answer.text()).not.toContain(marker);
      }
    }
    const exchanged = await exchange(service, { subject: ["accessToken", marker] });
    expect(JSON.stringify(exchanged)).not.toContain(marker);
  });
});

describe.each(databaseKinds)("the dependencies of a refresh token (RFC 9700 §4.14, security 60) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  it.each<[string, (service: TestService, tokens: Tokens) => Promise<unknown>]>([
    [
      "its user is deactivated",
      ({ ctx }) => ctx.db.prisma.user.update({ where: { id: "u-ada" }, data: { state: "inactive" } }),
    ],
    [
      "their organization is deactivated",
      ({ ctx }) => ctx.db.prisma.organization.update({ where: { id: "acme" }, data: { state: "inactive" } }),
    ],
    [
      "their password was changed",
      ({ ctx }) =>
        ctx.db.prisma.user.update({ where: { id: "u-ada" }, data: { validFrom: new Date(ctx.clock() + 1) } }),
    ],
    ["the user signed out", (service, { id_token }) => service.fetch(`/oidc/v1/end_session?id_token_hint=${id_token}`)],
  ])("reject it when %s", async (_, change) => {
    const browser = service.browser();
    const tokens = await tokensOf(service, browser);
    const signOut = { ...service, fetch: (path: string) => browser.get(path) } as TestService;
    await change(signOut, tokens);
    const answer = await refresh(service, tokens.refresh_token);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(["invalid_grant", "invalid_client"]).toContain(((await answer.json()) as { error: string }).error);
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    await service.ctx.db.prisma.user.update({
      where: { id: "u-ada" },
      data: { state: "active", validFrom: new Date(0) },
    });
    await service.ctx.db.prisma.organization.update({ where: { id: "acme" }, data: { state: "active" } });
  });

  it("leave nothing valid when it is refreshed, revoked and signed out of at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const browser = service.browser();
      const tokens = await tokensOf(service, browser);
      const revoke = service.fetch("/oauth/v2/revoke", {
        method: "POST",
        body: new URLSearchParams({ token: tokens.refresh_token }),
        headers: { authorization: own },
      });
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => refresh(service, tokens.refresh_token)),
        revoke,
        ...Array.from({ length: 20 }, () => refresh(service, tokens.refresh_token)),
        browser.get(`/oidc/v1/end_session?id_token_hint=${tokens.id_token}`),
      ]);
      for (const answer of answers) {
        if (answer.status !== 200 || !answer.headers.get("content-type")?.startsWith("application/json")) continue;
        const given = (await answer.json()) as Tokens;
        expect((await userinfo(service, given.access_token)).status).toBe(401);
        expect((await refresh(service, given.refresh_token)).status).toBe(400);
      }
      expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    }
  });
});
