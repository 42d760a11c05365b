import { decodeJwt } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { exchange } from "../../testing/exchange";
import { basic, postToken, type Tokens, userinfo } from "../../testing/flow";
import { callerOf, EVIL_CALLBACK, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";
import { confirm, redeemed, signedIn, visit } from "../../testing/visits";

const DAY = 86_400;
const TEN_YEARS = {
  accessTokenLifetime: "3650d",
  idTokenLifetime: "3650d",
  refreshTokenLifetime: "3650d",
  refreshTokenIdleLifetime: "3650d",
};
const app = {
  redirectUris: [EVIL_CALLBACK],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
  appType: "OIDC_APP_TYPE_WEB",
};

describe.each(ruleDatabases)("the lifetime of tokens, on %s", (kind) => {
  let service: TestService;
  let usual: object;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    usual = { ...service.ctx.config.lifetimes };
  });
  afterEach(() => Object.assign(service.ctx.config.lifetimes, usual));
  afterAll(() => service.close());
  const lasts = (token: string) => {
    const { iat = 0, exp = 0 } = decodeJwt(token);
    return exp - iat;
  };

  it("is at most a day for all settings of a tenant: by a code, refreshed and exchanged", async () => {
    const evil = await callerOf(service, "evil-mallory");
    const path = "/management/v1/projects/pe/apps";
    for (const [id, grantTypes] of [
      ["evil-web", app.grantTypes],
      ["evil-exchange", [...app.grantTypes, "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"]],
    ] as const) {
      // It may be refused or clamped; it must not count.
      await evil("PUT", `${path}/a-${id}/oidc_config`, { ...app, grantTypes, ...TEN_YEARS });
    }
    for (const client of ["evil-web", "evil-exchange"]) {
      for (const name of ["carl", "ada"]) {
        const browser = await signedIn(service, name);
        const asked = await visit(browser, client, { scope: "openid offline_access" });
        const tokens = await redeemed(service, client, await confirm(browser, asked));
        const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
        const again = (await (await postToken(service, form, basic(client, SECRET))).json()) as Tokens;
        for (const given of [tokens, again]) {
          expect(given.expires_in).toBeGreaterThan(0);
          expect(given.expires_in).toBeLessThanOrEqual(DAY);
          expect(lasts(given.id_token)).toBeLessThanOrEqual(DAY);
        }
        if (client !== "evil-exchange") continue;
        for (const requested of ["accessToken", "jwt", "idToken"] as const) {
          const subject = ["accessToken", again.access_token] as ["accessToken", string];
          const given = await exchange(service, { subject, requested }, basic(client, SECRET));
          expect(given.expires_in ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(DAY);
        }
      }
    }
  });

  it("is at most a day for values of the database and the bootstrap file", async () => {
    const stored = await service.ctx.db.prisma.app.findFirstOrThrow({ where: { clientId: "own" } });
    const settings = { ...(stored.settings as object), ...TEN_YEARS };
    await service.ctx.db.prisma.app.update({ where: { id: stored.id }, data: { settings } });
    const tokens = await redeemed(service, "own", await visit(await signedIn(service, "bob"), "own"));
    await service.ctx.db.prisma.app.update({ where: { id: stored.id }, data: { settings: stored.settings ?? {} } });
    expect(tokens.expires_in).toBeLessThanOrEqual(DAY);
    expect(lasts(tokens.id_token)).toBeLessThanOrEqual(DAY);
  });

  it.each<[string, object]>([
    ["expiry", { session: 20_000, sessionIdle: 20_000 }],
    ["idleness", { session: 3_600_000, sessionIdle: 20_000 }],
  ])("ends with the %s of the session that they stand on", async (_, lifetimes) => {
    Object.assign(service.ctx.config.lifetimes, lifetimes);
    const browser = await signedIn(service, "bob");
    const tokens = await redeemed(service, "own-exchange", await visit(browser, "own-exchange", { scope: "openid" }));
    const lasting = await visit(browser, "own-exchange", { scope: "openid offline_access" });
    const offline = await redeemed(service, "own-exchange", lasting);
    expect((await userinfo(service, tokens.access_token)).status).toBe(200);
    service.advance(24_000);
    expect(await visit(browser, "own", { prompt: "none" })).toEqual({ kind: "refused", error: "login_required" });
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    const headers = { authorization: basic("own-exchange", SECRET) };
    const body = new URLSearchParams({ token: tokens.access_token });
    const told = await service.fetch("/oauth/v2/introspect", { method: "POST", body, headers });
    expect(await told.json()).toMatchObject({ active: false });
    const subject: ["accessToken", string] = ["accessToken", tokens.access_token];
    expect((await exchange(service, { subject }, basic("own-exchange", SECRET))).access_token).toBeUndefined();
    // Access while the person is away was asked for, and lasts.
    const form = { grant_type: "refresh_token", refresh_token: offline.refresh_token };
    expect((await postToken(service, form, basic("own-exchange", SECRET))).status).toBe(200);
  });
});
