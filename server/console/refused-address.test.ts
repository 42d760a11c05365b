/** The error page for a rejected address of an application: its branding, and who is offered the repair. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../directory/change";
import { addOrganization } from "../directory/organization/organization";
import { setPolicy } from "../directory/policy/policies";
import { insertMembership } from "../storage/user/user";
import { exampleBootstrap } from "../testing/example";
import { authorizePath, fillSignIn } from "../testing/flow";
import { byId } from "../testing/page-samples";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../testing/test-context";

const OPERATOR = { actor: "operator" };
const SENT = "https://evil.test/cb?a=1&b=<2>";
const locationOf = (response: Response) => (response.headers.get("location") ?? "").replace(BASE_URL, "");

describe("The error page for an application's address", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  async function signedIn(loginName: string): Promise<TestBrowser> {
    const browser = service.browser();
    const authorize = await browser.get(locationOf(await browser.get("/console/sign-in")));
    await browser.get(locationOf(await fillSignIn(browser, authorize, { loginName })));
    return browser;
  }
  const pageOf = async (browser: TestBrowser, path: string) => {
    const answer = await browser.get(path);
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  };
  const refused = (clientId = "web") => authorizePath({ client_id: clientId, redirect_uri: SENT });
  const repairOn = ({ html }: { html: string }) => byId(html, "repair")?.href?.replaceAll("&amp;", "&");

  it("has the branding of the application's organization, or none without an application", async () => {
    const { ctx } = service;
    const look = { primaryColor: "#d00000" } as const;
    await changeDirectory(ctx, (ctx) => setPolicy({ ...ctx, origin: OPERATOR }, "acme", "label", look));
    const stranger = service.browser();
    const known = await pageOf(stranger, refused());
    expect(known.status).toBe(400);
    expect(known.html).toContain("#d00000");
    expect(known.html).toContain("ACME");
    const signOut = new URLSearchParams({ client_id: "web", post_logout_redirect_uri: SENT });
    expect((await pageOf(stranger, `/oidc/v1/end_session?${signOut}`)).html).toContain("#d00000");
    for (const path of [refused("nobody"), refused("api"), "/error"]) {
      const { html } = await pageOf(stranger, path);
      expect(html, path).not.toContain("#d00000");
      expect(html, path).not.toContain("ACME");
    }
    const apiSignOut = new URLSearchParams({ client_id: "api", post_logout_redirect_uri: SENT });
    expect((await pageOf(stranger, `/oidc/v1/end_session?${apiSignOut}`)).html).not.toContain("#d00000");
  });

  it("shows nothing of the request except the rejected value, and can change its language", async () => {
    const browser = service.browser();
    const twice = "/oauth/v2/authorize?client_id=web&client_id=nobody&login_hint=MARK%zz";
    const unknown = authorizePath({ client_id: "nobody", state: "MARK", login_hint: "MARK" });
    for (const path of ["/error?error=MARK&error_description=MARK", unknown, twice, "/login?flow=MARK"]) {
      const page = await pageOf(browser, path);
      expect(page.html, path).not.toContain("MARK");
      const form = /<details class="languages">.*?<form action="([^"]+)">(.*?)<\/form>/s.exec(page.html);
      const hidden = /name="again" value="([^"]+)"/.exec(form?.[2] ?? "")?.[1];
      const fields = new URLSearchParams({ ...(hidden && { again: hidden }), ui_locales: "de" });
      const answer = await pageOf(browser, `${form?.[1]}?${fields}`);
      if (path.startsWith("/error")) {
        expect(answer.html).toContain('lang="de"');
        continue;
      }
      expect([answer.status, answer.headers.get("location")]).toEqual([303, `${path}&ui_locales=de`]);
    }
    const german = await pageOf(browser, `${unknown}&ui_locales=de`);
    expect(german.html).toContain('<html lang="de"');
    expect((await pageOf(browser, `/login?flow=${"x".repeat(7_000)}`)).html).not.toContain('class="languages"');
    // Not with another sealed value, and only for a limited time.
    const other = new URLSearchParams({ again: service.ctx.secrets.seal("flow", JSON.stringify({ kind: "refusal" })) });
    expect((await pageOf(browser, `/error?${other}`)).status).toBe(400);
  });

  it("offers the repair only to users who may read the app in the console", async () => {
    const { ctx } = service;
    await changeDirectory(ctx, (ctx) =>
      addOrganization({ ...ctx, origin: OPERATOR }, { id: "globex", name: "Globex" }),
    );
    const membership = { userId: "u-bob", level: "organization", levelId: "globex", role: "ORG_OWNER" };
    await ctx.db.transaction((tx) => insertMembership(tx, membership, ctx.clock()));
    expect(repairOn(await pageOf(service.browser(), refused()))).toBeUndefined();
    expect(repairOn(await pageOf(await signedIn("bob@acme.test"), refused()))).toBeUndefined();
    const manager = await signedIn("ada@acme.test");
    const page = await pageOf(manager, refused());
    const href = new URL(repairOn(page) ?? "", BASE_URL);
    expect(href.origin).toBe(BASE_URL);
    expect(href.pathname).toMatch(/^\/console\/organizations\/acme\/projects\/[\w-]+\/apps\/[\w-]+$/);
    expect(href.searchParams.get("refused")).toBe(SENT);
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(repairOn(await pageOf(manager, refused("nobody")))).toBeUndefined();
    expect(repairOn(await pageOf(manager, refused("console")))).toBeUndefined();
  });
});
