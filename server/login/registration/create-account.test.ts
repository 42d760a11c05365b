import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { setPolicy } from "../../directory/policy/policies";
import { setCodeLifetime } from "../../directory/setting/change-lifetimes";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { answerOf, authorizePath, fillSignIn, flowOf, onOf, redeem, type Tokens, userinfo } from "../../testing/flow";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const CHOSEN = "a lamp, a river and a tram";
const CONFIRMED = "Ihre E-Mail-Adresse ist bestätigt";

describe.each(databaseKinds)("create account on %s (prompt=create)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const form = (email: string, more: Record<string, string> = {}) => ({
    email,
    givenName: "Grace",
    familyName: "Hopper",
    password: CHOSEN,
    ...more,
  });

  /** Submits the form; the browser is at the page that waits for the code. */
  async function register(browser: TestBrowser, email: string, more: Record<string, string> = {}) {
    const first = await browser.get(authorizePath({ prompt: "create", ui_locales: "de" }));
    const flow = flowOf(first);
    return browser.post("/login/create-account/submit", { flow, ...form(email, more) });
  }

  it("shows the form directly", async () => {
    const first = await service.browser().get(authorizePath({ prompt: "create", login_hint: "grace@navy.test" }));
    expect(first.headers.get("location")).toContain("/login/create-account?flow=");
    const page = await (await service.fetch(first.headers.get("location") ?? "")).text();
    for (const name of ["email", "givenName", "familyName", "password", "submit"])
      expect(page).toContain(`id="${name}"`);
    expect(page).toContain('value="grace@navy.test"');
  });

  it("creates the account when the code is entered, and continues to the app with a verified address", async () => {
    const browser = service.browser();
    const waiting = await register(browser, "grace@navy.test");
    expect(waiting.headers.get("location")).toContain("/login/verify-email?flow=");
    const { type, code } = await lastMailTo(service, "grace@navy.test");
    expect([type, code]).toEqual(["verifyemail", expect.stringMatching(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/)]);
    const typed = ` ${code.toLowerCase().replace("-", " ")} `;
    const done = await browser.post("/login/verify-email/submit", { flow: flowOf(waiting), code: typed });
    const tokens = (await (await redeem(service, answerOf(done).get("code") ?? "")).json()) as Tokens;
    expect(await (await userinfo(service, tokens.access_token)).json()).toMatchObject({
      email: "grace@navy.test",
      email_verified: true,
      name: "Grace Hopper",
      locale: "de",
      preferred_username: "grace@navy.test",
    });
    const user = await service.ctx.db.prisma.user.findFirstOrThrow({ where: { email: "grace@navy.test" } });
    expect(user.organizationId).toBe("acme");
  });

  it("creates no account before that, so that no one can occupy another person's address or sign in with it", async () => {
    const attacker = service.browser();
    await register(attacker, "victim@navy.test", { password: "the attacker knows this one" });
    expect(await service.ctx.db.prisma.user.count({ where: { email: "victim@navy.test" } })).toBe(0);
    const owner = service.browser();
    const waiting = await register(owner, "victim@navy.test");
    const { code } = await lastMailTo(service, "victim@navy.test");
    const done = await owner.post("/login/verify-email/submit", { flow: flowOf(waiting), code });
    expect(answerOf(done).get("code")).toBeTruthy();
    const other = service.browser();
    const sign = async (password: string) =>
      fillSignIn(other, await other.get(authorizePath()), { loginName: "victim@navy.test", password });
    expect((await sign("the attacker knows this one")).headers.get("location")).toContain("/login?flow=");
    expect(answerOf(await sign(CHOSEN)).get("code")).toBeTruthy();
  });

  it("creates one account for many concurrent confirmations", async () => {
    const browser = service.browser();
    const waiting = await register(browser, "many@navy.test");
    const { code } = await lastMailTo(service, "many@navy.test");
    const headers = { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const posts = Array.from({ length: 10 }, () =>
      service.fetch("/login/verify-email/submit", {
        method: "POST",
        headers,
        body: new URLSearchParams({ flow: flowOf(waiting), code }),
      }),
    );
    const answers = await Promise.all(posts);
    const isDone = (answer: Response) => answer.headers.get("location")?.includes("/login/done?flow=");
    expect(answers.filter((answer) => !isDone(answer)).map((answer) => answerOf(answer).has("code"))).toEqual([true]);
    expect(await service.ctx.db.prisma.user.count({ where: { email: "many@navy.test" } })).toBe(1);
  });

  it("sends at most five emails an hour to one address, from all requesters together", async () => {
    for (let index = 0; index < 8; index++) await register(service.browser(), "flood@navy.test");
    expect(await mailsTo(service, "flood@navy.test")).toHaveLength(5);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("accepts a code only in the flow that requested it", async () => {
    const attacker = service.browser();
    const theirs = await register(attacker, "two@navy.test", { password: "the attacker knows this one" });
    const owner = service.browser();
    await register(owner, "two@navy.test");
    const { code } = await lastMailTo(service, "two@navy.test");
    const refused = await attacker.post("/login/verify-email/submit", { flow: flowOf(theirs), code });
    expect(refused.status).toBe(422);
  });

  it("does nothing when the link is opened, and creates the account by its button in the same browser", async () => {
    const browser = service.browser();
    await register(browser, "link@navy.test");
    const { path } = await lastMailTo(service, "link@navy.test");
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    for (const visitor of [service.browser(), browser]) expect((await visitor.get(path)).status).toBe(200);
    expect(await service.ctx.db.prisma.user.count({ where: { email: "link@navy.test" } })).toBe(0);
    const done = await browser.post("/login/verify-email/submit", { token });
    expect(answerOf(done).get("code")).toBeTruthy();
    const again = await browser.get(path);
    expect(again.status).toBe(410);
    expect(await again.text()).toMatch(/Used|Benutzt/);
  });

  it("asks for the chosen password in another browser (account pre-hijacking)", async () => {
    await register(service.browser(), "phone@navy.test");
    const { path } = await lastMailTo(service, "phone@navy.test");
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    const phone = service.browser();
    expect(await (await phone.get(path)).text()).toContain('id="password"');
    const post = (password: string) => phone.post("/login/verify-email/submit", { token, password });
    expect((await post("")).status).toBe(422);
    expect((await post("not the one that was chosen")).status).toBe(422);
    const done = await post(CHOSEN);
    expect(done.headers.get("location")).toContain("/login/done?flow=");
    expect(phone.cookies.size).toBe(0);
    expect(await service.ctx.db.prisma.user.count({ where: { email: "phone@navy.test" } })).toBe(1);
  });

  it("tells the first window that the address is confirmed after the link was used elsewhere", async () => {
    const browser = service.browser();
    const waiting = await register(browser, "slow@navy.test");
    const { path, code } = await lastMailTo(service, "slow@navy.test");
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    await service.browser().post("/login/verify-email/submit", { token, password: CHOSEN });
    const late = await browser.post("/login/verify-email/submit", { flow: flowOf(waiting), code });
    expect(await (await browser.get(onOf(late))).text()).toContain(CONFIRMED);
  });

  it("informs only the owner of an address with an account; the code leads to a new password", async () => {
    const browser = service.browser();
    const waiting = await register(browser, "ADA@acme.test");
    expect(waiting.headers.get("location")).toContain("/login/verify-email?flow=");
    expect(await lastMailTo(service, "ada@acme.test")).toMatchObject({ type: "account_exists" });
    service.advance(31_000);
    const again = await browser.post("/login/verify-email/resend", { flow: flowOf(waiting) });
    const { type, code } = await lastMailTo(service, "ada@acme.test");
    expect(type).toBe("account_exists");
    const next = await browser.post("/login/verify-email/submit", { flow: flowOf(again), code });
    expect(next.headers.get("location")).toContain("/login/reset-password?flow=");
    const page = await (await browser.get(next.headers.get("location") ?? "")).text();
    expect(page).not.toContain('id="code"');
    const set = await browser.post("/login/reset-password/submit", { flow: flowOf(next), password: CHOSEN });
    expect(set.headers.get("location")).toContain("/login/done?flow=");
    const signed = await fillSignIn(browser, await browser.get(authorizePath()), { password: CHOSEN });
    expect(answerOf(signed).get("code")).toBeTruthy();
  });

  it("informs the owner without a code if the policy hides the password reset; the page looks the same", async () => {
    const hide = (hidePasswordReset: boolean) =>
      changeDirectory(service.ctx, (ctx) =>
        setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, "acme", "login", {
          hidePasswordReset,
        }),
      );
    await hide(true);
    const waiting = await register(service.browser(), "ada@acme.test");
    expect(waiting.headers.get("location")).toContain("/login/verify-email?flow=");
    expect(await lastMailTo(service, "ada@acme.test")).toMatchObject({ type: "account_exists", code: "", path: "" });
    await hide(false);
  });

  it.each([
    ['"x@evil.test x"@navy.test'],
    ["x(comment)@navy.test"],
    ["group:x@navy.test;"],
    ["a@navy.test,b@navy.test"],
    ["x@navy.test\r\nbcc: y@evil.test"],
    ["x＠navy.test"],
    ["x@na\u200bvy.test"],
    ["Grace <x@navy.test>"],
    ["x@[127.0.0.1]"],
    ["x@@navy.test"],
    ["x"],
  ])("refuses %j as an address, and writes to nobody", async (email) => {
    const before = (await mailsTo(service)).length;
    const refused = await register(service.browser(), email);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('id="email-error"');
    expect(await mailsTo(service)).toHaveLength(before);
  });

  it("describes the mistake of every field, keeps the input and drops the password", async () => {
    const refused = await register(service.browser(), "", {
      givenName: " ",
      familyName: "Hop\u202eper",
      password: "short",
    });
    const page = await refused.text();
    for (const field of ["email", "givenName", "familyName", "password"]) expect(page).toContain(`id="${field}-error"`);
    expect(page).not.toContain('value="short"');
    const common = await register(service.browser(), "x@navy.test", { password: "passwordpassword" });
    expect(common.status).toBe(422);
  });

  it("sends another message after half a minute, which invalidates the earlier code", async () => {
    const browser = service.browser();
    const waiting = await register(browser, "again@navy.test");
    const first = await lastMailTo(service, "again@navy.test");
    const early = await browser.post("/login/verify-email/resend", { flow: flowOf(waiting) });
    expect(await mailsTo(service, "again@navy.test")).toHaveLength(1);
    service.advance(31_000);
    const resent = await browser.post("/login/verify-email/resend", { flow: flowOf(early) });
    const second = await lastMailTo(service, "again@navy.test");
    expect(second.code).not.toBe(first.code);
    const old = await browser.post("/login/verify-email/submit", { flow: flowOf(waiting), code: first.code });
    expect(old.status).toBe(422);
    const done = await browser.post("/login/verify-email/submit", { flow: flowOf(resent), code: second.code });
    expect(answerOf(done).get("code")).toBeTruthy();
  });

  it("invalidates a code after ten wrong attempts, and after a day", async () => {
    const browser = service.browser();
    const waiting = await register(browser, "brute@navy.test");
    const { code, path } = await lastMailTo(service, "brute@navy.test");
    const flow = flowOf(waiting);
    for (let index = 0; index < 10; index++) {
      expect((await browser.post("/login/verify-email/submit", { flow, code: `AAAA-AAA${index}` })).status).toBe(422);
    }
    expect((await browser.post("/login/verify-email/submit", { flow, code })).status).toBe(422);
    // Further codes for the same address allow no further attempts; the link still works.
    service.advance(31_000);
    const more = await browser.post("/login/verify-email/resend", { flow });
    const next = await lastMailTo(service, "brute@navy.test");
    expect(next.path).not.toBe(path);
    const blocked = await browser.post("/login/verify-email/submit", { flow: flowOf(more), code: next.code });
    expect(blocked.status).toBe(422);
    expect((await browser.get(next.path)).status).toBe(200);
    service.advance(25 * 3_600_000);
    expect((await browser.get(next.path)).status).toBe(410);
  });

  it("reports an expired code on its page, which sends another one", async () => {
    const operator = { ...service.ctx, origin: { actor: "operator" } };
    const minutes = (n: number) => setCodeLifetime(operator, "verifyEmail", n * 60_000);
    await minutes(5);
    const browser = service.browser();
    const waiting = await register(browser, "late@navy.test");
    const { code } = await lastMailTo(service, "late@navy.test");
    service.advance(6 * 60_000);
    await minutes(60);
    const late = await browser.post("/login/verify-email/submit", { flow: flowOf(waiting), code });
    expect(late.status).toBe(422);
    expect(await late.text()).toContain("Dieser Code ist abgelaufen.");
    const resent = await browser.post("/login/verify-email/resend", { flow: flowOf(waiting) });
    const next = await lastMailTo(service, "late@navy.test");
    const done = await browser.post("/login/verify-email/submit", { flow: flowOf(resent), code: next.code });
    expect(answerOf(done).get("code")).toBeTruthy();
  });

  it("redirects to the sign-in if the organization has turned registration off", async () => {
    const set = (allowRegister: boolean) =>
      changeDirectory(service.ctx, (ctx) =>
        setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, "acme", "login", { allowRegister }),
      );
    const browser = service.browser();
    const first = await browser.get(authorizePath({ prompt: "create" }));
    await set(false);
    const page = await browser.get(first.headers.get("location") ?? "");
    expect(page.headers.get("location")).toContain("/login?flow=");
    const posted = await browser.post("/login/create-account/submit", { flow: flowOf(first), ...form("no@navy.test") });
    expect(posted.headers.get("location")).toContain("/login?flow=");
    expect(await mailsTo(service, "no@navy.test")).toEqual([]);
    const signIn = await browser.get(page.headers.get("location") ?? "");
    expect(await signIn.text()).not.toContain('id="create-account"');
    const signed = await fillSignIn(browser, page, { loginName: "bob", password: PASSWORD });
    expect(answerOf(signed).get("code")).toBeTruthy();
    await set(true);
  });
});
