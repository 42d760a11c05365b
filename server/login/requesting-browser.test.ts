import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD, SECRET } from "../testing/example";
import { answerOf, authorizePath, fillSignIn, flowOf } from "../testing/flow";
import { lastMailTo } from "../testing/mailed";
import { type TestBrowser, type TestService, testService } from "../testing/test-context";

const CHOSEN = "a lamp, a river and a tram";
const ADA = "ada@acme.test";
const CALLBACK = "https://evil.test/cb";
const bootstrap = {
  organizations: [
    ...exampleBootstrap.organizations,
    {
      id: "evil",
      name: "Evil Incorporated",
      domains: [{ domain: "evil.test", verified: true, primary: true }],
      users: [
        {
          id: "u-mallory",
          userName: "mallory",
          password: PASSWORD,
          roles: ["ORG_OWNER"],
          profile: { firstName: "Mallory", lastName: "Evil" },
        },
      ],
      projects: [
        {
          id: "pe",
          name: "Evil",
          apps: [
            {
              id: "a-evil",
              name: "Evil App",
              oidc: {
                clientId: "evil",
                clientSecret: SECRET,
                redirectUris: [CALLBACK],
                responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
                grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
                appType: "OIDC_APP_TYPE_WEB",
                authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
              },
            },
          ],
        },
      ],
    },
  ],
};

const tokenOf = (path: string) => new URL(path, "http://localhost").searchParams.get("token") ?? "";
const locationOf = (response: Response) => response.headers.get("location") ?? "";

describe.each(ruleDatabases)("a flow belongs to the browser that began it, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    const token = await apiToken(service, "mallory@evil.test");
    const body = {
      privacyLink: "https://evil.test/privacy",
      tosLink: "https://evil.test/terms",
      docsLink: "https://evil.test/docs",
    };
    expect((await callApi(service, "POST", "/management/v1/policies/privacy", { token, body })).status).toBe(200);
  });
  afterAll(() => service.close());

  const evil = (more: Record<string, string> = {}) =>
    authorizePath({ client_id: "evil", redirect_uri: CALLBACK, state: "attacker-state", scope: "openid", ...more });

  /** The attacker requests a code for ada, with their own app's request waiting. */
  async function attack(attacker: TestBrowser = service.browser()) {
    service.advance(3_600_000 + 1000);
    const first = await attacker.get(evil());
    const sent = await attacker.post("/login/forgot-password/submit", { flow: flowOf(first), loginName: ADA });
    const { code, path } = await lastMailTo(service, ADA);
    return { attacker, flow: flowOf(sent), code, path, token: tokenOf(path) };
  }

  /** The page contains nothing of the attacker's: no name, no link, no address. */
  const expectNeutral = (page: string) => {
    expect(page).not.toMatch(/\bevil\b/i);
    expect(page).toContain("ACME");
  };
  const set = (browser: TestBrowser, token: string) =>
    browser.post("/login/reset-password/submit", { token, password: CHOSEN });
  const continueOf = (page: string) => /id="continue" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");

  it.each([
    ["a fresh browser", async () => service.browser()],
    [
      "a browser that is signed in",
      async () => {
        const browser = service.browser();
        await fillSignIn(browser, await browser.get(authorizePath()), { loginName: "bob@acme.test" });
        return browser;
      },
    ],
    [
      "a browser whose cookie was stripped",
      async () => {
        const browser = service.browser();
        browser.cookies.set("ua", "");
        return browser;
      },
    ],
  ])("finishes a reset link in %s under the person's own brand, and in their own account", async (_, open) => {
    const { attacker, path, token, flow, code } = await attack();
    const ada = await open();
    expectNeutral(await (await ada.get(path)).text());
    const refused = await ada.post("/login/reset-password/submit", { token, password: "short" });
    expectNeutral(await refused.text());
    const done = await set(ada, token);
    const page = await (await ada.get(locationOf(done))).text();
    expectNeutral(page);
    expect(continueOf(page)).toBe("http://localhost:8080/account");
    const fresh = service.browser();
    const signIn = await fillSignIn(fresh, await fresh.get("/account"), { password: CHOSEN });
    expect(locationOf(signIn)).toContain("/account?");
    // The attacker's tab is not signed in, and the code of the used mail has no effect there.
    const late = await attacker.post("/login/reset-password/submit", { flow, code, password: "another, longer one" });
    expect(late.status).toBe(422);
    expect(locationOf(await attacker.get(evil({ prompt: "none" })))).toContain("error=login_required");
  });

  it("continues in the requesting browser, by link and by code", async () => {
    const byLink = await attack();
    expect(await (await byLink.attacker.get(byLink.path)).text()).toContain("Evil");
    const linked = await (await byLink.attacker.get(locationOf(await set(byLink.attacker, byLink.token)))).text();
    expect(continueOf(linked)).toContain("client_id=evil");
    const byCode = await attack();
    const { attacker, flow, code } = byCode;
    const typed = await attacker.post("/login/reset-password/submit", { flow, code, password: CHOSEN });
    expect(continueOf(await (await attacker.get(locationOf(typed))).text())).toContain("client_id=evil");
  });

  it("shows a link that was opened twice as used, without the brand of the requester", async () => {
    const { path, token } = await attack();
    const ada = service.browser();
    await set(ada, token);
    const again = await ada.get(path);
    expect(again.status).toBe(410);
    expect(await again.text()).not.toMatch(/\bevil\b/i);
    expect((await set(service.browser(), token)).status).toBe(410);
  });

  it("accepts a code only in the requesting browser: the page's address may have been shared", async () => {
    const { flow, code } = await attack();
    const ada = service.browser();
    expect(locationOf(await ada.get(`/login/reset-password?flow=${flow}`))).toContain("/login/forgot-password?flow=");
    const typed = await ada.post("/login/reset-password/submit", { flow, code, password: CHOSEN });
    expect(locationOf(typed)).toContain("/login/forgot-password?flow=");
    const bob = service.browser();
    await fillSignIn(bob, await bob.get(authorizePath()), { loginName: "bob@acme.test" });
    const other = await bob.post("/login/reset-password/submit", { flow, code, password: CHOSEN });
    expect(locationOf(other)).toContain("/login/forgot-password?flow=");
  });

  /** The attacker submits the form with another user's address and a password they know. */
  async function register(attacker: TestBrowser, email: string) {
    service.advance(3_600_000 + 1000);
    const first = await attacker.get(evil({ prompt: "create" }));
    const form = { email, givenName: "G", familyName: "H", password: CHOSEN };
    const sent = await attacker.post("/login/create-account/submit", { flow: flowOf(first), ...form });
    const { code, path } = await lastMailTo(service, email);
    return { flow: flowOf(sent), code, path, token: tokenOf(path) };
  }

  it("confirms a registration elsewhere without the app, and accepts its code in the requesting browser only", async () => {
    const attacker = service.browser();
    const { flow, code, path, token } = await register(attacker, "grace@navy.test");
    const grace = service.browser();
    const stolen = await grace.post("/login/verify-email/submit", { flow, code });
    expect(stolen.status).toBe(410);
    expect(grace.cookies.size).toBe(0);
    expect(await (await grace.get(path)).text()).not.toContain("Evil App");
    const done = await grace.post("/login/verify-email/submit", { token, password: CHOSEN });
    const page = await (await grace.get(locationOf(done))).text();
    expect(page).not.toContain("Evil App");
    expect(continueOf(page)).toBe("http://localhost:8080/account");
    expect(locationOf(await attacker.get(evil({ prompt: "none" })))).toContain("error=login_required");
  });

  it("sends the owner of an address with an account a link that does not continue the flow elsewhere", async () => {
    const { path, token } = await register(service.browser(), ADA);
    const ada = service.browser();
    expectNeutral(await (await ada.get(path)).text());
    expect(continueOf(await (await ada.get(locationOf(await set(ada, token)))).text())).toMatch(/\/account$/);
  });

  it("shows links of administrators with the brand of the user's own organization", async () => {
    service.advance(3_600_000 + 1000);
    const token = await apiToken(service, "mallory@evil.test");
    const body = {
      userName: "carl",
      profile: { firstName: "Carl", lastName: "E" },
      email: { email: "carl@mail.test", isEmailVerified: false },
    };
    expect((await callApi(service, "POST", "/management/v1/users/human", { token, body })).status).toBe(200);
    const page = await (await service.browser().get((await lastMailTo(service, "carl@mail.test")).path)).text();
    expect(page).toContain("https://evil.test/privacy");
    expect(page).not.toContain("ACME");
  });

  it("needs the same clicks as before in the requesting browser", async () => {
    service.advance(3_600_000 + 1000);
    const browser = service.browser();
    const first = await browser.get(authorizePath());
    await browser.post("/login/forgot-password/submit", { flow: flowOf(first), loginName: ADA });
    const { token } = await lastMailTo(service, ADA).then(({ path }) => ({ token: tokenOf(path) }));
    const done = await (await browser.get(locationOf(await set(browser, token)))).text();
    const signed = await fillSignIn(browser, await browser.get(continueOf(done) ?? ""), { password: CHOSEN });
    expect(answerOf(signed).get("state")).toBe("s-1");
    expect(answerOf(signed).get("code")).toBeTruthy();
  });
});
