import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { answerOf, authorize, authorizePath, errorOf, refresh, tokensOf, userinfo } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

describe.each(ruleDatabases)("end session endpoint (OpenID Connect RP-Initiated Logout 1.0) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const path = (parameters: Record<string, string>) => `/oidc/v1/end_session?${new URLSearchParams(parameters)}`;
  const BYE = "https://rp.test/bye";

  async function signedIn() {
    const browser = service.browser();
    return { browser, tokens: await tokensOf(service, browser) };
  }
  const isSignedIn = async (browser: ReturnType<TestService["browser"]>) =>
    answerOf(await browser.get(authorizePath({ prompt: "none" }))).has("code");

  it("ends the session and everything granted in it, and redirects with state alone", async () => {
    const { browser, tokens } = await signedIn();
    const state = "x-._~".padEnd(128, "s");
    const hint = { id_token_hint: tokens.id_token };
    const answer = await browser.get(path({ ...hint, post_logout_redirect_uri: BYE, state }));
    expect(answer.headers.get("location")).toBe(`${BYE}?state=${state}`);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    expect(await errorOf(await refresh(service, tokens.refresh_token))).toEqual({
      status: 400,
      error: "invalid_grant",
    });
    expect(browser.cookies.has("ua")).toBe(false);
  });

  it("ends nothing for HEAD, which is safe (RFC 9110 §9.2.1)", async () => {
    const { browser, tokens } = await signedIn();
    const ended = path({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE });
    const cookie = `ua=${browser.cookies.get("ua")}`;
    const looked = await service.fetch(ended, { method: "HEAD", headers: { cookie } });
    expect([looked.status, looked.headers.get("location"), looked.headers.get("set-cookie")]).toEqual([303, BYE, null]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("accepts an expired id_token as a hint", async () => {
    const { browser, tokens } = await signedIn();
    service.advance(2 * 3_600_000);
    const answer = await browser.get(path({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE }));
    expect(answer.headers.get("location")).toBe(BYE);
  });

  it.each([
    ["an unregistered address", { post_logout_redirect_uri: "https://rp.test/bad" }],
    ["a registered address with a query", { post_logout_redirect_uri: `${BYE}?foo=bar` }],
    ["another client's id", { client_id: "spa", post_logout_redirect_uri: BYE }],
  ])("redirects nowhere for %s", async (_, parameters) => {
    const { browser, tokens } = await signedIn();
    const answer = await browser.get(path({ id_token_hint: tokens.id_token, ...parameters }));
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("rejects a hint with a foreign signature, or without one", async () => {
    const { browser, tokens } = await signedIn();
    const [, payload = ""] = tokens.id_token.split(".");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    for (const id_token_hint of [unsigned, `${tokens.id_token.slice(0, -8)}AAAAAAAA`, "x"]) {
      const answer = await browser.get(path({ id_token_hint, post_logout_redirect_uri: BYE }));
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("rejects an access token and other kinds of tokens as a hint", async () => {
    const { browser, tokens } = await signedIn();
    const answer = await browser.get(path({ id_token_hint: tokens.access_token }));
    expect(answer.status).toBe(400);
  });

  it("asks the user if nothing proves the origin of the request", async () => {
    const { browser } = await signedIn();
    const asked = await browser.get(path({ client_id: "web", post_logout_redirect_uri: BYE, state: "s" }));
    const location = asked.headers.get("location") ?? "";
    expect(location).toContain("/logout?flow=");
    expect(await isSignedIn(browser)).toBe(true);
    const html = await (await browser.get(location)).text();
    expect(html).toContain('id="confirm-logout"');
    const flow = new URL(location).searchParams.get("flow") ?? "";
    const done = await browser.post("/logout/submit", { flow });
    expect(done.headers.get("location")).toBe(`${BYE}?state=s`);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("asks the user if the hint names a user who is not signed in here", async () => {
    const { tokens } = await signedIn();
    const browser = service.browser();
    await authorize(browser, {}, { loginName: "bob" });
    const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE, state: "s" };
    const location = (await browser.get(path(hint))).headers.get("location") ?? "";
    expect(location).toContain("/logout?flow=");
    expect(await isSignedIn(browser)).toBe(true);
    const flow = new URL(location).searchParams.get("flow") ?? "";
    const done = await browser.post("/logout/submit", { flow });
    expect(done.headers.get("location")).toBe(`${BYE}?state=s`);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await userinfo(service, tokens.access_token)).status).toBe(200);
    // If no user is signed in anymore, there is no question.
    expect((await browser.get(path(hint))).headers.get("location")).toBe(`${BYE}?state=s`);
  });

  it("shows that no user is signed in, without a question", async () => {
    const answer = await service.browser().get(path({ state: "s" }));
    expect(answer.headers.get("location")).toContain("/logout/done");
    expect((await service.browser().get("/logout/done")).status).toBe(200);
  });
});
