import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csrfToken, readConsoleTokens } from "../http/console-session";
import { exampleBootstrap } from "../testing/example";
import { fillSignIn } from "../testing/flow";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../testing/test-context";

describe("The frame with the preview of a mail", () => {
  let service: TestService;
  let ada: TestBrowser;
  let bob: TestBrowser;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    ada = await signedIn("ada@acme.test");
    bob = await signedIn("bob@acme.test");
  });
  afterAll(() => service.close());

  async function signedIn(loginName: string): Promise<TestBrowser> {
    const browser = service.browser();
    const next = (answer: Response) => (answer.headers.get("location") ?? "").replace(BASE_URL, "");
    const authorize = await browser.get(next(await browser.get("/console/sign-in")));
    await browser.get(next(await fillSignIn(browser, authorize, { loginName })));
    return browser;
  }
  const csrfOf = ({ cookies }: TestBrowser) => {
    const tokens = readConsoleTokens(service.ctx, [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    return tokens ? csrfToken(service.ctx, tokens) : "";
  };
  const path = "/admin/v1/text/message/init/en/_preview";
  const ask = (browser: TestBrowser, form: Record<string, string> = {}) =>
    browser.post("/console/api/previews", { csrf: csrfOf(browser), path, body: "{}", scheme: "light", ...form });

  it("is a document that runs no scripts, loads nothing and has its own origin", async () => {
    const fields = { title: '<script>alert(1)</script><meta http-equiv="refresh" content="0">' };
    const answer = await ask(ada, { body: JSON.stringify({ fields, sample: "markup" }) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none';.*frame-ancestors 'self'; sandbox$/,
    );
    const html = await answer.text();
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&lt;meta");
    expect(html).not.toMatch(/<script|<meta http-equiv="refresh"|<b>Ada/);
  });

  it("is compressed for a browser that accepts it", async () => {
    const plain = await (await ask(ada)).text();
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await service.fetch("/console/api/previews", {
      method: "POST",
      body: new URLSearchParams({ csrf: csrfOf(ada), path, body: "{}", scheme: "light" }),
      headers: { cookie, origin: BASE_URL, "accept-encoding": "gzip, br" },
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBeLessThan(plain.length / 2);
    expect(brotliDecompressSync(bytes).toString()).toBe(plain);
  });

  it("uses the requested colour scheme, whatever the text contains", async () => {
    const decoy = "<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){";
    const body = JSON.stringify({ fields: { subject: decoy } });
    const dark = await (await ask(ada, { scheme: "dark", body })).text();
    expect(dark).toMatch(/<style>:root\{color-scheme:dark\}[^<]*@media all\{\.ground\{/);
    const light = await (await ask(ada, { body })).text();
    expect(light).toMatch(/<style>:root\{color-scheme:light\}[^<]*@media not all\{\.ground\{/);
  });

  it("is refused to pages of other sites, to other sign-ins, and to users who may not read the texts", async () => {
    for (const [form, browser, id] of [
      [{ csrf: "" }, ada, "console.csrf"],
      [{ csrf: csrfOf(bob) }, ada, "console.csrf"],
      [{}, bob, "access.denied"],
    ] as const) {
      const answer = await ask(browser, form);
      expect(answer.status).toBe(403);
      expect((await answer.json()).details[0].id).toBe(id);
    }
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const foreign = await service.fetch("/console/api/previews", {
      method: "POST",
      body: new URLSearchParams({ csrf: csrfOf(ada), path, body: "{}", scheme: "light" }),
      headers: { cookie, origin: "https://evil.test", "sec-fetch-site": "cross-site" },
    });
    expect((await foreign.json()).details[0].id).toBe("console.cross_site");
  });

  it.each<Record<string, string>>([
    { path: "/admin/v1/text/message/init/en" },
    { path: "/admin/v1/messages" },
    { path: "https://evil.test/admin/v1/text/message/init/en/_preview" },
    { path: "/admin/v1/text/message/../../x/_preview" },
    { scheme: "neon" },
  ])("takes no form like %j", async (form) => {
    const answer = await ask(ada, form);
    expect(answer.status).toBe(400);
    expect((await answer.json()).details[0].id).toBe("request.malformed");
  });

  it.each([["{"], ['{"fields": 1}'], ['{"sample": "nobody"}']])("passes on why %s is no request", async (body) => {
    expect((await ask(ada, { body })).status).toBe(400);
  });
});
