/**
 * No response reveals whether there is an account: same status, headers and bytes, except for the typed values and
 * random ones. The benchmark measures the time; this test checks that both branches do the same work.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../testing/example";
import { authorizePath } from "../testing/flow";
import { lastMailTo } from "../testing/mailed";
import { type TestBrowser, type TestService, testService } from "../testing/test-context";

const CHOSEN = "a lamp, a river and a tram";
const ID = { "x-request-id": "same-request" };

describe("responses to users with and without an account (ASVS 6.3.8)", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  const flowOf = (location: string) => new URL(location).searchParams.get("flow") ?? "";

  /** Returns the response to a form and the page it leads to, without typed and random values. */
  async function shown(browser: TestBrowser, path: string, form: Record<string, string>, typed: string) {
    const answer = await browser.post(path, form);
    const location = answer.headers.get("location") ?? "";
    const page = location === "" ? answer : await browser.get(location, ID);
    const plain = (text: string) =>
      text
        .replaceAll(typed, "TYPED")
        .replace(/flow=[\w-]+/g, "FLOW")
        .replace(/name="(?:flow|refused)" value="[\w-]+"/g, "FLOW")
        .replace(/challenge&quot;:&quot;[\w-]+/g, "CHALLENGE")
        .replace(/ua=[\w-]+/g, "UA")
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "REQUEST");
    return {
      flow: location === "" ? "" : flowOf(location),
      seen: {
        status: [answer.status, page.status],
        headers: plain(JSON.stringify([[...answer.headers], [...page.headers]])),
        body: plain(location === "" ? await page.text() : (await answer.text()) + (await page.text())),
        // The names have equal lengths, so a flow with more content would be longer.
        flowLength: location === "" ? 0 : flowOf(location).length,
      },
    };
  }

  async function start(browser: TestBrowser, parameters = {}) {
    const first = await browser.get(authorizePath(parameters));
    return flowOf(first.headers.get("location") ?? "");
  }

  // ada has an account and a verified address, bob an unverified one, eve and lea have no account.
  const everybody = ["ada@acme.test", "bob@acme.test", "eve@acme.test", "lea@acme.test"];

  async function expectAlike(ask: (typed: string) => Promise<unknown>) {
    const [first, ...others] = await Promise.all(everybody.map(ask));
    for (const other of others) expect(other).toEqual(first);
  }

  it("are equal at sign-in, until and beyond the throttle", async () => {
    await expectAlike(async (loginName) => {
      const browser = service.browser();
      const all: unknown[] = [];
      for (let index = 0; index < 7; index++) {
        const flow = await start(browser);
        const { seen } = await shown(browser, "/login/submit", { flow, loginName, password: "wrong wrong" }, loginName);
        all.push(seen);
      }
      return all;
    });
  });

  it("are equal for a forgotten password, a wrong code, too many codes, and a repeated request", async () => {
    await expectAlike(async (loginName) => {
      const browser = service.browser();
      const flow = await start(browser);
      const asked = await shown(browser, "/login/forgot-password/submit", { flow, loginName }, loginName);
      const all: unknown[] = [asked.seen];
      for (let index = 0; index < 12; index++) {
        const form = { flow: asked.flow, code: "2222-2222", password: CHOSEN };
        all.push((await shown(browser, "/login/reset-password/submit", form, loginName)).seen);
      }
      const weak = { flow: asked.flow, code: "2222-2222", password: "short" };
      all.push((await shown(browser, "/login/reset-password/submit", weak, loginName)).seen);
      const again = { flow: asked.flow, loginName };
      all.push((await shown(browser, "/login/forgot-password/submit", again, loginName)).seen);
      return all;
    });
  });

  it("are equal for a registration, a wrong code, and a repeated request", async () => {
    let later: (() => Promise<unknown>)[] = [];
    await expectAlike(async (email) => {
      const browser = service.browser();
      const flow = await start(browser, { prompt: "create" });
      const form = { flow, email, givenName: "Grace", familyName: "Hopper", password: CHOSEN };
      const asked = await shown(browser, "/login/create-account/submit", form, email);
      const wrong = { flow: asked.flow, code: "2222-2222" };
      const refused = await shown(browser, "/login/verify-email/submit", wrong, email);
      const early = await shown(browser, "/login/verify-email/resend", { flow: asked.flow }, email);
      later = [
        ...later,
        async () => (await shown(browser, "/login/verify-email/resend", { flow: asked.flow }, email)).seen,
      ];
      return [asked.seen, refused.seen, early.seen];
    });
    service.advance(31_000);
    const [first, ...others] = await Promise.all(later.map((resend) => resend()));
    for (const other of others) expect(other).toEqual(first);
  });

  it("the email reveals the account to its reader only", async () => {
    expect((await lastMailTo(service, "ada@acme.test")).type).toBe("account_exists");
    expect((await lastMailTo(service, "eve@acme.test")).type).toBe("verifyemail");
  });
});
