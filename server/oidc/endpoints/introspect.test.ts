import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findClient } from "../../directory/app/app";
import { databaseKinds } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { clientJwt, exchangeJwtCredentials, machineToken, personTokens } from "../../testing/exchange";
import { basic, errorOf, tokensOf } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { P1_SCOPE, tokenBootstrap } from "../../testing/token-example";
import { verifyAccessToken } from "../access-tokens";
import { recordWrongAudience } from "../wrong-audience";

const api = basic("api", SECRET);

describe.each(databaseKinds)("introspection endpoint (RFC 7662, rule INTROSPECT-1) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
  });
  afterAll(() => service.close());

  const post = (form: Record<string, string>, authorization: string | null = api) =>
    service.fetch("/oauth/v2/introspect", {
      method: "POST",
      body: new URLSearchParams(form),
      headers: authorization === null ? {} : { authorization },
    });
  const introspect = async (token: string, authorization?: string) =>
    (await (await post({ token }, authorization)).json()) as Record<string, unknown>;

  it("returns everything that an API needs, and the claims of the scopes", async () => {
    const { access_token } = await tokensOf(service);
    const response = await post({ token: access_token });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const now = Math.floor(Date.now() / 1000);
    const answer = (await response.json()) as Record<string, number>;
    expect(answer).toEqual({
      active: true,
      iss: BASE_URL,
      sub: "u-ada",
      aud: ["web", "p1"],
      client_id: "web",
      exp: expect.any(Number),
      iat: expect.any(Number),
      nbf: expect.any(Number),
      jti: expect.any(String),
      token_type: "Bearer",
      scope: "openid profile email offline_access",
      username: "ada@acme.test",
      auth_time: expect.any(Number),
      amr: ["pwd"],
      acr: expect.any(String),
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
    });
    expect(Math.abs((answer.iat ?? 0) - now)).toBeLessThan(60);
    expect((answer.exp ?? 0) - (answer.iat ?? 0)).toBe(3600);
  });

  it("returns a JWT's own values", async () => {
    const jwt = await machineToken(service, "jwt-bot", P1_SCOPE);
    const { iss, sub, aud, client_id, exp, iat, nbf, jti, scope } = decodeJwt(jwt);
    const own = { iss, sub, aud, client_id, exp, iat, nbf, jti, scope };
    expect(await introspect(jwt)).toEqual({
      ...own,
      active: true,
      token_type: "Bearer",
      username: "jwt-bot@acme.test",
    });
  });

  it("builds the user name with the primary domain", async () => {
    const token = await machineToken(service, "ci", P1_SCOPE);
    expect(await introspect(token)).toMatchObject({ username: "ci@acme.test", sub: "m-ci", client_id: "ci" });
  });

  it("accepts private_key_jwt of APIs and apps, and the secret of the app itself (rule CLIENT-3)", async () => {
    const { access_token: token } = await personTokens(service);
    expect(await introspect(token, basic("exchange", SECRET))).toMatchObject({
      active: true,
      username: "eve@acme.test",
    });
    for (const clientId of ["api-jwt", "exchange-jwt"]) {
      const answer = await post({ token, ...(await exchangeJwtCredentials(clientId)) }, null);
      expect(await answer.json()).toMatchObject({ active: true });
    }
  });

  it("returns only inactive to a client that the token is not meant for", async () => {
    const { access_token } = await tokensOf(service);
    expect(await introspect(access_token, basic("api2", SECRET))).toEqual({ active: false });
    expect(await introspect(await machineToken(service, "ci"))).toEqual({ active: false });
  });

  it("logs once a minute that a caller is not in the audience, and which scope would add it", async () => {
    service.advance(3_600_000);
    const warned = vi.spyOn(service.ctx.log, "warn");
    const token = await machineToken(service, "ci");
    for (let time = 0; time < 3; time++) expect(await introspect(token)).toEqual({ active: false });
    expect(await introspect("unknown")).toEqual({ active: false });
    expect(warned.mock.calls).toEqual([
      [{ caller: "api", clientId: "ci", wanted: P1_SCOPE }, expect.stringContaining("audience")],
    ]);
    warned.mockRestore();
  });

  it("records that as an event of the API once an hour, and only for tokens of its own organization's clients", async () => {
    const { prisma } = service.ctx.db;
    const where = { type: "app.introspection.not_in_audience" };
    const recorded = () => prisma.event.findMany({ where, orderBy: { position: "asc" } });
    await expect.poll(async () => (await recorded()).length).toBe(1); // from the previous test
    await prisma.event.deleteMany({ where });
    service.advance(3_600_001);
    const own = await machineToken(service, "ci");
    const other = await machineToken(service, "globex-bot");
    for (const token of [other, own, other]) expect(await introspect(token)).toEqual({ active: false });
    await expect.poll(async () => (await recorded()).length).toBe(1); // recorded asynchronously
    expect(await introspect(own, basic("api2", SECRET))).toEqual({ active: false });
    expect(await introspect(other, basic("api2", SECRET))).toEqual({ active: false });
    await expect.poll(async () => (await recorded()).length).toBe(2);
    service.advance(120_000); // the log line is due again, the event is not
    for (const token of [own, other]) expect(await introspect(token)).toEqual({ active: false });
    service.advance(3_600_001);
    expect(await introspect(await machineToken(service, "ci"))).toEqual({ active: false });
    await expect.poll(async () => (await recorded()).length).toBe(3);
    const seen = (await recorded()).map(({ aggregateId, resourceOwner, payload }) => [
      aggregateId,
      resourceOwner,
      payload,
    ]);
    const ofShop = ["a-api", "acme", { clientId: "ci", scope: P1_SCOPE }];
    const ofOther = ["a-api2", "globex", { clientId: "globex-bot", scope: P1_SCOPE.replace(":p1:", ":p2:") }];
    expect(seen).toEqual([ofShop, ofOther, ofShop]);
  });

  it("records one event if many processes introspect at the same time", async () => {
    const { prisma } = service.ctx.db;
    const where = { type: "app.introspection.not_in_audience" };
    service.advance(3_600_001);
    const token = await verifyAccessToken(service.ctx, await machineToken(service, "ci"));
    const caller = await findClient(service.ctx, "api");
    const before = await prisma.event.count({ where });
    if (!token || !caller) throw new Error("there is no token or no API");
    // Each process remembers separately what it noted.
    const processes = Array.from({ length: 10 }, () => ({ ...service.ctx, db: { ...service.ctx.db } }));
    await Promise.all(processes.map((process) => recordWrongAudience(process, caller, token)));
    expect(await prisma.event.count({ where })).toBe(before + 1);
  });

  it("returns only inactive for anything that is not a valid access token of ours", async () => {
    const { id_token, refresh_token, access_token } = await tokensOf(service);
    const jwt = await machineToken(service, "jwt-bot", P1_SCOPE);
    const [header, , signature] = jwt.split(".");
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = decodeJwt(jwt);
    const forged = [
      `${header}.${encode({ ...claims, sub: "u-ada" })}.${signature}`,
      `${encode({ alg: "none", typ: "at+jwt" })}.${encode(claims)}.`,
      await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "x" })
        .sign(new TextEncoder().encode(SECRET)),
      await clientJwt("u-ada"),
    ];
    const others = [
      id_token,
      refresh_token,
      `${access_token}x`,
      access_token.slice(1),
      "x",
      ".",
      "é",
      "x".repeat(20_000),
    ];
    for (const token of [...forged, ...others]) expect(await introspect(token)).toEqual({ active: false });
  });

  it("ignores token_type_hint and unknown parameters", async () => {
    const { access_token: token } = await tokensOf(service);
    const answer = await post({ token, token_type_hint: "refresh_token", extra: "1" });
    expect(await answer.json()).toMatchObject({ active: true });
  });

  it.each<[string, Record<string, string>, string | null]>([
    ["no authentication", {}, null],
    ["a client id alone", { client_id: "api" }, null],
    ["the secret in the body", { client_id: "exchange-post", client_secret: SECRET }, null],
    ["a public client", { client_id: "spa" }, null],
    ["a wrong secret", {}, basic("api", "wrong")],
    ["a machine", {}, basic("ci", "ci-secret-ci-secret-ci-secret-ci-secret")],
    ["an access token", {}, "Bearer abc"],
  ])("rejects %s: 401 invalid_client", async (_, more, authorization) => {
    const { access_token: token } = await tokensOf(service);
    const answer = await post({ token, ...more }, authorization);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm="oauth", error="invalid_client", /);
    expect(await errorOf(answer)).toEqual({ status: 401, error: "invalid_client" });
  });

  it("rejects a request without token, with two tokens, by GET, and as JSON", async () => {
    expect(await errorOf(await post({}))).toEqual({ status: 400, error: "invalid_request" });
    const send = (init: RequestInit) =>
      service.fetch("/oauth/v2/introspect", { headers: { authorization: api }, ...init });
    const twice = await send({
      method: "POST",
      body: new URLSearchParams([
        ["token", "a"],
        ["token", "b"],
      ]),
    });
    expect(await errorOf(twice)).toEqual({ status: 400, error: "invalid_request" });
    expect((await send({ method: "GET" })).status).toBe(405);
    const json = await send({
      method: "POST",
      body: "{}",
      headers: { authorization: api, "content-type": "application/json" },
    });
    expect(await errorOf(json)).toEqual({ status: 400, error: "invalid_request" });
  });

  it("reports at once that a token expired, its session ended, or its user, app or organization was deactivated", async () => {
    const { prisma } = service.ctx.db;
    const states = { active: { state: "active" }, inactive: { state: "inactive" } };
    const ended: [string, (state: "active" | "inactive") => Promise<unknown>][] = [
      ["user", (to) => prisma.user.update({ where: { id: "u-eve" }, data: states[to] })],
      ["app", (to) => prisma.app.update({ where: { id: "a-exchange" }, data: states[to] })],
      ["project", (to) => prisma.project.update({ where: { id: "p1" }, data: states[to] })],
      ["organization", (to) => prisma.organization.update({ where: { id: "acme" }, data: states[to] })],
    ];
    const { access_token, id_token } = await personTokens(service);
    // The caller's client is cached for some seconds, so it still authenticates while its project is inactive.
    expect(await introspect(access_token)).toMatchObject({ active: true });
    for (const [, set] of ended) {
      await set("inactive");
      expect(await introspect(access_token)).toEqual({ active: false });
      await set("active");
      expect(await introspect(access_token)).toMatchObject({ active: true });
    }
    const { sid, txn } = decodeJwt(id_token) as { sid: string; txn: string };
    await prisma.session.update({ where: { id: sid }, data: { endedAt: new Date() } });
    expect(await introspect(access_token)).toMatchObject({ active: true }); // offline access, rule SIGNOUT-4
    await prisma.grant.update({ where: { id: txn }, data: { refreshIdleUntil: null } });
    expect(await introspect(access_token)).toEqual({ active: false });

    const jwt = await machineToken(service, "jwt-bot", P1_SCOPE);
    service.advance(3_601_000);
    expect(await introspect(jwt)).toEqual({ active: false });
  });
});
