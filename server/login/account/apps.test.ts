import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rememberConsent } from "../../directory/user/consent";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { pathOf } from "../../testing/factors";
import { authorize, errorOf, redeem, refresh, type Tokens, userinfo } from "../../testing/flow";
import { type AtHome, atHome, eventsOf } from "../../testing/own-account";
import { type TestService, testService } from "../../testing/test-context";
import { listConnectedApps } from "./apps";

describe.each(ruleDatabases)("connected applications on %s (ASVS 10.7.3)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const connect = async (home: AtHome, scope: string) => {
    const code = (await authorize(home.browser, { scope })).get("code") ?? "";
    return (await redeem(service, code)).json() as Promise<Tokens>;
  };

  it("shows the permissions of each app and since when, and disconnects it with all its tokens", async () => {
    const home = await atHome(service);
    expect(await home.page("apps")).toContain("No connected applications");
    const begun = service.ctx.clock();
    const first = await connect(home, "openid profile offline_access");
    service.advance(60_000);
    const second = await connect(home, "openid email");
    const [app, ...more] = await listConnectedApps(service.ctx, home.id);
    expect(more).toEqual([]);
    expect(app).toMatchObject({ clientId: "web", name: "App web", organizationName: "ACME" });
    expect(app?.disclosures).toEqual(["profile", "email", "offline"]);
    expect(app?.connectedAt).toBeGreaterThanOrEqual(begun);
    expect(app?.usedAt).toBeGreaterThanOrEqual(begun + 60_000);
    const html = await home.page("apps");
    expect(html).toContain("Your email address");
    const asked = await home.browser.get(`/account/confirm?session=${home.session}&what=disconnect-app&id=web`);
    expect(await asked.text()).toContain("App web");
    expect((await userinfo(service, first.access_token)).status).toBe(200); // the question alone ends nothing

    expect(pathOf(await home.press(html, "disconnect-1"))).toMatch(/^\/account\/apps\?.*saved=1/);
    for (const { access_token } of [first, second]) {
      expect((await userinfo(service, access_token)).status).toBe(401);
    }
    const refused = await errorOf(await refresh(service, first.refresh_token));
    expect(refused).toEqual({ status: 400, error: "invalid_grant" });
    expect(await listConnectedApps(service.ctx, home.id)).toEqual([]);
    const where = { aggregateId: home.id, type: "user.grant.revoked" };
    const revoked = await service.ctx.db.prisma.event.findMany({ where });
    expect(revoked.map(({ payload }) => (payload as { reason: string }).reason)).toEqual(
      Array.from({ length: 3 }, () => "disconnected by the user"), // and the unused code of the sign-in
    );
    expect(revoked.every(({ actor }) => actor === home.id)).toBe(true);
    expect((await home.browser.get(`/account?session=${home.session}`)).status).toBe(200); // the user is signed in
  });

  it("forgets consent, even if the application has no tokens at present", async () => {
    const home = await atHome(service);
    const user = { userId: home.id, organizationId: "acme" };
    const app = { name: "SPA", isForeign: false };
    await rememberConsent(service.ctx, { user, clientId: "spa", scope: ["openid", "phone"] }, app, {});
    expect(await home.page("apps")).toContain("Your phone number");
    await home.press(await home.page("apps"), "disconnect-1");
    expect(await listConnectedApps(service.ctx, home.id)).toEqual([]);
    expect(await eventsOf(service, home.id)).toContain("user.consent.withdrawn");
  });

  it("shows no ended access: unredeemed codes, ended sessions, old passwords", async () => {
    const home = await atHome(service); // which also issued a code
    expect(await listConnectedApps(service.ctx, home.id)).toEqual([]);
    await connect(home, "openid");
    expect(await listConnectedApps(service.ctx, home.id)).toHaveLength(1);
    service.advance(2 * 3_600_000);
    expect(await listConnectedApps(service.ctx, home.id)).toEqual([]);
    const again = await atHome(service, { id: home.id, loginName: home.loginName }, home.browser);
    await connect(again, "openid offline_access");
    expect(await listConnectedApps(service.ctx, home.id)).toHaveLength(1);
    const data = { validFrom: new Date(service.ctx.clock() + 1) };
    await service.ctx.db.prisma.user.update({ where: { id: home.id }, data });
    expect(await listConnectedApps(service.ctx, home.id)).toEqual([]);
  });

  it("does not affect other users' apps, and ignores an unknown one", async () => {
    const other = await atHome(service);
    await connect(other, "openid offline_access");
    const home = await atHome(service);
    await connect(home, "openid offline_access");
    await home.press(await home.page("apps"), "disconnect-1");
    expect(await listConnectedApps(service.ctx, other.id)).toHaveLength(1);
    const { browser, session } = home;
    const before = await eventsOf(service, home.id);
    expect((await browser.post("/account/submit", { session, what: "disconnect-app", id: "nobody" })).status).toBe(303);
    expect(await eventsOf(service, home.id)).toEqual(before);
  });
});
