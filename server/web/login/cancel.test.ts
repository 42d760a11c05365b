import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { answerOf, authorize, authorizePath, flowOf, onOf } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

describe.each(ruleDatabases)("cancelling a sign-in (rule PAGE-6) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const denied = {
    error: "access_denied",
    error_description: "the user cancelled the sign-in",
    state: "s-1",
    iss: BASE_URL,
  };
  const BUTTON = /<button[^>]*\bid="cancel"[^>]*\bname="cancel"/;

  it.each([
    ["the sign-in page", {}, "/login?"],
    ["the page to create an account", { prompt: "create" }, "/login/create-account?"],
  ])("answers the application from %s", async (_, parameters, address) => {
    const browser = service.browser();
    const asked = await browser.get(authorizePath(parameters));
    expect(onOf(asked)).toContain(address);
    expect(await (await browser.get(onOf(asked))).text()).toMatch(BUTTON);
    const answer = await browser.post("/login/cancel", { flow: flowOf(asked), cancel: "1" });
    expect([answer.status, Object.fromEntries(answerOf(answer))]).toEqual([303, denied]);
  });

  it("works from the account selection, and does not sign out any user", async () => {
    const browser = service.browser();
    await authorize(browser);
    const asked = await browser.get(authorizePath({ prompt: "select_account" }));
    expect(await (await browser.get(onOf(asked))).text()).toMatch(BUTTON);
    const answer = await browser.post("/login/cancel", { flow: flowOf(asked), cancel: "1" });
    expect(Object.fromEntries(answerOf(answer))).toEqual(denied);
    expect(answerOf(await browser.get(authorizePath({ prompt: "none" }))).has("code")).toBe(true);
  });

  it("works from the sign-in form with any content, in the response mode of the request", async () => {
    const browser = service.browser();
    const asked = await browser.get(authorizePath({ response_mode: "fragment" }));
    const answer = await browser.post("/login/submit", { flow: flowOf(asked), loginName: "x", cancel: "1" });
    expect(answer.headers.get("location")).toContain("https://rp.test/cb#error=access_denied");
    const form = await browser.get(authorizePath({ response_mode: "form_post" }));
    const page = await browser.post("/login/cancel", { flow: flowOf(form), cancel: "1" });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('value="access_denied"')]);
  });

  it("is not offered without an application, and does nothing from another site or with a foreign flow", async () => {
    const browser = service.browser();
    const account = await browser.get("/account");
    expect(await (await browser.get(onOf(account))).text()).not.toMatch(BUTTON);
    const asked = await browser.get(authorizePath());
    const body = new URLSearchParams({ flow: flowOf(asked), cancel: "1" });
    const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
    const foreign = await service.fetch("/login/cancel", { method: "POST", body, headers });
    expect(foreign.headers.get("location")).toBeNull();
    expect((await browser.post("/login/cancel", { flow: "x", cancel: "1" })).headers.get("location")).toBeNull();
  });
});
