import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setCodeLifetime } from "../directory/setting/change-lifetimes";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import { answerOf, authorizePath, errorOf, fillSignIn, flowOf, refresh, tokensOf, userinfo } from "../testing/flow";
import { lastMailTo, mailsTo } from "../testing/mailed";
import { type TestBrowser, type TestService, testService } from "../testing/test-context";

const CHOSEN = "a lamp, a river and a tram";
const ADA = "ada@acme.test";
const USED = "<dt>Used</dt>";

describe.each(["sqlite", "postgresql"] as const)("reset password on %s (OWASP Forgot Password)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Requests a new password; the browser is at the page that waits for the code. */
  async function ask(browser: TestBrowser = service.browser(), loginName = ADA, wait = 3_600_000 + 1000) {
    // Mails to one address are counted by the hour.
    service.advance(wait);
    const first = await browser.get(authorizePath());
    const sent = await browser.post("/login/forgot-password/submit", { flow: flowOf(first), loginName });
    const { code, path } = await lastMailTo(service, ADA);
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    return { browser, sent, flow: flowOf(sent), code, path, token };
  }
  const post = (form: Record<string, string>, browser = service.browser()) =>
    browser.post("/login/reset-password/submit", { password: CHOSEN, ...form });
  const isDone = (answer: Response) => answer.headers.get("location")?.includes("/login/done?flow=") === true;

  it("is linked from the sign-in page and keeps the flow and the name", async () => {
    const browser = service.browser();
    const first = await browser.get(authorizePath());
    const page = await (await browser.get(first.headers.get("location") ?? "")).text();
    const href = /id="forgot-password" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(await (await browser.get(href)).text()).toContain('id="loginName"');
  });

  it("sets the password by link once, and continues with the app that started the sign-in", async () => {
    const { browser, path, token } = await ask();
    const page = await (await browser.get(path)).text();
    expect(page).toContain(ADA);
    expect(page).toMatch(/autoComplete="username"|autocomplete="username"/);
    expect(page).not.toContain('id="code"');
    expect(page).toMatch(/This link works until [^.]+ UTC\./);
    const set = await post({ token }, browser);
    expect(isDone(set)).toBe(true);
    const done = await (await browser.get(set.headers.get("location") ?? "")).text();
    const on = /id="continue" href="([^"]+)"/.exec(done)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const signed = await fillSignIn(browser, await browser.get(on), { password: CHOSEN });
    expect(answerOf(signed).get("code")).toBeTruthy();
    expect(isDone(await post({ token }))).toBe(false);
    expect((await browser.get(path)).status).toBe(410);
    expect((await lastMailTo(service, ADA)).type).toBe("password_change");
  });

  it("sets it by code in the requesting window", async () => {
    const { browser, flow, code } = await ask();
    expect((await post({ flow, code: "2222-2222" }, browser)).status).toBe(422);
    expect(isDone(await post({ flow, code }, browser))).toBe(true);
    expect(await (await post({ flow, code }, browser)).text()).toContain("This code has been used already.");
  });

  it("is not used up when a program opens the link, or when the password is rejected", async () => {
    const { path, token } = await ask();
    for (let index = 0; index < 3; index++) expect((await service.fetch(path)).status).toBe(200);
    expect((await service.fetch(path, { method: "HEAD" })).status).toBe(200);
    expect((await post({ token, password: "short" })).status).toBe(422);
    expect((await post({ token, password: "passwordpassword" })).status).toBe(422);
    expect((await post({ token, password: "lovelace lovelace" })).status).toBe(422);
    expect(isDone(await post({ token }))).toBe(true);
  });

  it("accepts exactly one of twenty concurrent requests", async () => {
    const { token } = await ask();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ token })));
    expect(answers.filter(isDone)).toHaveLength(1);
  });

  it("refuses an older code after a newer one, by link and by code", async () => {
    const older = await ask();
    const newer = await ask(service.browser(), ADA, 1000);
    expect(isDone(await post({ token: older.token }))).toBe(false);
    expect(isDone(await post({ flow: older.flow, code: older.code }, older.browser))).toBe(false);
    expect(isDone(await post({ flow: older.flow, code: newer.code }, older.browser))).toBe(false);
    expect(isDone(await post({ token: newer.token }))).toBe(true);
  });

  it("reports a used link as used, and a replaced or expired one as invalid", async () => {
    const told = async ({ path }: { path: string }) =>
      (await (await service.browser().get(path)).text()).includes(USED);
    const replaced = await ask();
    const used = await ask(service.browser(), ADA, 1000);
    await post({ token: used.token });
    expect([await told(replaced), await told(used)]).toEqual([false, true]);
    const old = await ask();
    service.advance(3_600_000 + 1000);
    expect(await told(old)).toBe(false);
  });

  it("reports an expired code on its page, which sends another one", async () => {
    const operator = { ...service.ctx, origin: { actor: "operator" } };
    const minutes = (n: number) => setCodeLifetime(operator, "passwordReset", n * 60_000);
    await minutes(5);
    const { browser, flow, code } = await ask();
    service.advance(6 * 60_000);
    const late = await post({ flow, code }, browser);
    expect(late.status).toBe(422);
    expect(await late.text()).toContain("This code has expired.");
    await minutes(60);
    await browser.post("/login/forgot-password/submit", { flow, loginName: ADA, resend: "1" });
    expect((await lastMailTo(service, ADA)).code).not.toBe(code);
  });

  it("refuses a code after an hour, and after the address has changed", async () => {
    const late = await ask();
    service.advance(3_600_000 + 1000);
    expect(isDone(await post({ token: late.token }))).toBe(false);
    const moved = await ask();
    await service.ctx.db.prisma.user.update({ where: { id: "u-ada" }, data: { email: "countess@acme.test" } });
    expect(isDone(await post({ token: moved.token }))).toBe(false);
    await service.ctx.db.prisma.user.update({ where: { id: "u-ada" }, data: { email: ADA } });
  });

  it("is useless for another user: the code names no user, and the link is for one user alone", async () => {
    const { code } = await ask();
    const foreign = await service.browser().get(authorizePath());
    const browser = service.browser();
    const sent = await browser.post("/login/forgot-password/submit", { flow: flowOf(foreign), loginName: "bob" });
    expect(isDone(await post({ flow: flowOf(sent), code }, browser))).toBe(false);
  });

  it("ends earlier sessions and refresh token families", async () => {
    // The sessions must be older than the change by the clock's resolution.
    const { token, browser } = await ask();
    await post({ token, password: PASSWORD });
    service.advance(1000);
    const signedIn = service.browser();
    const tokens = await tokensOf(service, signedIn);
    service.advance(1000);
    const again = await ask(browser);
    expect(isDone(await post({ token: again.token }))).toBe(true);
    expect(await errorOf(await refresh(service, tokens.refresh_token))).toEqual({
      status: 400,
      error: "invalid_grant",
    });
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    const silent = await signedIn.get(authorizePath({ prompt: "none" }));
    expect(answerOf(silent).get("error")).toBe("login_required");
  });

  it("unlocks a user who was locked out by wrong passwords", async () => {
    const browser = service.browser();
    const attempt = async (password: string) =>
      fillSignIn(browser, await browser.get(authorizePath({ prompt: "login" })), { password });
    for (let index = 0; index < 5; index++) await attempt("wrong wrong wrong");
    expect((await browser.get((await attempt(CHOSEN)).headers.get("location") ?? "")).status).toBe(429);
    // Not `ask`, which advances the clock.
    const first = await browser.get(authorizePath());
    await browser.post("/login/forgot-password/submit", { flow: flowOf(first), loginName: ADA });
    const { path } = await lastMailTo(service, ADA);
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    expect(isDone(await post({ token }))).toBe(true);
    expect(answerOf(await attempt(CHOSEN)).get("code")).toBeTruthy();
  });

  it("builds its link from BASE_URL, whatever host the request names", async () => {
    service.advance(3_600_000 + 1000);
    const browser = service.browser();
    const first = await browser.get(authorizePath());
    const before = (await mailsTo(service, ADA)).length;
    await service.fetch("/login/forgot-password/submit", {
      method: "POST",
      body: new URLSearchParams({ flow: flowOf(first), loginName: ADA }),
      headers: { host: "evil.test", "x-forwarded-host": "evil.test", forwarded: "host=evil.test" },
    });
    const mails = await mailsTo(service, ADA);
    expect(mails).toHaveLength(before + 1);
    expect(mails.at(-1)?.path).toMatch(/^\/login\/reset-password\?token=[\w-]{43}$/);
  });

  it("sends emails only to verified addresses of users who may sign in", async () => {
    const browser = service.browser();
    const first = await browser.get(authorizePath());
    for (const loginName of ["bob", "bob@acme.test", "nobody@acme.test"]) {
      const sent = await browser.post("/login/forgot-password/submit", { flow: flowOf(first), loginName });
      expect(sent.headers.get("location")).toContain("/login/reset-password?flow=");
    }
    expect(await mailsTo(service, "bob@acme.test")).toEqual([]);
  });

  it("works without an app, and shows the page of an invalid link for any token", async () => {
    service.advance(3_600_000 + 1000);
    const browser = service.browser();
    expect((await browser.get("/login/forgot-password")).status).toBe(200);
    const sent = await browser.post("/login/forgot-password/submit", { loginName: ADA });
    const { code } = await lastMailTo(service, ADA);
    const set = await post({ flow: flowOf(sent), code }, browser);
    const done = await browser.get(set.headers.get("location") ?? "");
    expect(done.status).toBe(200);
    expect(await done.text()).toContain('id="continue" href="http://localhost:8080/account"');
    for (const token of ["x", "A".repeat(43), "A".repeat(5000)]) {
      expect((await browser.get(`/login/reset-password?token=${token}`)).status).toBe(410);
    }
  });
});
