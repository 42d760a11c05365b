import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { pathOf } from "../../testing/factors";
import { authorizePath, fillSignIn } from "../../testing/flow";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { type AtHome, atHome, eventsOf } from "../../testing/own-account";
import { byId } from "../../testing/page-samples";
import { type TestService, testService } from "../../testing/test-context";

const MINUTE = 60_000;
const SUBMIT = "/account/email/submit";

describe.each(databaseKinds)("a person's own address on %s (ASVS 6.2.3, 6.3.7)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  let people = 0;
  /** Creates a user added by an administrator, with an unverified address. */
  const unproven = async (isEmailVerified = false) => {
    const id = `u-mail-${++people}`;
    const email = { email: `${id}@acme.test`, isEmailVerified };
    const user = { id, userName: id, password: PASSWORD, profile: { firstName: "Una" }, email };
    await applyBootstrap(service.ctx, { organizations: [{ id: "acme", name: "ACME", users: [user] }] });
    return { id, loginName: id, address: email.email };
  };
  const stored = async (id: string) => {
    const where = { id };
    const { email, isEmailVerified } = await service.ctx.db.prisma.user.findUniqueOrThrow({ where });
    return { email, isEmailVerified };
  };
  const change = ({ browser, session }: AtHome, email: string, currentPassword = PASSWORD) =>
    browser.post("/account/email/change/submit", { session, email, currentPassword });
  const confirm = ({ browser, session }: AtHome, code: string) =>
    browser.post(SUBMIT, { session, what: "confirm", code });
  const send = ({ browser, session }: AtHome) => browser.post(SUBMIT, { session, what: "send" });

  it("lets users confirm an unverified address with a code, and then reset a forgotten password", async () => {
    const { id, address, loginName } = await unproven();
    const home = await atHome(service, { id, loginName });
    const reset = async () => {
      const browser = service.browser();
      const opened = await browser.get("/login/forgot-password");
      const flow = /name="flow" value="([^"]+)"/.exec(await opened.text())?.[1] ?? "";
      await browser.post("/login/forgot-password/submit", { flow, loginName });
      return (await mailsTo(service, address)).filter(({ type }) => type === "passwordreset").length;
    };
    expect(await reset()).toBe(0); // an unverified address may belong to a stranger
    expect(await home.page()).toContain("Not confirmed yet");
    expect(byId(await home.page("security"), "confirm-email")?.href).toContain("/account/email?session=");
    expect(pathOf(await home.press(await home.page("email"), "send"))).toMatch(/^\/account\/email\?session=/);
    const { type, code } = await lastMailTo(service, address);
    expect(type).toBe("verifyemail");
    const wrong = await home.press(await home.page("email"), "submit", { code: "2222-2222" });
    expect(wrong.status).toBe(422);
    expect(byId(await wrong.text(), "code")).toMatchObject({ "aria-invalid": "true" });
    expect(await stored(id)).toEqual({ email: address, isEmailVerified: false });
    const right = await home.press(await home.page("email"), "submit", { code: code.toLowerCase().replace("-", " ") });
    expect(pathOf(right)).toContain("saved=1");
    expect(await stored(id)).toEqual({ email: address, isEmailVerified: true });
    expect(await eventsOf(service, id)).toEqual([
      "user.added",
      "user.signed_in",
      "user.email.verification_requested",
      "user.changed",
    ]);
    expect(await home.page("security")).toContain(`id="enable-mail"`);
    expect(await reset()).toBe(1);
    expect((await confirm(home, code)).status).toBe(303); // once more: no address is waiting
  });

  it("replaces the address only when its code is entered", async () => {
    const { id, address, loginName } = await unproven(true);
    const home = await atHome(service, { id, loginName });
    const next = `new-${address}`;
    expect(byId(await home.page("email/change"), "currentPassword")).toMatchObject({ type: "password" });
    expect(pathOf(await change(home, next))).toMatch(/^\/account\/email\?session=/);
    expect(await stored(id)).toEqual({ email: address, isEmailVerified: true });
    expect(await mailsTo(service, address)).toEqual([]);
    expect(await home.page("email")).toContain(next);
    await confirm(home, (await lastMailTo(service, next)).code);
    expect(await stored(id)).toEqual({ email: next, isEmailVerified: true });
    const browser = service.browser();
    const back = await fillSignIn(browser, await browser.get("/account"), { loginName: next, password: PASSWORD });
    expect(pathOf(back)).toMatch(/^\/account\?session=/);
  });

  it("accepts one of twenty concurrent requests with the same code", async () => {
    const { id, address, loginName } = await unproven();
    const home = await atHome(service, { id, loginName });
    await send(home);
    const { code } = await lastMailTo(service, address);
    await Promise.all(Array.from({ length: 20 }, () => confirm(home, code)));
    expect((await eventsOf(service, id)).filter((type) => type === "user.changed")).toHaveLength(1);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it.each([
    ["", PASSWORD, "email", "Enter your email address"],
    ["nobody", PASSWORD, "email", "Enter an email address such as"],
    ["a@b@c@acme.test, x@acme.test", PASSWORD, "email", "Enter an email address such as"],
    ["x\r\nBcc: y@acme.test", PASSWORD, "email", "Enter an email address such as"],
    [`${"x".repeat(255)}@acme.test`, PASSWORD, "email", "Use at most 254 characters"],
    ["new@acme.test", "", "currentPassword", "Enter your current password"],
    ["new@acme.test", "not the one", "currentPassword", "The current password is not correct"],
  ])("refuses the address %j with the password %j and mails nothing", async (email, password, field, reason) => {
    const { id, address, loginName } = await unproven(true);
    const home = await atHome(service, { id, loginName });
    const before = (await mailsTo(service)).length;
    const refused = await change(home, email, password);
    const html = await refused.text();
    expect(refused.status).toBe(422);
    expect(html).toContain(reason);
    expect(byId(html, field)).toMatchObject({ "aria-invalid": "true" });
    expect(html).not.toContain(`value="${PASSWORD}"`);
    expect((await mailsTo(service)).length).toBe(before);
    expect(await stored(id)).toEqual({ email: address, isEmailVerified: true });
    expect((await change(home, address)).status).toBe(422); // already their own
  });

  it("throttles guesses of the password, until the wait is over", async () => {
    const { id, loginName } = await unproven(true);
    const home = await atHome(service, { id, loginName });
    for (let tries = 0; tries < 5; tries++) await change(home, "new@acme.test", "not the one");
    const throttled = await change(home, "new@acme.test");
    expect([throttled.status, Number(throttled.headers.get("retry-after")) > 0]).toEqual([429, true]);
    const refused = /name="refused" value="([^"]+)"/.exec(await throttled.text())?.[1] ?? "";
    service.advance(MINUTE + 1);
    const query = new URLSearchParams({ session: home.session, refused });
    const later = await home.browser.get(`/account/email/change?${query}`);
    expect(later.status).toBe(200);
    expect(byId(await later.text(), "currentPassword")).not.toHaveProperty("aria-invalid");
    expect(await eventsOf(service, id)).not.toContain("user.email.verification_requested");
  });

  it("invalidates codes: by a newer one, with time, with another address, and after ten wrong attempts", async () => {
    const { id, address, loginName } = await unproven();
    const home = await atHome(service, { id, loginName });
    const codeTo = async (recipient: string) => (await lastMailTo(service, recipient)).code;
    await send(home);
    const first = await codeTo(address);
    await change(home, `other-${address}`);
    expect((await confirm(home, first)).status).toBe(422); // another address is waiting
    const other = await codeTo(`other-${address}`);
    await home.browser.post(SUBMIT, { session: home.session, what: "drop" });
    expect(pathOf(await confirm(home, other))).not.toContain("saved");
    await send(home);
    const late = await codeTo(address);
    service.advance(60 * MINUTE + 1);
    const again = await atHome(service, { id, loginName });
    expect(pathOf(await confirm(again, late))).not.toContain("saved");
    await send(again);
    const right = await codeTo(address);
    for (let tries = 0; tries < 10; tries++) await confirm(again, "2222-2222");
    expect((await confirm(again, right)).status).toBe(422);
    expect(await stored(id)).toEqual({ email: address, isEmailVerified: false });
  });

  it("is void after an administrator has changed the address", async () => {
    const { id, address, loginName } = await unproven();
    const home = await atHome(service, { id, loginName });
    await send(home);
    const { code, path } = await lastMailTo(service, address);
    await service.ctx.db.prisma.user.update({ where: { id }, data: { email: "admin-chose@acme.test" } });
    expect(await home.page("email")).not.toContain(`id="code"`);
    expect(pathOf(await confirm(home, code))).not.toContain("saved");
    const token = new URL(path, "http://test").searchParams.get("token") ?? "";
    const { session } = home;
    expect((await home.browser.post("/account/email/confirm/submit", { session, token })).status).toBe(410);
    expect(await stored(id)).toEqual({ email: "admin-chose@acme.test", isEmailVerified: false });
  });

  it("shows the result of requesting another code: too soon, sent, too often", async () => {
    const { id, loginName } = await unproven();
    const home = await atHome(service, { id, loginName });
    expect(pathOf(await send(home))).not.toContain("note");
    expect(pathOf(await send(home))).toContain("note=too-soon");
    for (let mails = 1; mails < 5; mails++) {
      service.advance(31_000);
      expect(pathOf(await send(home))).toContain("note=again");
    }
    service.advance(31_000);
    const often = pathOf(await send(home));
    expect(often).toContain("note=too-many");
    expect(await (await home.browser.get(often)).text()).toContain(`id="mail-note"`);
    expect(await (await home.browser.get(often.replace("too-many", "evil"))).text()).not.toContain(`id="mail-note"`);
  });

  describe("the mailed link", () => {
    it("asks in a session of its account, is not used up by being opened, and works once", async () => {
      const { id, address, loginName } = await unproven();
      const home = await atHome(service, { id, loginName });
      await send(home);
      const { path } = await lastMailTo(service, address);
      expect(path).toMatch(/^\/account\/email\/confirm\?token=[\w-]{43}$/);
      await service.fetch(path); // a mail scanner
      const html = await (await home.browser.get(path)).text();
      expect(html).toContain(address);
      expect(await stored(id)).toEqual({ email: address, isEmailVerified: false });
      expect(pathOf(await home.press(html, "submit"))).toMatch(/^\/account\/email\?.*saved=1/);
      expect(await stored(id)).toEqual({ email: address, isEmailVerified: true });
      expect((await home.browser.get(path)).status).toBe(410);
    });

    it("requires a sign-in to that account in another browser, and returns to the link", async () => {
      const { id, address, loginName } = await unproven();
      await send(await atHome(service, { id, loginName }));
      const { path } = await lastMailTo(service, address);
      const phone = service.browser();
      const asked = await phone.get(path);
      expect(pathOf(asked)).toMatch(/^\/login\?flow=/);
      expect(await (await phone.get(pathOf(asked))).text()).toContain(`value="${address}"`);
      const back = await fillSignIn(phone, asked, { loginName, password: PASSWORD });
      expect(pathOf(back)).toMatch(/^\/account\/email\/confirm\?session=[\w-]+&token=/);
      expect(await (await phone.get(pathOf(back))).text()).toContain(`id="submit"`);
      phone.cookies.clear(); // signed out; the address from the history asks again
      expect(pathOf(await phone.get(pathOf(back)))).toMatch(/^\/login\?flow=/);
    });

    it("does not confirm anything in another user's account, and does not ask repeatedly", async () => {
      const { id, address, loginName } = await unproven();
      await send(await atHome(service, { id, loginName }));
      const { path } = await lastMailTo(service, address);
      const other = await atHome(service);
      const asked = await other.browser.get(path);
      const as = { loginName: other.loginName, password: PASSWORD };
      const back = await fillSignIn(other.browser, asked, as);
      expect((await other.browser.get(pathOf(back))).status).toBe(410);
      const token = path.split("token=")[1] ?? "";
      const { session } = other;
      expect((await other.browser.post("/account/email/confirm/submit", { session, token })).status).toBe(410);
      expect(await stored(id)).toEqual({ email: address, isEmailVerified: false });
      expect(pathOf(await service.fetch(path))).toMatch(/^\/login\?flow=/); // nothing was used up
    });

    it.each(["", "?token=", "?token=x", `?token=${"x".repeat(5000)}`])("is refused: %j", async (query) => {
      expect((await service.fetch(`/account/email/confirm${query}`)).status).toBe(410);
    });
  });

  it("informs users who register with their unverified address that they have an account, without signing them in", async () => {
    const { id, address } = await unproven();
    await service.ctx.db.prisma.user.update({ where: { id }, data: { userName: address, loginNameKey: address } });
    const browser = service.browser();
    const first = await browser.get(authorizePath({ prompt: "create" }));
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const form = { email: address, givenName: "Una", familyName: "Una", password: "a lamp, a river and a tram" };
    const waiting = await browser.post("/login/create-account/submit", { flow, ...form });
    const { type, code } = await lastMailTo(service, address);
    expect(type).toBe("account_exists");
    const waitingFlow = new URL(waiting.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    service.advance(31_000);
    const resent = await browser.post("/login/verify-email/resend", { flow: waitingFlow });
    const resentFlow = new URL(resent.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const old = await browser.post("/login/verify-email/submit", { flow: resentFlow, code });
    expect(old.status).toBe(422);
    const { code: latest, path } = await lastMailTo(service, address);
    const done = await browser.post("/login/verify-email/submit", { flow: resentFlow, code: latest });
    expect(pathOf(done)).toMatch(/^\/login\?flow=/);
    expect(await (await browser.get(pathOf(done))).text()).toContain(`value="${address}"`);
    expect(await stored(id)).toEqual({ email: address, isEmailVerified: false });
    // The link asks for the password of the account, and then confirms.
    const asked = await browser.get(path);
    const back = await fillSignIn(browser, asked, { loginName: address, password: PASSWORD });
    const html = await (await browser.get(pathOf(back))).text();
    const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const session = new URL(back.headers.get("location") ?? "").searchParams.get("session") ?? "";
    await browser.post("/account/email/confirm/submit", { session, token });
    expect(await stored(id)).toEqual({ email: address, isEmailVerified: true });
  });
});
