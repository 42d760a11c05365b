import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { PASSWORD, SECRET } from "../../testing/example";
import { exchange, exchangeJwtCredentials, machineToken, personTokens } from "../../testing/exchange";
import { authorize, basic, errorOf, postToken, REDIRECT_URI, type Tokens, userinfo } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { MACHINE_SECRET, tokenBootstrap } from "../../testing/token-example";
import { verifyAccessToken } from "../access-tokens";

const own = basic("exchange", SECRET);

describe.each(databaseKinds)("revocation endpoint (RFC 7009, rule REVOKE-1) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  const post = (form: Record<string, string>, authorization: string | null = own) =>
    service.fetch("/oauth/v2/revoke", {
      method: "POST",
      body: new URLSearchParams(form),
      headers: authorization === null ? {} : { authorization },
    });
  const refresh = (token: string) => postToken(service, { grant_type: "refresh_token", refresh_token: token }, own);
  const works = async (accessToken: string) => (await userinfo(service, accessToken)).status === 200;

  it("ends an access token and nothing else", async () => {
    const tokens = await personTokens(service);
    const next = (await (await refresh(tokens.refresh_token)).json()) as Tokens;
    const answer = await post({ token: tokens.access_token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({});
    expect(await works(tokens.access_token)).toBe(false);
    expect(await works(next.access_token)).toBe(true);
    expect((await refresh(next.refresh_token)).status).toBe(200);
  });

  it("ends a JWT access token at once", async () => {
    const { access_token } = await personTokens(service);
    const jwt = await exchange(service, { subject: ["accessToken", access_token], requested: "jwt" });
    expect(await works(jwt.access_token ?? "")).toBe(true);
    await post({ token: jwt.access_token ?? "", token_type_hint: "refresh_token" });
    expect(await works(jwt.access_token ?? "")).toBe(false);
    expect(await works(access_token)).toBe(true);
  });

  it("ends everything that a grant issued by its refresh token, and what was exchanged from it", async () => {
    const tokens = await personTokens(service);
    const next = (await (await refresh(tokens.refresh_token)).json()) as Tokens;
    const first = await exchange(service, {
      subject: ["accessToken", next.access_token],
      scope: "openid offline_access",
    });
    const second = await exchange(service, { subject: ["accessToken", first.access_token ?? ""] });
    expect((await post({ token: next.refresh_token, token_type_hint: "access_token" })).status).toBe(200);
    for (const token of [tokens, next, first, second]) expect(await works(token.access_token ?? "")).toBe(false);
    for (const token of [next.refresh_token, first.refresh_token ?? ""]) {
      expect(await errorOf(await refresh(token))).toEqual({ status: 400, error: "invalid_grant" });
    }
    const event = await service.ctx.db.prisma.event.findFirst({ where: { type: "user.grant.revoked" } });
    expect(event).toMatchObject({ aggregateId: "u-eve", payload: { reason: "revoked by the client" } });
  });

  it("allows no exchange from a grant while it is being revoked", async () => {
    for (let round = 0; round < 5; round++) {
      const tokens = await personTokens(service);
      const exchanges = Array.from({ length: 10 }, () =>
        exchange(service, { subject: ["accessToken", tokens.access_token] }),
      );
      const [, ...answers] = await Promise.all([post({ token: tokens.refresh_token }), ...exchanges]);
      for (const { access_token } of answers) if (access_token) expect(await works(access_token)).toBe(false);
    }
  });

  it("returns 200 for unknown, ended and other clients' tokens, and ends nothing of another client", async () => {
    const tokens = await personTokens(service);
    const jwt = await exchange(service, { subject: ["accessToken", tokens.access_token], requested: "jwt" });
    const all = [tokens.access_token, tokens.refresh_token, jwt.access_token ?? ""];
    for (const authorization of [basic("web", SECRET), basic("ci", MACHINE_SECRET), basic("api2", SECRET)]) {
      for (const token of all) expect((await post({ token }, authorization)).status).toBe(200);
    }
    expect(await works(tokens.access_token)).toBe(true);
    expect(await works(jwt.access_token ?? "")).toBe(true);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
    for (const token of ["x", "a.b.c", tokens.id_token, `${tokens.refresh_token}A`, "é"]) {
      expect((await post({ token })).status).toBe(200);
    }
    await post({ token: tokens.access_token });
    expect((await post({ token: tokens.access_token })).status).toBe(200);
  });

  it("accepts each of the four client authentications, and a machine's secret (rule CLIENT-1)", async () => {
    const clients: [string, Record<string, string>, string | null][] = [
      ["exchange", {}, own],
      ["exchange-post", { client_id: "exchange-post", client_secret: SECRET }, null],
      ["exchange-jwt", await exchangeJwtCredentials(), null],
    ];
    for (const [clientId, credentials, authorization] of clients) {
      const { access_token } = await personTokens(service);
      const more = clientId === "exchange-jwt" ? await exchangeJwtCredentials() : credentials;
      const mine = await exchange(service, { subject: ["accessToken", access_token], more }, authorization);
      expect(await works(mine.access_token ?? "")).toBe(true);
      expect((await post({ token: mine.access_token ?? "", ...credentials }, authorization)).status).toBe(200);
      expect(await works(mine.access_token ?? "")).toBe(false);
    }
    const machine = await machineToken(service, "ci");
    await post({ token: machine }, basic("ci", MACHINE_SECRET));
    expect(await verifyAccessToken(service.ctx, machine)).toBeUndefined();
  });

  it("accepts a public client by its client id", async () => {
    const verifier = "v".repeat(43);
    const challenge = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))).toString(
      "base64url",
    );
    const code = await authorize(
      service.browser(),
      { client_id: "exchange-spa", code_challenge: challenge, code_challenge_method: "S256" },
      { loginName: "eve@acme.test", password: PASSWORD },
    );
    const form = { grant_type: "authorization_code", code: code.get("code") ?? "", redirect_uri: REDIRECT_URI };
    const spa = { client_id: "exchange-spa" };
    const tokens = (await (
      await postToken(service, { ...form, ...spa, code_verifier: verifier }, null)
    ).json()) as Tokens;
    expect(await works(tokens.access_token)).toBe(true);
    expect((await post({ token: tokens.refresh_token, ...spa }, null)).status).toBe(200);
    expect(await works(tokens.access_token)).toBe(false);
  });

  it.each<[string, Record<string, string>, string | null, number, string]>([
    ["no client", { token: "x" }, null, 401, "invalid_client"],
    ["a wrong secret", { token: "x" }, basic("exchange", "wrong"), 401, "invalid_client"],
    ["a confidential client by its id alone", { token: "x", client_id: "exchange" }, null, 401, "invalid_client"],
    ["no token", {}, own, 400, "invalid_request"],
    ["two authentications", { token: "x", client_id: "exchange", client_secret: SECRET }, own, 400, "invalid_request"],
  ])("rejects %s", async (_, form, authorization, status, error) => {
    expect(await errorOf(await post(form, authorization))).toEqual({ status, error });
  });
});
