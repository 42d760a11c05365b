import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { setLoginPolicy } from "../../testing/factors";
import { answerOf, authorizePath, fillSignIn } from "../../testing/flow";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";

describe("sign-in page", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  async function start(browser: TestBrowser, parameters: Partial<Record<string, string>> = {}) {
    const response = await browser.get(authorizePath(parameters));
    const location = response.headers.get("location") ?? "";
    return { response, location, flow: new URL(location).searchParams.get("flow") ?? "" };
  }

  it("looks the same for a wrong password and for an unknown user, except for the typed name", async () => {
    const pageAfter = async (loginName: string) => {
      const browser = service.browser();
      const { response } = await start(browser);
      const refused = await fillSignIn(browser, response, { loginName, password: "wrong wrong wrong wrong" });
      const page = await browser.get(refused.headers.get("location") ?? "", { "x-request-id": "same-request" });
      const flow = /name="flow" value="[^"]*"|challenge&quot;:&quot;[\w-]+/g;
      const html = (await page.text())
        .replace(flow, "")
        .replaceAll(loginName, "NAME")
        .replace(/flow=[\w-]+/g, "");
      return { refused: refused.status, status: page.status, html, headers: [...page.headers] };
    };
    const wrong = await pageAfter("ada@acme.test");
    expect(wrong.html).toContain("error-summary");
    expect(await pageAfter("eve@acme.test")).toEqual(wrong);
  });

  it("reports that registration is off if the request wants to create an account (prompt=create)", async () => {
    await setLoginPolicy(service, { allowRegister: false });
    const shown = async (parameters: Record<string, string>) => {
      const browser = service.browser();
      let { response } = await start(browser, parameters);
      while (response.status === 303) response = await browser.get(response.headers.get("location") ?? "");
      return response.text();
    };
    const pages = [await shown({ prompt: "create" }), await shown({}), await shown({ prompt: "create login" })];
    const german = await shown({ prompt: "create", ui_locales: "de" });
    await setLoginPolicy(service, {});
    expect(pages.map((html) => html.includes("You can’t create an account here yourself."))).toEqual([
      true,
      false,
      true,
    ]);
    expect(german).toContain("Sie können hier nicht selbst ein Konto anlegen.");
    for (const html of [...pages, german]) expect(html).toContain('name="password"');
  });

  it("keeps the typed name and drops the password after an error", async () => {
    const browser = service.browser();
    const { response } = await start(browser);
    const refused = await fillSignIn(browser, response, { loginName: "ada@acme.test", password: "wrong wrong wrong" });
    const html = await (await browser.get(refused.headers.get("location") ?? "")).text();
    expect(html).toContain('value="ada@acme.test"');
    expect(html).not.toContain("wrong wrong wrong");
  });

  it.each([
    ["another site's form (login CSRF)", { origin: "https://evil.test" }],
    ["an opaque origin", { origin: "null" }],
    ["a cross-site navigation", { origin: BASE_URL, "sec-fetch-site": "cross-site" }],
  ])("refuses %s with 403 and no session", async (_, headers) => {
    const { flow } = await start(service.browser());
    const body = new URLSearchParams({ flow, loginName: "ada@acme.test", password: PASSWORD });
    const response = await service.fetch("/login/submit", { method: "POST", body, headers });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("accepts a form from a client that is not a browser", async () => {
    const { flow } = await start(service.browser());
    const body = new URLSearchParams({ flow, loginName: "ada@acme.test", password: PASSWORD });
    const response = await service.fetch("/login/submit", { method: "POST", body });
    expect(answerOf(response).get("code")).toBeTruthy();
  });

  it("responds to an unknown or malformed flow with an error status", async () => {
    for (const flow of ["", "x", "A".repeat(5000), "%00"]) {
      const response = await service.fetch(`/login?flow=${flow}`);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    }
  });

  it("restarts an expired flow automatically", async () => {
    const browser = service.browser();
    const { location, flow } = await start(browser, { ui_locales: "de" });
    service.advance(31 * 60_000);
    const stale = await browser.get(location);
    const again = stale.headers.get("location") ?? "";
    expect(again).toContain("/oauth/v2/authorize?client_id=web");
    expect((await browser.get(again)).headers.get("location")).toContain("/login?flow=");
    const late = await browser.post("/login/submit", { flow, loginName: "ada@acme.test", password: PASSWORD });
    expect(late.headers.get("location")).toContain("/oauth/v2/authorize?client_id=web");
  });

  it.each([
    ["the application's ui_locales", { ui_locales: "is-IS de-CH" }, {}, "", "de"],
    ["Accept-Language", {}, { "accept-language": "is,de;q=0.5,en;q=0.1" }, "", "de"],
    ["ui_locales before Accept-Language", { ui_locales: "en" }, { "accept-language": "de" }, "", "en"],
    ["the person's choice before both", { ui_locales: "de" }, { "accept-language": "de" }, "&ui_locales=en", "en"],
    ["the instance's default at last", { ui_locales: "is" }, { "accept-language": "is" }, "", "en"],
  ])("speaks the language of %s", async (_, parameters, headers, more, lang) => {
    const browser = service.browser();
    const { location } = await start(browser, parameters);
    const page = await browser.get(`${location}${more}`, headers as Record<string, string>);
    expect(await page.text()).toContain(`<html lang="${lang}" dir="ltr"`);
  });

  it("sends headers that forbid framing, caching and scripts, and allow the form to end at the app", async () => {
    const browser = service.browser();
    const page = await browser.get((await start(browser)).location);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://rp.test");
    expect(policy).not.toContain("unsafe-inline");
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("sets one cookie that scripts and other sites cannot use", async () => {
    const browser = service.browser();
    const { response } = await start(browser);
    const signedIn = await fillSignIn(browser, response);
    const [cookie = ""] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(/^ua=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("prefills login_hint, escaped", async () => {
    const browser = service.browser();
    const { location } = await start(browser, { login_hint: '"><b>x' });
    const html = await (await browser.get(location)).text();
    expect(html).not.toContain("<b>x");
    expect(html).toContain('value="&quot;&gt;&lt;b&gt;x"');
  });

  it("informs a browser on another host of the right one, and serves programs on any host", async () => {
    const headers = { host: "127.0.0.1:8080", accept: "text/html" };
    const page = await service.fetch("/", { headers });
    expect(page.status).toBe(421);
    expect(await page.text()).toContain("localhost:8080");
    const document = await service.fetch("/.well-known/openid-configuration", { headers: { host: "evil.test" } });
    expect(((await document.json()) as { issuer: string }).issuer).toBe(BASE_URL);
  });
});
