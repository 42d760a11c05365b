import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invalidateDirectory } from "../../directory/cache";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { basic, errorOf, postToken, type Tokens, userinfo } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { MACHINE_SECRET, P1_SCOPE, SERVICE_SCOPE, tokenBootstrap } from "../../testing/token-example";
import { verifyAccessToken } from "../access-tokens";

const ci = basic("ci", MACHINE_SECRET);

describe.each(ruleDatabases)("token endpoint: client_credentials (RFC 6749 §4.4) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  const post = (form: Record<string, string> = {}, authorization: string | null = ci) =>
    postToken(service, { grant_type: "client_credentials", ...form }, authorization);
  const tokens = async (response: Promise<Response>) => (await (await response).json()) as Tokens;

  it("issues an opaque token for the machine itself, with no-store", async () => {
    const response = await post({ scope: `openid ${P1_SCOPE}` });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const answer = await response.json();
    expect(answer).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: `openid ${P1_SCOPE}`,
    });
    const live = await verifyAccessToken(service.ctx, (answer as Tokens).access_token);
    expect(live).toMatchObject({ userId: "m-ci", clientId: "ci", audience: "ci p1", organizationId: "acme" });
  });

  it("issues a JWT if the machine is set to it (RFC 9068)", async () => {
    const { access_token } = await tokens(
      post({ scope: SERVICE_SCOPE }, basic("jwt-bot", `jwt-bot-${MACHINE_SECRET}`)),
    );
    expect(decodeProtectedHeader(access_token)).toMatchObject({ typ: "at+jwt", alg: "RS256" });
    expect(decodeJwt(access_token)).toMatchObject({
      iss: BASE_URL,
      sub: "m-jwt-bot",
      aud: ["jwt-bot", "service"],
      client_id: "jwt-bot",
      scope: SERVICE_SCOPE,
    });
    expect(await verifyAccessToken(service.ctx, access_token)).toMatchObject({ userId: "m-jwt-bot" });
  });

  it("accepts the secret in the body and the user name in any case", async () => {
    expect((await post({ client_id: "ci", client_secret: MACHINE_SECRET }, null)).status).toBe(200);
    expect((await post({}, basic("CI", MACHINE_SECRET))).status).toBe(200);
  });

  it("issues neither refresh token nor id_token for any scope (§4.4.3)", async () => {
    const answer = await tokens(post({ scope: "openid offline_access" }));
    expect(answer).toMatchObject({ scope: "openid" });
    expect(answer).not.toHaveProperty("refresh_token");
    expect(answer).not.toHaveProperty("id_token");
  });

  it("returns an empty scope if no scope was requested", async () => {
    expect(await tokens(post())).toHaveProperty("scope", "");
  });

  it("issues a token without a user to a confidential app", async () => {
    const { access_token } = await tokens(post({}, basic("exchange", SECRET)));
    const live = await verifyAccessToken(service.ctx, access_token);
    expect(live).toMatchObject({ userId: null, clientId: "exchange", audience: "exchange p1" });
    const inBody = { client_id: "exchange-post", client_secret: SECRET };
    expect((await post(inBody, null)).status).toBe(200);
  });

  it("issues a token that userinfo rejects if it is an app's (rule USERINFO-1)", async () => {
    const { access_token } = await tokens(post({ scope: "openid" }, basic("exchange", SECRET)));
    const answer = await userinfo(service, access_token);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain("invalid_token");
  });

  it("issues a token with which a machine can call userinfo, with the scope openid", async () => {
    const { access_token } = await tokens(post({ scope: "openid profile" }));
    const told = await userinfo(service, access_token);
    expect([told.status, await told.json()]).toEqual([
      200,
      {
        sub: "m-ci",
        name: expect.any(String),
        preferred_username: expect.stringMatching(/^ci/),
        updated_at: expect.any(Number),
      },
    ]);
    const plain = await tokens(post());
    expect((await userinfo(service, plain.access_token)).status).toBe(403);
  });

  it.each<[string, Record<string, string>, string | null, number, string]>([
    ["no credentials", {}, null, 401, "invalid_client"],
    ["a client id alone", { client_id: "ci" }, null, 401, "invalid_client"],
    ["a wrong secret", {}, basic("ci", `${MACHINE_SECRET}x`), 401, "invalid_client"],
    ["an unknown client", {}, basic("nobody", MACHINE_SECRET), 401, "invalid_client"],
    ["a machine without a secret", {}, basic("keyless", MACHINE_SECRET), 401, "invalid_client"],
    ["a person's name and password", {}, basic("ada@acme.test", "correct horse battery staple"), 401, "invalid_client"],
    ["header and body at once", { client_id: "ci", client_secret: MACHINE_SECRET }, ci, 400, "invalid_request"],
    ["a public client", { client_id: "exchange-spa" }, null, 401, "invalid_client"],
    ["an app that is not registered for it", {}, basic("web", SECRET), 400, "unauthorized_client"],
    ["an API", {}, basic("api", SECRET), 400, "unauthorized_client"],
    ["an unknown scope", { scope: "openid everything" }, ci, 400, "invalid_scope"],
    ["a malformed scope", { scope: 'a"b' }, ci, 400, "invalid_scope"],
    ["the scope of another organization", { scope: "urn:service:iam:org:id:globex" }, ci, 400, "invalid_scope"],
    ["the scope of no organization", { scope: "urn:service:iam:org:id:nowhere" }, ci, 400, "invalid_scope"],
    ["the user id of the machine", {}, basic("m-ci", MACHINE_SECRET), 401, "invalid_client"],
    ["a NUL in the name", {}, basic("ci\0", MACHINE_SECRET), 401, "invalid_client"],
  ])("rejects %s", async (_, form, authorization, status, error) => {
    expect(await errorOf(await post(form, authorization))).toEqual({ status, error });
  });

  it.each([
    ["authorization_code", { code: "none", redirect_uri: "https://rp.test/cb" }],
    ["refresh_token", { refresh_token: "none" }],
    ["urn:ietf:params:oauth:grant-type:device_code", { device_code: "none" }],
  ])(
    "is the only grant of a machine: %s returns that it may not use it, not that its secret is wrong",
    async (grant_type, more) => {
      const form = { ...more, grant_type };
      expect(await errorOf(await post(form))).toEqual({ status: 400, error: "unauthorized_client" });
      const wrong = await post(form, basic("ci", `${MACHINE_SECRET}x`));
      expect(await errorOf(wrong)).toEqual({ status: 401, error: "invalid_client" });
    },
  );

  it("returns the scheme that was used (RFC 6749 §5.2)", async () => {
    const answer = await post({}, basic("ci", "wrong"));
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
  });

  it("ends with the machine: no new tokens, and the old ones are invalid", async () => {
    const robot = basic("globex-bot", `globex-bot-${MACHINE_SECRET}`);
    const { access_token } = await tokens(post({}, robot));
    expect(await verifyAccessToken(service.ctx, access_token)).toBeDefined();
    await service.ctx.db.prisma.user.update({ where: { id: "m-globex-bot" }, data: { state: "inactive" } });
    invalidateDirectory(service.ctx);
    expect(await verifyAccessToken(service.ctx, access_token)).toBeUndefined();
    expect(await errorOf(await post({}, robot))).toEqual({ status: 401, error: "invalid_client" });
  });

  it("does not accept a machine as an app with the same client id", async () => {
    const app = await tokens(post({}, basic("exchange", SECRET)));
    await service.ctx.db.prisma.user.update({
      where: { id: "m-jwt-bot" },
      data: { userName: "exchange", userNameKey: "exchange" },
    });
    invalidateDirectory(service.ctx);
    const secret = `jwt-bot-${MACHINE_SECRET}`;
    expect(await errorOf(await post({}, basic("exchange", secret)))).toEqual({ status: 401, error: "invalid_client" });
    const again = await tokens(post({}, basic("exchange", SECRET)));
    for (const { access_token } of [app, again]) {
      expect(await verifyAccessToken(service.ctx, access_token)).toMatchObject({ userId: null });
    }
  });

  it("ends an app's own token when the app is deleted", async () => {
    const { access_token } = await tokens(post({}, basic("exchange", SECRET)));
    await service.ctx.db.prisma.app.delete({ where: { id: "a-exchange" } });
    expect(await verifyAccessToken(service.ctx, access_token)).toBeUndefined();
  });
});
