import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import type { Device } from "../../testing/device";
import { PASSWORD } from "../../testing/example";
import { attribute, pathOf } from "../../testing/factors";
import { fillSignIn, flowOf } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { tenantsBootstrap } from "../../testing/tenants";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { requestOf } from "../../testing/visits";

const CHOSEN = "a lamp, a river and a tram";
const STATE = "state-of-the-attacker";
/** The beginning of a flow in a browser. */
type Start = (browser: TestBrowser) => Promise<Response>;

describe.each(ruleDatabases)("a link from an email that another person has requested, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
  });
  afterAll(() => service.close());

  /** Requests a new password for a user, on the way to an app. */
  async function ask(attacker: TestBrowser, loginName: string, start: Start, wait = 3_601_000) {
    service.advance(wait); // mails to one address are counted by the hour
    const first = await start(attacker);
    const sent = await attacker.post("/login/forgot-password/submit", { flow: flowOf(first), loginName });
    const { path, code } = await lastMailTo(service, loginName);
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    return { path, token, code, flow: flowOf(sent) };
  }
  const toApp = (client: string) => (browser: TestBrowser) =>
    browser.get(requestOf(client, { scope: "openid offline_access", state: STATE }));

  /** Everything that a browser is shown and led to after a link, until it is asked nothing more. */
  async function follow(victim: TestBrowser, { path, token }: { path: string; token: string }, password: string) {
    const seen = [await (await victim.get(path)).text()];
    const set = await victim.post("/login/reset-password/submit", { token, password });
    const done = await (await victim.get(pathOf(set))).text();
    seen.push(set.headers.get("location") ?? "", done);
    const href = attribute(done, "continue", "href");
    if (href === "") return seen;
    const on = await victim.get(href);
    seen.push(on.headers.get("location") ?? "", await on.clone().text());
    if (!on.headers.get("location")?.includes("/login?")) return seen;
    const page = await victim.get(pathOf(on));
    const signed = await fillSignIn(victim, on, { loginName: "ada@acme.test", password });
    seen.push(await page.text(), signed.headers.get("location") ?? "");
    return seen;
  }

  it.each(["evil-web", "evil-spa", "evil-implicit", "evil-native"])(
    "shows nothing of %s in another browser, and never leads there",
    async (client) => {
      const link = await ask(service.browser(), "ada@acme.test", toApp(client));
      const seen = await follow(service.browser(), link, CHOSEN);
      expect(seen[1]).toContain("/login/done");
      for (const text of seen) {
        expect(text).not.toMatch(/App evil|Evil App|evil\.test/i);
        expect(text).not.toContain(STATE);
      }
    },
  );

  it("does not continue to an app of the user's own organization whose response another browser waits for", async () => {
    const link = await ask(service.browser(), "ada@acme.test", toApp("own"));
    const seen = await follow(service.browser(), link, `${CHOSEN}!`);
    expect(seen.join()).not.toContain(STATE);
    expect(seen.join()).not.toMatch(/rp\.test\/cb/);
  });

  it("does not admit a device that another person has started", async () => {
    service.advance(3_601_000);
    const body = new URLSearchParams({ client_id: "evil-device", scope: "openid offline_access" });
    const answer = await service.fetch("/oauth/v2/device_authorization", { method: "POST", body });
    const device = (await answer.json()) as Device;
    const attacker = service.browser();
    const link = await ask(
      attacker,
      "ada@acme.test",
      (browser) => browser.post("/device/submit", { user_code: device.user_code }),
      1_000,
    );
    const seen = await follow(service.browser(), link, `${CHOSEN}?`);
    expect(seen.join()).not.toMatch(/App evil|\/device\/confirm/i);
  });

  it("continues in the requesting browser, by link and by code", async () => {
    const browser = service.browser();
    const link = await ask(browser, "eve@acme.test", toApp("own"));
    expect(await (await browser.get(link.path)).text()).toContain("App own");
    const set = await browser.post("/login/reset-password/submit", { token: link.token, password: CHOSEN });
    const done = await (await browser.get(pathOf(set))).text();
    const on = await browser.get(attribute(done, "continue", "href"));
    const signed = await fillSignIn(browser, on, { loginName: "eve@acme.test", password: CHOSEN });
    expect(signed.headers.get("location")).toContain(`state=${STATE}`);
  });

  it("is useless to a requester who has not read it: the flow alone, or another user's code", async () => {
    const attacker = service.browser();
    const { flow } = await ask(attacker, "bob@acme.test", toApp("evil-web"));
    const other = await ask(service.browser(), "carl@evil.test", toApp("evil-web"));
    for (const code of ["", "2222-2222", other.code]) {
      const refused = await attacker.post("/login/reset-password/submit", { flow, code, password: CHOSEN });
      expect(refused.headers.get("location") ?? "").not.toContain("/login/done");
    }
  });

  describe("of a registration", () => {
    const form = { email: "new@somewhere.test", givenName: "N", familyName: "W", password: PASSWORD };

    async function register(attacker: TestBrowser, email: string, client = "evil-web") {
      const first = await attacker.get(requestOf(client, { prompt: "create", state: STATE }));
      const waiting = await attacker.post("/login/create-account/submit", { flow: flowOf(first), ...form, email });
      const { path, code } = await lastMailTo(service, email);
      return { path, code, token: new URL(path, "http://x").searchParams.get("token") ?? "", flow: flowOf(waiting) };
    }

    it("ends neutrally in another browser, even with the password", async () => {
      const link = await register(service.browser(), "new@somewhere.test");
      const victim = service.browser();
      const page = await (await victim.get(link.path)).text();
      const set = await victim.post("/login/verify-email/submit", { token: link.token, password: PASSWORD });
      const done = await (await victim.get(pathOf(set))).text();
      const href = attribute(done, "continue", "href");
      const on = href === "" ? undefined : await victim.get(href);
      const texts = [page, done, href, on?.headers.get("location") ?? "", on ? await on.text() : ""];
      for (const text of texts) expect(text).not.toMatch(/App evil|state-of-the-attacker/i);
      expect(victim.cookies.size).toBe(0);
    });

    it("continues in the browser of the form", async () => {
      const browser = service.browser();
      const link = await register(browser, "same@somewhere.test");
      const set = await browser.post("/login/verify-email/submit", { token: link.token });
      expect(set.headers.get("location")).toContain(`state=${STATE}`);
    });
  });
});
