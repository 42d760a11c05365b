import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { composeMessage } from "../../mail/compose";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { enterPassword, hiddenFields, newPerson, pageAt, pathOf, setLoginPolicy } from "../../testing/factors";
import { answerOf } from "../../testing/flow";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { eventsOf } from "../../testing/own-account";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const SUBMIT = "/login/mfa/submit";
const SEND = "/login/mfa/send";
const MINUTE = 60_000;

describe.each(ruleDatabases)("codes by mail on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Starts a sign-in that waits for the code, which has been sent. */
  const waiting = async (loginName: string, browser: TestBrowser = service.browser()) => {
    let html = await pageAt(browser, await enterPassword(browser, {}, { loginName, password: PASSWORD }));
    const resend = async () => {
      const response = await browser.post(SEND, hiddenFields(html, SEND));
      html = response.status === 303 ? await pageAt(browser, response) : await response.text();
      return response.status;
    };
    await resend();
    return { browser, resend, send: (code: string) => browser.post(SUBMIT, { ...hiddenFields(html, SUBMIT), code }) };
  };
  const withMail = async () => {
    const person = await newPerson(service, PASSWORD);
    await service.ctx.db.prisma.secondFactor.create({
      data: { id: `email ${person.id}`, userId: person.id, kind: "email", createdAt: new Date() },
    });
    return person;
  };
  const codeTo = async (loginName: string) => (await lastMailTo(service, loginName)).code;

  it("are set up during sign-in, and required at once", async () => {
    const { loginName } = await newPerson(service, PASSWORD);
    await setLoginPolicy(service, { forceMfa: true });
    const browser = service.browser();
    const choice = await pageAt(browser, await enterPassword(browser, {}, { loginName, password: PASSWORD }));
    const action = "/login/mfa/set-up/email";
    const challenge = await pageAt(browser, await browser.post(action, hiddenFields(choice, action)));
    await setLoginPolicy(service, {});
    const told = (await mailsTo(service, loginName)).map(({ type }) => type);
    expect(told).toEqual(["factor_added"]); // opening a page sends no code
    const sent = await pageAt(browser, await browser.post(SEND, hiddenFields(challenge, SEND)));
    const mail = await lastMailTo(service, loginName);
    expect(mail).toMatchObject({ type: "verifyemailotp", path: "" });
    expect(mail.code).toMatch(/^\d{4} \d{4}$/);
    const done = await browser.post(SUBMIT, { ...hiddenFields(sent, SUBMIT), code: mail.code });
    expect(answerOf(done).get("code")).toBeTruthy();
  });

  it("work once, also when sent twice at once", async () => {
    const { id, loginName } = await withMail();
    const { send } = await waiting(loginName);
    const code = await codeTo(loginName);
    const signIns = async () => (await eventsOf(service, id)).filter((type) => type === "user.signed_in").length;
    const before = await signIns();
    await Promise.all([send(code), send(code)]);
    expect(await signIns()).toBe(before + 1);
  });

  it("may be entered in the digits of another script", async () => {
    const { loginName } = await withMail();
    const { send } = await waiting(loginName);
    const arabic = (await codeTo(loginName)).replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
    expect(answerOf(await send(arabic)).get("code")).toBeTruthy();
  });

  it("work for five minutes", async () => {
    const { loginName } = await withMail();
    const { send } = await waiting(loginName);
    service.advance(5 * MINUTE);
    expect((await send(await codeTo(loginName))).status).toBe(422);
  });

  it("are invalid in another sign-in, and after a newer one", async () => {
    const { loginName } = await withMail();
    const first = await waiting(loginName);
    const old = await codeTo(loginName);
    const second = await waiting(loginName);
    expect((await second.send(old)).status).toBe(422);
    expect((await first.send(old)).status).toBe(422);
    expect((await first.send(await codeTo(loginName))).status).toBe(422);
    expect((await second.send(await codeTo(loginName))).status).toBe(303);
  });

  it("are only sent after the password, and are limited in number", async () => {
    const { loginName } = await withMail();
    const { resend } = await waiting(loginName);
    await resend(); // within 30 seconds: the message is on its way
    expect((await mailsTo(service, loginName)).length).toBe(1);
    for (let i = 0; i < 3; i++) {
      service.advance(31_000);
      await resend();
    }
    service.advance(31_000);
    await resend();
    service.advance(31_000);
    expect(await resend()).toBe(429);
    expect((await mailsTo(service, loginName)).length).toBe(5);
    const direct = await service.browser().post(SEND, { flow: "AAAA" });
    expect(direct.status).toBe(410);
  });

  it("are not offered if the address is no longer verified, and no sign-in succeeds without a factor", async () => {
    const { id, loginName } = await withMail();
    await service.ctx.db.prisma.user.update({ where: { id }, data: { isEmailVerified: false } });
    const browser = service.browser();
    const response = await enterPassword(browser, {}, { loginName, password: PASSWORD });
    expect((await browser.get(pathOf(response))).status).toBe(403);
  });

  it("are in the email without a link that would sign in", async () => {
    const { loginName } = await withMail();
    await waiting(loginName);
    const code = await codeTo(loginName);
    const row = await service.ctx.db.prisma.outboxMessage.findFirstOrThrow({ where: { recipient: loginName } });
    expect(JSON.stringify(row)).not.toContain(code);
    const compose = async (more: object = {}) => {
      const letter = await composeMessage(service.ctx, {
        type: "verifyemailotp",
        userId: row.userId ?? undefined,
        payload: row.payload as object,
        expiresAt: row.expiresAt?.getTime(),
        ...more,
      });
      if (typeof letter === "string") throw new Error(letter);
      return letter;
    };
    const letter = await compose();
    expect(letter.html).toContain(code);
    expect(letter.html).not.toMatch(/href=/);
    // A customized text may name the sign-in address, which contains nothing of this sign-in.
    const { text } = await compose({ fields: { text: "{{.Code}} [{{.URL}}]" } });
    expect(text).toContain(`[${service.ctx.config.baseUrl}/account]`);
    const preview = await compose({ userId: undefined, payload: undefined, withSamples: true });
    expect(preview.html).not.toMatch(/href=/);
  });
});
