import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { hiddenFields, newPerson, pageAt, pathOf } from "../../testing/factors";
import { authorizePath } from "../../testing/flow";
import { atHome } from "../../testing/own-account";
import { byId } from "../../testing/page-samples";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

const SUBMIT = "/login/submit";

describe("How a sign-in continues that cannot continue as it is", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  it("starts over when it has expired, in the chosen language and with the typed name (WCAG 2.2.1)", async () => {
    const browser = service.browser();
    const first = await pageAt(browser, await browser.get(authorizePath({ ui_locales: "fr", state: "s-expired" })));
    service.advance(31 * 60_000);
    const late = { ...hiddenFields(first, SUBMIT), ui_locales: "de", loginName: "bob@acme.test", password: PASSWORD };
    const again = await browser.post(SUBMIT, late);
    expect(again.headers.get("location")).toContain("state=s-expired");
    expect(again.headers.get("location")).not.toContain(encodeURIComponent(PASSWORD));
    const page = await pageAt(browser, await browser.get(pathOf(again)));
    expect(page).toContain('lang="de"');
    expect(byId(page, "loginName")?.value).toBe("bob@acme.test");
  });

  it("starts over at the page that was opened, if no application requested it", async () => {
    const browser = service.browser();
    const form = await (await browser.get("/login/forgot-password")).text();
    service.advance(31 * 60_000);
    const action = "/login/forgot-password/submit";
    const late = await browser.post(action, { ...hiddenFields(form, action), ui_locales: "sv", loginName: "x" });
    expect(late.headers.get("location")).toBe(`${BASE_URL}/account?ui_locales=sv`);
  });

  it.each(["/login", "/login/mfa", "/login/mfa/set-up", "/login/select-account", "/login/continue"])(
    "leads from %s without a flow to one's own account",
    async (path) => {
      const answer = await service.browser().get(`${path}?ui_locales=th`);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, `${BASE_URL}/account?ui_locales=th`]);
    },
  );

  it.each(["", "?what=password-reset", "?flow=x&what=password-reset"])(
    "never says that something is done which was not: /login/done%s (UX: no word of a new password before there is one)",
    async (query) => {
      const answer = await service.browser().get(`/login/done${query}`);
      expect([answer.status, await answer.text()]).toEqual([
        query.includes("flow") ? 410 : 303,
        expect.not.stringContaining("new password"),
      ]);
    },
  );

  it("does not show it for a sign-in that has just begun", async () => {
    const browser = service.browser();
    const flow = new URL(pathOf(await browser.get(authorizePath())), BASE_URL).searchParams.get("flow") ?? "";
    const answer = await browser.get(`/login/done?what=password-reset&flow=${flow}`);
    expect(answer.headers.get("location")).toBe(`${BASE_URL}/account`);
  });

  it("reports that the browser is not remembered if the cookie of the previous step is missing", async () => {
    const own = await atHome(service, await newPerson(service, PASSWORD));
    const bare = service.browser();
    const told = await pageAt(bare, await bare.get(`/account/security?session=${own.session}`));
    expect(told).toContain("allow cookies");
    const cold = await pageAt(bare, await bare.get("/account"));
    expect(cold).not.toContain("allow cookies");
  });

  it("confirms a sign-out in the same language", async () => {
    const own = await atHome(service, await newPerson(service, PASSWORD));
    const question = await (await own.browser.get("/logout?ui_locales=pl")).text();
    const action = "/logout/submit";
    const done = await own.browser.post(action, hiddenFields(question, action));
    expect(done.headers.get("location")).toBe(`${BASE_URL}/logout/done?ui_locales=pl`);
  });
});
