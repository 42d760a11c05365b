import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setMailSettings } from "../../directory/provider/mail-settings";
import { exampleBootstrap } from "../../testing/example";
import { authorizePath } from "../../testing/flow";
import { mailsTo } from "../../testing/mailed";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const TOO_SOON = "A message was sent a moment ago.";
const AGAIN = "We’ve sent another message.";
const TOO_MANY = "We’ve sent several messages already.";

describe("Requesting the message again", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  const flowOf = (response: Response) => new URL(response.headers.get("location") ?? "").searchParams.get("flow") ?? "";
  const textOf = async (browser: TestBrowser, response: Response) =>
    (await (await browser.get(response.headers.get("location") ?? "")).text()).replace(/<[^>]*>/g, "");

  /** A page that waits for a code; each call of `resend` presses its button. */
  const pages = {
    async "reset password"(loginName: string) {
      const browser = service.browser();
      const path = "/login/forgot-password/submit";
      let last = await browser.post(path, { flow: flowOf(await browser.get(authorizePath())), loginName });
      const resend = async () => {
        last = await browser.post(path, { flow: flowOf(last), loginName });
        return textOf(browser, last);
      };
      return { first: await textOf(browser, last), resend };
    },
    async "confirm an address"(email: string) {
      const browser = service.browser();
      const form = { email, givenName: "Ann", familyName: "Other", password: "a lamp, a river and a tram" };
      const first = await browser.get(authorizePath({ prompt: "create" }));
      let last = await browser.post("/login/create-account/submit", { flow: flowOf(first), ...form });
      const resend = async () => {
        last = await browser.post("/login/verify-email/resend", { flow: flowOf(last) });
        return textOf(browser, last);
      };
      return { first: await textOf(browser, last), resend };
    },
  };

  describe.each(Object.entries(pages))("%s", (name, open) => {
    it.each([
      ["somebody", "ada@acme.test"],
      ["nobody", `nobody-${name.length}@acme.test`],
    ])("says what became of it, the same for %s", async (_, who) => {
      service.advance(3_600_001);
      const { first, resend } = await open(who);
      expect(first).not.toMatch(new RegExp([TOO_SOON, AGAIN, TOO_MANY].join("|")));
      expect(await resend()).toContain(TOO_SOON);
      for (let time = 0; time < 4; time++) {
        service.advance(31_000);
        expect(await resend()).toContain(AGAIN);
      }
      service.advance(31_000);
      expect(await resend()).toContain(TOO_MANY);
    });
  });

  it("keeps the code of the last message working where no further one is sent", async () => {
    service.advance(3_600_001);
    const browser = service.browser();
    const path = "/login/forgot-password/submit";
    const loginName = "ada@acme.test";
    let last = await browser.post(path, { flow: flowOf(await browser.get(authorizePath())), loginName });
    for (let time = 0; time < 6; time++) {
      service.advance(31_000);
      last = await browser.post(path, { flow: flowOf(last), loginName });
    }
    expect(await textOf(browser, last)).toContain(TOO_MANY);
    const { code } = (await mailsTo(service, loginName)).at(-1) ?? { code: "" };
    const form = { flow: flowOf(last), code, password: "another lamp, another river" };
    const done = await browser.post("/login/reset-password/submit", form);
    expect(done.headers.get("location")).toContain("/login/done?");
  });

  it("names the sender to look for: the organization's own, else the service's", async () => {
    service.advance(3_600_001);
    expect((await pages["reset password"]("ada@acme.test")).first).toContain("It comes from no-reply@localhost.");
    const settings = { smtpUrl: "smtps://mail.acme.test", sender: "ACME <id@acme.test>" };
    await setMailSettings({ ...service.ctx, origin: { actor: "operator" } }, "acme", settings);
    const { first } = await pages["reset password"]("ada@acme.test");
    expect(first).toContain("It comes from id@acme.test.");
    expect(first).toContain("spam folder");
  });
});
