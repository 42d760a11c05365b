import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../crypto/password-hash";
import { changeDirectory } from "../directory/change";
import { setPasswordIn } from "../directory/user/password";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import {
  answerOf,
  authorize,
  authorizePath,
  fillSignIn,
  flowOf,
  redeem,
  refresh,
  type Tokens,
  tokensOf,
} from "../testing/flow";
import { lastMailTo } from "../testing/mailed";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../testing/test-context";

const CHOSEN = "a lamp, a river and a tram";

describe.each(ruleDatabases)("change password on %s (ASVS 6.2.3, 7.4.3)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  let current = PASSWORD;
  const signIn = async (browser: TestBrowser, response: Response) =>
    fillSignIn(browser, response, { password: current });
  const change = (browser: TestBrowser, flow: string, form: Record<string, string>) =>
    browser.post("/login/change-password/submit", { flow, ...form });

  /** Opens the form in a session. */
  async function atForm(browser: TestBrowser) {
    const opened = await browser.get("/login/change-password");
    const location = opened.headers.get("location") ?? "";
    return location.includes("/login?") ? signIn(browser, opened) : opened;
  }

  it("is found at the well-known address (W3C Change Password URL)", async () => {
    const response = await service.fetch("/.well-known/change-password");
    expect([response.status, response.headers.get("location")]).toEqual([302, `${BASE_URL}/login/change-password`]);
  });

  it("asks to sign in first and comes back", async () => {
    const browser = service.browser();
    const opened = await browser.get("/login/change-password");
    expect(opened.headers.get("location")).toContain("/login?flow=");
    const back = await signIn(browser, opened);
    expect(back.headers.get("location")).toContain("/login/change-password?flow=");
    const page = await (await browser.get(back.headers.get("location") ?? "")).text();
    for (const id of ["currentPassword", "password", "submit"]) expect(page).toContain(`id="${id}"`);
    expect(page).toContain("ada@acme.test");
  });

  it("shows the form at once to a signed-in user, only for their own session", async () => {
    const browser = service.browser();
    await authorize(browser, {}, { password: current });
    const opened = await browser.get("/login/change-password");
    expect(opened.headers.get("location")).toContain("/login/change-password?flow=");
    const stolen = service.browser();
    const elsewhere = await change(stolen, flowOf(opened), { currentPassword: current, password: CHOSEN });
    expect(elsewhere.headers.get("location")).toContain("/login?flow=");
  });

  it("requires the current password and a valid new one, and says which is wrong", async () => {
    const browser = service.browser();
    const flow = flowOf(await atForm(browser));
    const errorsOf = async (form: Record<string, string>) => {
      const response = await change(browser, flow, form);
      const page = await response.text();
      return [response.status, ...["currentPassword", "password"].filter((id) => page.includes(`id="${id}-error"`))];
    };
    expect(await errorsOf({})).toEqual([422, "currentPassword", "password"]);
    expect(await errorsOf({ currentPassword: "wrong wrong wrong", password: CHOSEN })).toEqual([
      422,
      "currentPassword",
    ]);
    expect(await errorsOf({ currentPassword: current, password: "short" })).toEqual([422, "password"]);
    expect(await errorsOf({ currentPassword: current, password: current })).toEqual([422, "password"]);
    expect(await errorsOf({ currentPassword: current, password: "ada.lovelace@acme" })).toEqual([422, "password"]);
    for (let index = 0; index < 4; index++) await errorsOf({ currentPassword: "wrong wrong", password: CHOSEN });
    expect(await errorsOf({ currentPassword: current, password: CHOSEN })).toEqual([429, "currentPassword"]);
    service.advance(16 * 60_000);
  });

  it("changes it, keeps this browser signed in under a new token, and ends all other sessions", async () => {
    const other = service.browser();
    const tokens = (await (
      await redeem(service, (await authorize(other, {}, { password: current })).get("code") ?? "")
    ).json()) as Tokens;
    service.advance(1000);
    const browser = service.browser();
    const flow = flowOf(await atForm(browser));
    const token = browser.cookies.get("ua");
    const changed = await change(browser, flow, { currentPassword: current, password: CHOSEN, signOutElsewhere: "1" });
    current = CHOSEN;
    expect(changed.headers.get("location")).toContain("/login/done?flow=");
    const done = await (await browser.get(changed.headers.get("location") ?? "")).text();
    expect(done).toContain("<h1>Your password has been changed</h1>");
    expect(browser.cookies.get("ua")).not.toBe(token);
    const here = await browser.get(authorizePath({ prompt: "none" }));
    expect(answerOf(here).get("code")).toBeTruthy();
    const there = await other.get(authorizePath({ prompt: "none" }));
    expect(answerOf(there).get("error")).toBe("login_required");
    expect((await refresh(service, tokens.refresh_token)).status).toBe(400);
    expect((await lastMailTo(service, "ada@acme.test")).type).toBe("password_change");
  });

  it("keeps the other sessions if the box is not checked", async () => {
    const other = service.browser();
    await authorize(other, {}, { password: current });
    service.advance(1000);
    const browser = service.browser();
    const flow = flowOf(await atForm(browser));
    await change(browser, flow, { currentPassword: current, password: PASSWORD });
    current = PASSWORD;
    expect(answerOf(await other.get(authorizePath({ prompt: "none" }))).get("code")).toBeTruthy();
    await tokensOf(service, other);
  });

  it("is a step between sign-in and app if it is required, for every sign-in method", async () => {
    const given = { userId: "u-ada", newHash: await hashPassword(current) };
    await changeDirectory({ ...service.ctx, origin: { actor: "operator" } }, (ctx) =>
      setPasswordIn(ctx, { ...given, changeRequired: true }),
    );
    const browser = service.browser();
    const signed = await signIn(browser, await browser.get(authorizePath({ prompt: "login" })));
    expect(signed.headers.get("location")).toContain("/login/change-password?flow=");
    // Neither by starting again nor silently.
    const again = await browser.get(authorizePath());
    expect(again.headers.get("location")).toContain("/login/change-password?flow=");
    const silent = await browser.get(authorizePath({ prompt: "none" }));
    expect(answerOf(silent).get("error")).toBe("interaction_required");
    expect(await (await browser.get(signed.headers.get("location") ?? "")).text()).toContain('class="note"');
    const flow = flowOf(signed);
    const changed = await change(browser, flow, { currentPassword: current, password: CHOSEN, signOutElsewhere: "1" });
    current = CHOSEN;
    expect(answerOf(changed).get("code")).toBeTruthy();
    expect(answerOf(await browser.get(authorizePath())).get("code")).toBeTruthy();
  });
});
