import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withdrawConsent } from "../../directory/user/consent";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { answerOf, authorizePath, fillSignIn, pkcePair } from "../../testing/flow";
import { byId, tagsOf } from "../../testing/page-samples";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const REDIRECT = "http://127.0.0.1:51004/cb";
const { challenge } = pkcePair();

const app = (clientId: string, oidc: object) => ({
  id: `a-${clientId}`,
  name: `App ${clientId}`,
  oidc: { clientId, ...oidc },
});
const withApps = () => {
  const bootstrap = structuredClone(exampleBootstrap);
  const common = { grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"] };
  const isPublic = { ...common, authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" };
  const native = { ...isPublic, appType: "OIDC_APP_TYPE_NATIVE" };
  bootstrap.organizations[0]?.projects[0]?.apps.push(
    app("phone", { ...native, redirectUris: ["http://127.0.0.1/cb", "com.example.app:/cb"] }),
    app("stranger", {
      ...isPublic,
      appType: "OIDC_APP_TYPE_USER_AGENT",
      redirectUris: ["https://stranger.test/cb"],
      isThirdParty: true,
    }),
  );
  return bootstrap;
};

describe.each(ruleDatabases)("continue to the app? (rule PAGE-2, RFC 8252 §8.6) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, withApps());
  });
  afterAll(() => service.close());

  const forget = () =>
    service.ctx.db.transaction(async (tx) => {
      const user = { userId: "u-ada", organizationId: "acme" };
      for (const clientId of ["phone", "stranger"])
        await withdrawConsent({ ...service.ctx, tx, origin: { actor: user.userId } }, user, clientId);
    });

  const path = (more: Partial<Record<string, string>> = {}) =>
    authorizePath({
      client_id: "phone",
      redirect_uri: REDIRECT,
      scope: "openid email",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...more,
    });
  const locationOf = (response: Response) => response.headers.get("location") ?? "";
  const flowOf = (address: string) => new URL(address).searchParams.get("flow") ?? "";

  /** Signs in and returns the redirect. */
  async function arrive(browser: TestBrowser, more: Partial<Record<string, string>> = {}) {
    const first = await browser.get(path(more));
    return locationOf(first).includes("/login?") ? fillSignIn(browser, first) : first;
  }
  const answer = async (browser: TestBrowser, asked: Response, how: Record<string, string>) =>
    browser.post("/login/continue/submit", { flow: flowOf(locationOf(asked)), ...how });

  it("shows the names, the app's permissions and its destination, and continues with the button `submit`", async () => {
    await forget();
    const browser = service.browser();
    const asked = await arrive(browser);
    expect(locationOf(asked)).toContain("/login/continue?flow=");
    const page = await browser.get(locationOf(asked));
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain("Continue to <bdi>App phone</bdi> as <bdi>Ada Lovelace</bdi>?");
    expect(html).toContain("Your email address");
    expect(html).toContain("<bdi>127.0.0.1:51004</bdi>");
    expect(html).toContain("Until you sign out, or end it in your account");
    expect(byId(html, "submit")).toMatchObject({ tag: "button", name: "submit", type: "submit" });
    expect(byId(html, "deny")).toMatchObject({ tag: "button", name: "deny" });
    expect(tagsOf(html).find(({ method }) => method === "post")?.action).toBe("/login/continue/submit");
    const done = await answer(browser, asked, { submit: "" });
    expect(locationOf(done)).toMatch(/^http:\/\/127\.0\.0\.1:51004\/cb\?code=/);
  });

  it("asks once, again for further permissions, and again after the consent was revoked", async () => {
    await forget();
    const browser = service.browser();
    await answer(browser, await arrive(browser), { submit: "" });
    expect(answerOf(await arrive(browser)).get("code")).toBeTruthy();
    expect(answerOf(await arrive(browser, { scope: "openid" })).get("code")).toBeTruthy();
    const more = await arrive(browser, { scope: "openid profile" });
    expect(locationOf(more)).toContain("/login/continue?");
    await answer(browser, more, { submit: "" });
    // A new consent does not revoke an earlier one.
    expect(answerOf(await arrive(browser, { scope: "openid profile email" })).get("code")).toBeTruthy();
    const claims = await arrive(browser, { claims: JSON.stringify({ userinfo: { phone_number: null } }) });
    expect(locationOf(claims)).toContain("/login/continue?");
    await forget();
    expect(locationOf(await arrive(browser))).toContain("/login/continue?");
  });

  it("leads a request for more access to one page, which lists only what is new (RFC 9470)", async () => {
    await forget();
    const browser = service.browser();
    await answer(browser, await arrive(browser), { submit: "" });
    const more = await arrive(browser, { scope: "openid email phone", max_age: "3600" });
    expect(locationOf(more)).toContain("/login/continue?");
    const html = await (await browser.get(locationOf(more))).text();
    expect(html).toContain("<bdi>App phone</bdi> asks for more access");
    expect(html).toContain("Your phone number");
    expect(html).not.toContain("Your email address");
    expect(answerOf(await answer(browser, more, { submit: "" })).get("code")).toBeTruthy();
  });

  it("asks once on each sign-in if the app requests it (prompt consent)", async () => {
    await forget();
    const browser = service.browser();
    for (let time = 0; time < 2; time++) {
      const asked = await arrive(browser, { prompt: "consent" });
      expect(locationOf(asked)).toContain("/login/continue?");
      expect(answerOf(await answer(browser, asked, { submit: "" })).get("code")).toBeTruthy();
    }
  });

  it("fails with interaction_required for prompt none, until the user has consented", async () => {
    await forget();
    const browser = service.browser();
    const asked = await arrive(browser);
    expect(answerOf(await arrive(browser, { prompt: "none" })).get("error")).toBe("interaction_required");
    await answer(browser, asked, { submit: "" });
    expect(answerOf(await arrive(browser, { prompt: "none" })).get("code")).toBeTruthy();
  });

  it("returns a denial as access_denied and stores nothing", async () => {
    await forget();
    const browser = service.browser();
    const denied = answerOf(await answer(browser, await arrive(browser), { deny: "yes" }));
    expect([denied.get("error"), denied.get("state"), denied.get("code")]).toEqual(["access_denied", "s-1", null]);
    expect(locationOf(await arrive(browser))).toContain("/login/continue?");
  });

  it("accepts a denial even after consent in another window", async () => {
    await forget();
    const browser = service.browser();
    const [first, second] = [await arrive(browser), await arrive(browser)];
    await answer(browser, first, { submit: "" });
    expect(answerOf(await answer(browser, second, { deny: "yes" })).get("error")).toBe("access_denied");
  });

  it("asks for a third-party app on any host, and never for the organization's own app", async () => {
    await forget();
    const browser = service.browser();
    const stranger = { client_id: "stranger", redirect_uri: "https://stranger.test/cb" };
    const asked = await arrive(browser, stranger);
    expect(locationOf(asked)).toContain("/login/continue?");
    expect(await (await browser.get(locationOf(asked))).text()).toContain("<bdi>stranger.test</bdi>");
    const own = await browser.get(authorizePath());
    expect(answerOf(own).get("code")).toBeTruthy();
  });

  it("redirects to an app's private scheme, which the page's CSP contains", async () => {
    await forget();
    const browser = service.browser();
    const asked = await arrive(browser, { redirect_uri: "com.example.app:/cb" });
    const page = await browser.get(locationOf(asked));
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' com.example.app:");
    expect(locationOf(await answer(browser, asked, { submit: "" }))).toMatch(/^com\.example\.app:\/cb\?code=/);
  });

  it("redirects to the sign-in in a browser without the session", async () => {
    await forget();
    const asked = await arrive(service.browser());
    const thief = service.browser();
    expect(locationOf(await thief.get(locationOf(asked)))).toContain("/login?flow=");
    expect(locationOf(await answer(thief, asked, { submit: "" }))).toContain("/login?flow=");
    expect(locationOf(await arrive(service.browser()))).toContain("/login/continue?");
  });

  it("rejects another site's form, and skips a page that was answered", async () => {
    await forget();
    const browser = service.browser();
    const asked = await arrive(browser);
    const body = new URLSearchParams({ flow: flowOf(locationOf(asked)) });
    const headers = {
      origin: "https://evil.test",
      cookie: [...browser.cookies].map((pair) => pair.join("=")).join(";"),
    };
    expect((await service.fetch("/login/continue/submit", { method: "POST", body, headers })).status).toBe(403);
    await answer(browser, asked, { submit: "" });
    expect(answerOf(await browser.get(locationOf(asked))).get("code")).toBeTruthy();
  });

  it("lets another account be chosen", async () => {
    await forget();
    const browser = service.browser();
    const html = await (await browser.get(locationOf(await arrive(browser)))).text();
    const other = tagsOf(html)
      .find(({ href }) => href?.includes("/login/select-account"))
      ?.href?.replaceAll("&amp;", "&");
    expect(await (await browser.get(other ?? "")).text()).toContain('name="session"');
  });
});
