import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerIn, expectError, type Plan, request, startProvider, succeed, walk } from "../../testing/conformance";
import { ruleDatabases } from "../../testing/database";
import { BASE_URL, type ProtocolService, type TestBrowser } from "../../testing/test-context";

const AFTER = "https://rp.test/bye";
const title = "oidcc-frontchannel-rp-initiated-logout-certification-test-plan, on %s";

// Rule SIGNOUT-5.
describe.each(ruleDatabases)(title, (kind) => {
  let service: ProtocolService;
  let plan: Plan;
  beforeAll(async () => {
    service = await startProvider(kind);
    plan = { service, clientId: "framed", responseType: "code", mode: "default" };
  });
  afterAll(() => service.close());

  const signedIn = async (browser = service.browser()) => ({
    browser,
    got: await succeed(plan, await walk(plan, browser)),
  });
  const logout = (browser: TestBrowser, parameters: Record<string, string>) =>
    browser.get(`/oidc/v1/end_session?${new URLSearchParams(parameters)}`);
  const plain = (text = "") => text.replaceAll("&amp;", "&");
  /** Returns the pages that the response loads, and where it leads then. */
  const pageOf = async (response: Response) => {
    const html = await response.text();
    const frames = [...html.matchAll(/<iframe[^>]* src="([^"]+)"/g)].map(([, src]) => new URL(plain(src)));
    const next = plain(/id="next" href="([^"]+)"/.exec(html)?.[1]);
    expect(response.headers.get("refresh")).toBe(`2; url=${next}`);
    return { frames, next, html };
  };

  it("discovery names frontchannel_logout_supported and frontchannel_logout_session_supported", async () => {
    const discovery = await (await service.fetch("/.well-known/openid-configuration")).json();
    expect(discovery).toMatchObject({
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    });
  });

  it("oidcc-frontchannel-rp-initiated-logout: loads the page with iss and sid, then returns with state", async () => {
    const { browser, got } = await signedIn();
    const given = { id_token_hint: got.idToken, post_logout_redirect_uri: AFTER, state: "s&<1" };
    const response = await logout(browser, given);
    expect(response.status).toBe(200);
    const { frames, next, html } = await pageOf(response);
    expect(frames.map(({ origin, pathname }) => origin + pathname)).toEqual(["https://rp.test/front-channel-logout"]);
    expect([...(frames[0]?.searchParams ?? [])]).toEqual([
      ["app", "1"],
      ["iss", BASE_URL],
      ["sid", got.claims.sid],
    ]);
    expect(next).toBe(`${AFTER}?state=s%26%3C1`);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-src https://rp.test/front-channel-logout;");
    expect(html).toContain('sandbox="allow-scripts allow-same-origin"');
    expectError(plan, await answerIn(await browser.get(request(plan, { prompt: "none" }))), ["login_required"]);
  });

  it("loads the page also after the question, and leads to the confirmation without a redirect URI", async () => {
    const { browser } = await signedIn();
    const asked = await logout(browser, {});
    const page = await (await browser.get(asked.headers.get("location") ?? "")).text();
    const flow = /name="flow" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const { frames, next } = await pageOf(await browser.post("/logout/submit", { flow }));
    expect(frames).toHaveLength(1);
    expect(next).toBe(`${BASE_URL}/logout/done`);
  });

  it("redirects at once if no app of the session has such a page, or the browser has no session", async () => {
    const browser = service.browser();
    const web = { ...plan, clientId: "web" };
    const { idToken } = await succeed(web, await walk(web, browser));
    const given = { id_token_hint: idToken, post_logout_redirect_uri: AFTER };
    for (const each of [browser, service.browser()]) {
      const response = await logout(each, given);
      expect([response.status, response.headers.get("location")]).toEqual([303, AFTER]);
    }
  });
});
