import http from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { listLogoutNotifications, wakeLogoutNotifications } from "../../storage/session/logout-notifications";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { authorize, basic, postToken, REDIRECT_URI, type Tokens } from "../../testing/flow";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { deliverNextNotification } from "./deliver";

const HOUR = 3_600_000;

/** @returns how many attempts were made */
async function deliverAll(ctx: Context): Promise<number> {
  for (let count = 0; ; count++) {
    const next = await deliverNextNotification(ctx);
    if (!next) return count;
    await next.ended;
  }
}

interface Heard {
  method: string;
  type: string;
  form: URLSearchParams;
}

/** An application's logout endpoint. Its responses are taken from `answers`, then 200. */
async function listener() {
  const heard: Heard[] = [];
  const answers: number[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method = "", headers } = request;
      heard.push({ method, type: headers["content-type"] ?? "", form: new URLSearchParams(body) });
      const status = answers.shift() ?? 200;
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { heard, answers, port, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe.each(databaseKinds)("back-channel logout (OpenID Connect Back-Channel Logout 1.0) on %s", (kind) => {
  let service: TestService;
  let app: Awaited<ReturnType<typeof listener>>;
  beforeAll(async () => {
    app = await listener();
    const [acme] = exampleBootstrap.organizations;
    const [shop] = acme?.projects ?? [];
    const oidc = {
      clientId: "told",
      clientSecret: SECRET,
      redirectUris: [REDIRECT_URI],
      devMode: true,
      backChannelLogoutUri: `http://127.0.0.1:${app.port}/logout`,
    };
    const apps = [...(shop?.apps ?? []), { id: "a-told", name: "Told", oidc }];
    service = await testService(kind, { organizations: [{ ...acme, projects: [{ ...shop, apps }] }] });
  });
  beforeEach(() => {
    app.heard.length = 0;
    app.answers.length = 0;
  });
  afterEach(async () => {
    await service.ctx.db.prisma.logoutNotification.deleteMany({});
  });
  afterAll(async () => {
    await app.close();
    await service.close();
  });

  const signIn = async (browser: TestBrowser = service.browser()) => {
    const code = (await authorize(browser, { client_id: "told" })).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    const tokens = (await (await postToken(service, form, basic("told", SECRET))).json()) as Tokens;
    return { browser, claims: decodeJwt(tokens.id_token) };
  };
  const signOut = (browser: TestBrowser) => browser.post("/logout/submit", {});
  const rows = () => listLogoutNotifications(service.ctx.db, "told", 10);
  const deliver = () => deliverAll(service.ctx);

  it("notifies the app when the session ends, with a logout token as specified", async () => {
    const { browser, claims } = await signIn();
    expect(await deliver()).toBe(0);
    await signOut(browser);
    expect(await deliver()).toBe(1);
    expect(app.heard).toHaveLength(1);
    const [{ method, type, form } = { method: "", type: "", form: new URLSearchParams() }] = app.heard;
    expect([method, type, [...form.keys()]]).toEqual(["POST", "application/x-www-form-urlencoded", ["logout_token"]]);
    const keys = (await (await service.fetch("/oauth/v2/keys")).json()) as JSONWebKeySet;
    const { payload } = await jwtVerify(form.get("logout_token") ?? "", createLocalJWKSet(keys), {
      issuer: BASE_URL,
      audience: "told",
      typ: "logout+jwt",
      currentDate: new Date(service.ctx.clock()),
    });
    expect(payload).toEqual({
      iss: BASE_URL,
      aud: "told",
      sub: "u-ada",
      sid: claims.sid,
      iat: expect.any(Number),
      exp: Number(payload.iat) + 120,
      jti: expect.stringMatching(/^[\w-]{36}$/),
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    expect(await rows()).toMatchObject([{ attempts: 1, deliveredAt: expect.any(Number), lastError: null }]);
    expect(await deliver()).toBe(0);
  });

  it("posts to no loopback URI of an older row if the service is not on loopback", async () => {
    const { browser } = await signIn();
    await signOut(browser);
    const { config } = service.ctx;
    expect(await deliverAll({ ...service.ctx, config: { ...config, baseUrl: "https://id.acme.test" } })).toBe(1);
    expect(app.heard).toHaveLength(0);
    expect(await rows()).toMatchObject([{ deliveredAt: null, lastError: "the address must use https" }]);
  });

  it("notifies each app of the session once, however many responses it got, and no app that is not registered for it", async () => {
    const { browser } = await signIn();
    await signIn(browser);
    await authorize(browser, { client_id: "web" });
    await signOut(browser);
    await deliver();
    expect(app.heard).toHaveLength(1);
  });

  it("rejects a logout token as an id_token_hint", async () => {
    const { browser } = await signIn();
    await signOut(browser);
    await deliver();
    const hint = app.heard[0]?.form.get("logout_token") ?? "";
    expect((await browser.get(`/oidc/v1/end_session?id_token_hint=${hint}`)).status).toBe(400);
  });

  it("retries with growing pauses until the app responds", async () => {
    const { browser } = await signIn();
    await signOut(browser);
    app.answers.push(500, 503, 302, 404);
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      await deliver();
      const [row] = await rows();
      expect(row).toMatchObject({ attempts: attempt + 1, deliveredAt: null, failedAt: null });
      pauses.push((row?.nextAttemptAt ?? 0) - service.ctx.clock());
      expect(await deliver()).toBe(0);
      service.advance(pauses.at(-1) ?? 0);
    }
    expect((await rows())[0]?.lastError).toBe("the application answered 404");
    pauses.forEach((pause, index) => {
      expect(pause).toBeGreaterThan(14_000 * 2 ** index);
      expect(pause).toBeLessThanOrEqual(30_000 * 2 ** index);
    });
    await deliver();
    expect(await rows()).toMatchObject([{ attempts: 5, deliveredAt: expect.any(Number) }]);
    expect(app.heard).toHaveLength(5); // the redirect was not followed
  });

  it("gives up if the app rejects the token, and records it in the audit trail", async () => {
    const { browser } = await signIn();
    await signOut(browser);
    app.answers.push(400);
    await deliver();
    expect(await rows()).toMatchObject([{ failedAt: expect.any(Number), lastError: "the application answered 400" }]);
    const event = await service.ctx.db.prisma.event.findFirst({ where: { type: "app.backchannel_logout.failed" } });
    expect(event).toMatchObject({ aggregateId: "a-told", payload: { reason: "the application answered 400" } });
    service.advance(9 * HOUR);
    expect(await deliver()).toBe(0);
  });

  it("gives up after the last attempt", async () => {
    const { browser } = await signIn();
    await signOut(browser);
    app.answers.push(...Array<number>(20).fill(500));
    for (let attempt = 0; attempt < 11; attempt++) {
      await deliver();
      service.advance(5 * HOUR);
    }
    expect(await rows()).toMatchObject([{ attempts: 11, failedAt: expect.any(Number) }]);
    expect(await deliver()).toBe(0);
  });

  it("is delivered by one of several processes", async () => {
    const { browser } = await signIn();
    await signOut(browser);
    const taken = await Promise.all(Array.from({ length: 8 }, deliver));
    expect(taken.reduce((sum, n) => sum + n, 0)).toBe(1);
    expect(app.heard).toHaveLength(1);
  });

  it("is taken over when the process that delivered it died", async () => {
    const { browser } = await signIn();
    await signOut(browser);
    const leaseUntil = new Date(service.ctx.clock() + 60_000);
    await service.ctx.db.prisma.logoutNotification.updateMany({ data: { leaseUntil } });
    expect(await deliver()).toBe(0);
    service.advance(61_000);
    expect(await deliver()).toBe(1);
  });

  it("notifies the app of sessions that a changed password or a deactivated user ended", async () => {
    await signIn();
    const { prisma } = service.ctx.db;
    service.advance(1_000);
    await prisma.user.update({ where: { id: "u-ada" }, data: { validFrom: new Date(service.ctx.clock()) } });
    expect(await wakeLogoutNotifications(service.ctx.db, service.ctx.clock())).toBe(1);
    await deliver();
    await signIn();
    await changeDirectory(service.ctx, (ctx) =>
      ctx.tx.user.update({ where: { id: "u-ada" }, data: { state: "inactive" } }),
    );
    expect(await wakeLogoutNotifications(service.ctx.db, service.ctx.clock())).toBe(1);
    await deliver();
    expect(app.heard).toHaveLength(2);
    await changeDirectory(service.ctx, (ctx) =>
      ctx.tx.user.update({ where: { id: "u-ada" }, data: { state: "active" } }),
    );
  });

  it("notifies no app of a session that expired, and deletes the row", async () => {
    await signIn();
    service.advance(service.ctx.config.lifetimes.session + HOUR);
    expect(await deliver()).toBe(1);
    expect([app.heard.length, (await rows()).length]).toEqual([0, 0]);
  });

  it("keeps waiting for a session that was authenticated again", async () => {
    const { browser } = await signIn();
    service.advance(service.ctx.config.lifetimes.sessionIdle - HOUR);
    await authorize(browser, { client_id: "told", prompt: "login" });
    service.advance(service.ctx.config.lifetimes.session - service.ctx.config.lifetimes.sessionIdle + 2 * HOUR);
    expect(await deliver()).toBe(1);
    const [row] = await rows();
    expect([app.heard.length, row?.attempts, (row?.nextAttemptAt ?? 0) > service.ctx.clock()]).toEqual([0, 0, true]);
  });

  it("is announced by discovery", async () => {
    expect(await (await service.fetch("/.well-known/openid-configuration")).json()).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
  });
});
