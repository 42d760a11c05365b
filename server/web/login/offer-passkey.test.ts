import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAuthenticator, type Options } from "../../testing/authenticator";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { formOptions, hiddenFields, newPerson, pageAt, pathOf, setLoginPolicy } from "../../testing/factors";
import { answerOf, authorizePath } from "../../testing/flow";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const OFFER = "/login/passkey/offer";
const LATER = "/login/mfa/set-up/later";
const ADD = "/login/mfa/set-up/passkey/submit";
const DAY = 86_400_000;

describe.each(ruleDatabases)("A passkey that is offered after a password, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  /**
   * Types the password.
   * @param can whether the script has found that the device can store a passkey
   */
  async function signIn(
    loginName: string,
    {
      can = true,
      browser = service.browser(),
      wish = {},
    }: { can?: boolean; browser?: TestBrowser; wish?: object } = {},
  ): Promise<{ browser: TestBrowser; response: Response }> {
    const page = await pageAt(browser, await browser.get(authorizePath(wish)));
    const typed = { loginName, password: PASSWORD, ...(can && { passkeys: "1" }) };
    return {
      browser,
      response: await browser.post("/login/submit", { ...hiddenFields(page, "/login/submit"), ...typed }),
    };
  }
  const isOffered = ({ response }: { response: Response }) => pathOf(response).startsWith(OFFER);
  const hasCode = (response: Response) => answerOf(response).has("code");

  it("is offered once in thirty days, and “Not now” continues to the application", async () => {
    const { loginName } = await newPerson(service, PASSWORD);
    const first = await signIn(loginName);
    expect(isOffered(first)).toBe(true);
    const fields = hiddenFields(await pageAt(first.browser, first.response), LATER);
    expect(hasCode(await first.browser.post(LATER, { ...fields, "not-now": "1" }))).toBe(true);
    expect(hasCode((await signIn(loginName)).response)).toBe(true);
    service.advance(30 * DAY);
    expect(isOffered(await signIn(loginName))).toBe(true);
    expect(hasCode((await signIn(loginName)).response), "closed without an answer").toBe(true);
  });

  it("is never offered again after “Never ask again”", async () => {
    const { loginName } = await newPerson(service, PASSWORD);
    const { browser, response } = await signIn(loginName);
    const fields = hiddenFields(await pageAt(browser, response), LATER);
    expect(hasCode(await browser.post(LATER, { ...fields, never: "1" }))).toBe(true);
    service.advance(31 * DAY);
    expect(hasCode((await signIn(loginName)).response)).toBe(true);
  });

  it("signs in with it from then on, and the first recovery codes are shown", async () => {
    const { loginName } = await newPerson(service, PASSWORD);
    const { browser, response } = await signIn(loginName);
    const page = await pageAt(browser, response);
    const credential = newAuthenticator().create(formOptions(page) as Options);
    const added = await browser.post(ADD, { ...hiddenFields(page, ADD), credential });
    const codes = await added.text();
    expect(codes).toContain('class="codes"');
    const on = await browser.post("/login/mfa/continue", hiddenFields(codes, "/login/mfa/continue"));
    expect(hasCode(on)).toBe(true);
    expect(pathOf((await signIn(loginName)).response)).toMatch(/^\/login\/mfa\?/);
  });

  it("is not offered without scripts, for a reauthentication, or if it is not permitted", async () => {
    const { loginName } = await newPerson(service, PASSWORD);
    expect(hasCode((await signIn(loginName, { can: false })).response)).toBe(true);
    expect(hasCode((await signIn(loginName, { wish: { prompt: "login" } })).response)).toBe(true);
    for (const policy of [{ passkeyOfferInterval: 0 }, { secondFactors: ["SECOND_FACTOR_TYPE_OTP"] }]) {
      await setLoginPolicy(service, policy);
      expect(hasCode((await signIn(loginName)).response)).toBe(true);
    }
    await setLoginPolicy(service, {});
    expect(isOffered(await signIn(loginName))).toBe(true);
  });

  it("is offered as often as its own setting says, and not together with the suggestion of a second factor", async () => {
    const { loginName } = await newPerson(service, PASSWORD);
    await setLoginPolicy(service, { passkeyOfferInterval: 86_400 });
    expect(isOffered(await signIn(loginName))).toBe(true);
    service.advance(DAY / 2);
    expect(hasCode((await signIn(loginName)).response)).toBe(true);
    service.advance(DAY / 2);
    expect(isOffered(await signIn(loginName))).toBe(true);
    // Sets the value that former versions interpreted differently.
    await setLoginPolicy(service, { mfaInitSkipLifetime: 2_592_000 });
    service.advance(30 * DAY);
    expect(pathOf((await signIn(loginName, { can: false })).response)).toMatch(/^\/login\/mfa\/set-up\?/);
    await setLoginPolicy(service, {});
  });
});
