import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { basic, postToken, type Tokens } from "../../testing/flow";
import { type ApiCaller, callerOf, EVIL_CALLBACK, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";
import { SERVICE_SCOPE } from "../../testing/token-example";
import { confirm, manages, redeemed, signedIn, visit } from "../../testing/visits";

const WANTED = `openid offline_access ${SERVICE_SCOPE}`;
const SWITCHES = [{ trusted: true }, { allowManagementApi: true }, { trusted: true, allowManagementApi: true }];
const settings = { redirectUris: [EVIL_CALLBACK], authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" };
const grantTypes = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"];

describe.each(ruleDatabases)("apps that the instance trusts or allows, on %s", (kind) => {
  let service: TestService;
  let iam: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    iam = await callerOf(service, "acme-iam");
  });
  afterAll(() => service.close());

  it("require a confirmation on every visit if they manage the service, and get no silent response", async () => {
    const browser = await signedIn(service, "ada");
    for (let time = 0; time < 2; time++) {
      expect(await visit(browser, "manager", { scope: WANTED, prompt: "none" })).toEqual({
        kind: "refused",
        error: "interaction_required",
      });
      const asked = await visit(browser, "manager", { scope: WANTED });
      expect(asked).toMatchObject({ kind: "asked", page: "/login/continue" });
      const page = asked.kind === "asked" ? await (await browser.get(asked.location)).text() : "";
      expect(page).toMatch(/manage/i);
      const tokens = await redeemed(service, "manager", await confirm(browser, asked));
      expect(tokens.scope.split(" ")).toContain(SERVICE_SCOPE);
      expect(await manages(service, tokens.access_token)).toBe(true);
    }
    // Without that scope they are like all other apps of the organization.
    expect(await visit(browser, "manager", { prompt: "none" })).toMatchObject({ kind: "answered" });
  });

  it("require a confirmation of users of other organizations too", async () => {
    const browser = await signedIn(service, "sam");
    const asked = await visit(browser, "manager", { scope: WANTED });
    const tokens = await redeemed(service, "manager", await confirm(browser, asked));
    expect(await manages(service, tokens.access_token)).toBe(true);
  });

  it.each(SWITCHES)("cannot be created by other roles: %j", async (switches) => {
    for (const name of ["evil-mallory", "evil-cara", "acme-bot", "acme-org-manager"]) {
      const call = await callerOf(service, name);
      const project = name.startsWith("evil") ? "pe" : "p1";
      const [app, config] = name.startsWith("evil") ? ["a-evil-web", "evil-web"] : ["a-own", "own"];
      const body = { ...settings, grantTypes, ...switches };
      const added = await call("POST", `/management/v1/projects/${project}/apps/oidc`, { name: "Nice app", ...body });
      const path = `/management/v1/projects/${project}/apps/${app}`;
      const changed = await call("PUT", `${path}/oidc_config`, body);
      await call("PUT", `${path}/oidc_config`, { ...settings, grantTypes, allow_management_api: true });
      const applied = await call("POST", "/admin/v1/_apply", {
        organizations: [
          { id: "evil", name: "Evil", projects: [{ id: "pe", name: "E", apps: [{ name: "N", oidc: body }] }] },
        ],
      });
      for (const { status } of [added, changed, applied]) expect([name, status]).toEqual([name, 403]);
      const { body: shown } = await iam("GET", path, undefined, project === "pe" ? "evil" : "acme");
      expect(shown.app.oidcConfig).toMatchObject({ clientId: config });
      expect(shown.app.oidcConfig.trusted ?? false).toBe(false);
      expect(shown.app.oidcConfig.allowManagementApi ?? false).toBe(false);
    }
  });

  it("lose access to the management APIs as soon as the instance revokes it", async () => {
    const body = { ...settings, grantTypes, redirectUris: ["https://rp.test/cb"] };
    const path = "/management/v1/projects/p1/apps/a-manager/oidc_config";
    const browser = await signedIn(service, "ada");
    const asked = await visit(browser, "manager", { scope: WANTED });
    const tokens = await redeemed(service, "manager", await confirm(browser, asked));
    expect(await manages(service, tokens.access_token)).toBe(true);
    expect((await iam("PUT", path, { ...body, allowManagementApi: false }, "acme")).status).toBe(200);
    const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    const answer = (await (await postToken(service, form, basic("manager", SECRET))).json()) as Partial<Tokens>;
    expect(await manages(service, answer.access_token)).toBe(false);
    expect(await manages(service, tokens.access_token)).toBe(false);
  });
});
