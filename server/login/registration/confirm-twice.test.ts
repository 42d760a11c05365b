/** Verifies the address of a new account more than once: a double click, another tab, the link after the code. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../../testing/example";
import { attribute } from "../../testing/factors";
import { answerOf, authorizePath, flowOf, onOf } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const CHOSEN = "a lamp, a river and a tram";
const CONFIRMED = "Ihre E-Mail-Adresse ist bestätigt";

describe.each(["sqlite", "postgresql"] as const)("confirming the address of a new account twice (%s)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Submits the form; the browser is at the page that waits for the code. */
  async function register(browser: TestBrowser, email: string) {
    const first = await browser.get(authorizePath({ prompt: "create", ui_locales: "de" }));
    const form = { flow: flowOf(first), email, givenName: "Grace", familyName: "Hopper", password: CHOSEN };
    return browser.post("/login/create-account/submit", form);
  }

  it("leads a repeated form of the same browser to the same place", async () => {
    const browser = service.browser();
    const waiting = await register(browser, "twice@navy.test");
    const { path, code } = await lastMailTo(service, "twice@navy.test");
    const confirm = (by: TestBrowser) => by.post("/login/verify-email/submit", { flow: flowOf(waiting), code });
    expect(answerOf(await confirm(browser)).get("code")).toBeTruthy();
    expect(answerOf(await confirm(browser)).get("code")).toBeTruthy();
    expect((await confirm(service.browser())).status).toBe(410);

    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    const byLink = await browser.post("/login/verify-email/submit", { token });
    expect(byLink.headers.get("location")).toContain("/login/done?flow=");
    expect((await service.browser().post("/login/verify-email/submit", { token })).status).toBe(410);
  });

  it("reports a repeated form before the first response, and continues to the app", async () => {
    const browser = service.browser();
    const waiting = await register(browser, "double@navy.test");
    const { code } = await lastMailTo(service, "double@navy.test");
    const before = new Map(browser.cookies);
    const form = { flow: flowOf(waiting), code };
    expect(answerOf(await browser.post("/login/verify-email/submit", form)).get("code")).toBeTruthy();
    const after = new Map(browser.cookies);
    const restore = (cookies: ReadonlyMap<string, string>) => {
      for (const [name, value] of cookies) browser.cookies.set(name, value);
    };
    restore(before);
    const again = await browser.post("/login/verify-email/submit", form);
    const page = await (await browser.get(onOf(again))).text();
    expect(page).toContain(CONFIRMED);
    const on = new URL(attribute(page, "continue", "href"));
    const goOn = () => browser.get(on.pathname + on.search);
    expect((await goOn()).headers.get("location")).toContain("/login?flow="); // the first response never arrived
    restore(after);
    expect(answerOf(await goOn()).get("code")).toBeTruthy();
  });

  it("reports the same for a link that is confirmed twice at once, and in another browser with its password", async () => {
    const home = service.browser();
    await register(home, "here@navy.test");
    const phone = service.browser();
    await register(service.browser(), "there@navy.test");
    for (const [browser, who, password] of [
      [home, "here@navy.test", ""] as const,
      [phone, "there@navy.test", CHOSEN] as const,
    ]) {
      const { path } = await lastMailTo(service, who);
      const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
      const headers = { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
      const body = () => new URLSearchParams({ token, password });
      const send = () => service.fetch("/login/verify-email/submit", { method: "POST", headers, body: body() });
      const statuses = [...(await Promise.all([send(), send(), send()])), await send()].map(({ status }) => status);
      expect(statuses).toEqual([303, 303, 303, 303]);
      expect(await service.ctx.db.prisma.user.count({ where: { email: who } })).toBe(1);
    }
  });
});
