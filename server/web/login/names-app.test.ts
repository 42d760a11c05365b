import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import {
  attribute,
  codeAt,
  enterPassword,
  hiddenFields,
  newPerson,
  pageAt,
  secretOn,
  setLoginPolicy,
} from "../../testing/factors";
import { authorizePath } from "../../testing/flow";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const LEAD = "to continue to <bdi>App web</bdi>";

describe("every step of a sign-in names the application it goes on to (UX: people know where they sign in)", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  const opened = async (browser: TestBrowser, prompt?: string) =>
    pageAt(browser, await browser.get(authorizePath(prompt === undefined ? {} : { prompt })));
  const submit = async (browser: TestBrowser, page: string, action: string, typed: Record<string, string>) =>
    browser.post(action, { ...hiddenFields(page, action), ...typed });

  it("at a forgotten password: the request of the message, and its code", async () => {
    const browser = service.browser();
    const forgot = await (await browser.get(attribute(await opened(browser), "forgot-password", "href"))).text();
    const sent = await submit(browser, forgot, "/login/forgot-password/submit", { loginName: "nobody@acme.test" });
    expect([forgot, await pageAt(browser, sent)]).toEqual([
      expect.stringContaining(LEAD),
      expect.stringContaining(LEAD),
    ]);
  });

  it("at a registration: the form, and the mailed code", async () => {
    const browser = service.browser();
    const form = await opened(browser, "create");
    const typed = { email: "new@x.test", givenName: "N", familyName: "W", password: "a long and good password" };
    const sent = await submit(browser, form, "/login/create-account/submit", typed);
    expect([form, await pageAt(browser, sent)]).toEqual([expect.stringContaining(LEAD), expect.stringContaining(LEAD)]);
  });

  it("at the set-up of a second factor, and at its next use", async () => {
    const person = { ...(await newPerson(service, PASSWORD)), password: PASSWORD };
    await setLoginPolicy(service, { forceMfa: true });
    const browser = service.browser();
    const choice = await pageAt(browser, await enterPassword(browser, {}, person));
    const [app, passkey] = await Promise.all(
      ["set-up-app", "set-up-passkey"].map(async (id) => (await browser.get(attribute(choice, id, "href"))).text()),
    );
    const code = codeAt(secretOn(app ?? ""), service.ctx.clock());
    const codes = await submit(browser, app ?? "", "/login/mfa/set-up/app/submit", { code, name: "" });
    const other = service.browser();
    const asked = await pageAt(other, await enterPassword(other, {}, person));
    const pages = [choice, app, passkey, await codes.text(), asked];
    expect(pages.map((page) => page?.includes(LEAD))).toEqual([true, true, true, true, true]);
  });

  it("or none if no application waits", async () => {
    const browser = service.browser();
    expect(await (await browser.get("/login/forgot-password")).text()).not.toContain("to continue to");
  });
});
