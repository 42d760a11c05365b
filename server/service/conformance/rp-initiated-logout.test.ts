import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answerIn,
  expectError,
  expectPage,
  type Got,
  type Plan,
  providers,
  request,
  startProvider,
  succeed,
  walk,
} from "../../testing/conformance";
import { SECRET } from "../../testing/example";
import { BASE_URL, type ProtocolService, type TestBrowser } from "../../testing/test-context";

const AFTER = "https://rp.test/bye";
const STATE = "s".repeat(124).concat("-._~");
const responseTypes = [
  ["code", "web"],
  ["id_token", "implicit"],
  ["id_token token", "implicit"],
] as const;
const plans = providers.flatMap((kind) =>
  responseTypes.map(([responseType, clientId]) => ({ kind, responseType, clientId })),
);
const title = "oidcc-rp-initiated-logout-certification-test-plan, $responseType, on $kind";

describe.each(plans)(title, ({ kind, responseType, clientId }) => {
  let service: ProtocolService;
  let plan: Plan;
  beforeAll(async () => {
    service = await startProvider(kind);
    plan = { service, clientId, responseType, mode: "default" };
  });
  afterAll(() => service.close());

  const signedIn = async (): Promise<{ browser: TestBrowser; got: Got }> => {
    const browser = service.browser();
    return { browser, got: await succeed(plan, await walk(plan, browser)) };
  };
  const logout = (browser: TestBrowser, parameters: Record<string, string>) =>
    browser.get(`/oidc/v1/end_session?${new URLSearchParams(parameters)}`);
  const silently = async (browser: TestBrowser) => answerIn(await browser.get(request(plan, { prompt: "none" })));
  const expectSignedOut = async (browser: TestBrowser) =>
    expectError(plan, await silently(browser), ["login_required"]);
  const expectSignedIn = async (browser: TestBrowser) => succeed(plan, await silently(browser));

  it("oidcc-rp-initiated-logout-discovery-endpoint-verification", async () => {
    const response = await service.fetch("/.well-known/openid-configuration");
    expect(await response.json()).toMatchObject({ end_session_endpoint: `${BASE_URL}/oidc/v1/end_session` });
  });

  it("oidcc-rp-initiated-logout", async () => {
    const { browser, got } = await signedIn();
    const request = { id_token_hint: got.idToken, post_logout_redirect_uri: AFTER, state: STATE };
    const response = await logout(browser, request);
    const { origin, pathname, searchParams } = new URL(response.headers.get("location") ?? "");
    expect([`${origin}${pathname}`, [...searchParams]]).toEqual([AFTER, [["state", STATE]]]);
    await expectSignedOut(browser);
  });

  it("oidcc-rp-initiated-logout-no-state", async () => {
    const { browser, got } = await signedIn();
    const response = await logout(browser, { id_token_hint: got.idToken, post_logout_redirect_uri: AFTER });
    expect(response.headers.get("location")).toBe(AFTER);
    await expectSignedOut(browser);
  });

  it.each([
    ["oidcc-rp-initiated-logout-bad-post-logout-redirect-uri", "https://rp.test/bad_bye"],
    ["oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri", `${AFTER}?foo=bar`],
  ])("%s", async (_, address) => {
    const { browser, got } = await signedIn();
    const request = { id_token_hint: got.idToken, post_logout_redirect_uri: address, state: STATE };
    expectPage(await logout(browser, request));
    await expectSignedIn(browser);
  });

  it("oidcc-rp-initiated-logout-modified-id-token-hint", async () => {
    const { browser, got } = await signedIn();
    const hint = new UnsecuredJWT(got.claims).encode();
    expectPage(await logout(browser, { id_token_hint: hint, post_logout_redirect_uri: AFTER, state: STATE }));
    await expectSignedIn(browser);
  });

  it("oidcc-rp-initiated-logout-bad-id-token-hint", async () => {
    const { browser, got } = await signedIn();
    const claims = { ...got.claims, iss: clientId, aud: BASE_URL };
    const key = new TextEncoder().encode(SECRET);
    const hint = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(key);
    expectPage(await logout(browser, { id_token_hint: hint, post_logout_redirect_uri: AFTER, state: STATE }));
    await expectSignedIn(browser);
  });

  it("oidcc-rp-initiated-logout-no-id-token-hint", async () => {
    const { browser } = await signedIn();
    const response = await logout(browser, { post_logout_redirect_uri: AFTER, state: STATE });
    const location = response.headers.get("location") ?? "";
    expect(location).toContain(`${BASE_URL}/logout?flow=`); // asks, and goes nowhere afterwards
    const page = await browser.get(location);
    const flow = /name="flow" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    const done = await browser.post("/logout/submit", { flow });
    expect(done.headers.get("location")).toBe(`${BASE_URL}/logout/done`);
  });

  it.each([
    ["oidcc-rp-initiated-logout-no-params", {}],
    ["oidcc-rp-initiated-logout-only-state", { state: STATE }],
  ])("%s: asks, then ends the session and says so", async (_, parameters) => {
    const { browser } = await signedIn();
    const asked = await logout(browser, parameters as Record<string, string>);
    const page = await browser.get(asked.headers.get("location") ?? "");
    const flow = /name="flow" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    const done = await browser.post("/logout/submit", { flow });
    expect(done.headers.get("location")).toBe(`${BASE_URL}/logout/done`);
    await expectSignedOut(browser);
  });

  it("oidcc-rp-initiated-logout-no-post-logout-redirect-uri", async () => {
    const { browser, got } = await signedIn();
    const response = await logout(browser, { id_token_hint: got.idToken, state: STATE });
    expect(response.headers.get("location")).toBe(`${BASE_URL}/logout/done`);
    await expectSignedOut(browser);
  });

  it("accepts an expired hint", async () => {
    const { browser, got } = await signedIn();
    service.advance(2 * 3_600_000);
    const response = await logout(browser, { id_token_hint: got.idToken, post_logout_redirect_uri: AFTER });
    expect(response.headers.get("location")).toBe(AFTER);
  });
});
