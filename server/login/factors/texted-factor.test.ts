import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { apiToken, callApi } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { enterPassword, hiddenFields, pageAt, setLoginPolicy } from "../../testing/factors";
import { answerOf } from "../../testing/flow";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { atHome } from "../../testing/own-account";
import { byId } from "../../testing/page-samples";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const SUBMIT = "/login/mfa/submit";
const SEND = "/login/mfa/send";
const SMS = "SECOND_FACTOR_TYPE_OTP_SMS";
const FACTORS = "/management/v1/policies/login/second_factors";

describe.each(ruleDatabases)("codes by text message on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: object) => callApi(service, method, path, { token, body });
  let people = 0;
  const person = async ({ isPhoneVerified = true } = {}) => {
    const id = `u-sms-${++people}`;
    const phone = `+4930100${people.toString().padStart(4, "0")}`;
    const user = {
      id,
      userName: `${id}@acme.test`,
      password: PASSWORD,
      profile: { firstName: "Sam" },
      email: { email: `${id}@acme.test`, isEmailVerified: false },
      phone: { phone, isPhoneVerified },
    };
    await applyBootstrap(service.ctx, { organizations: [{ id: "acme", name: "ACME", users: [user] }] });
    return { id, loginName: user.userName, phone };
  };
  const withCodes = async () => {
    const somebody = await person();
    expect((await call("POST", `/v2/users/${somebody.id}/otp_sms`)).status).toBe(200);
    return somebody;
  };
  const waiting = async (loginName: string, browser: TestBrowser = service.browser()) => {
    let html = await pageAt(browser, await enterPassword(browser, {}, { loginName, password: PASSWORD }));
    const resend = async () => {
      const response = await browser.post(SEND, hiddenFields(html, SEND));
      html = response.status === 303 ? await pageAt(browser, response) : await response.text();
      return response.status;
    };
    await resend();
    return {
      browser,
      resend,
      page: html,
      send: (code: string) => browser.post(SUBMIT, { ...hiddenFields(html, SUBMIT), code }),
    };
  };
  const permit = (method: "POST" | "DELETE", type: string = SMS) => call(method, FACTORS, { type });

  it("go to the verified number, and sign in", async () => {
    const { loginName, phone } = await withCodes();
    const { page, send } = await waiting(loginName);
    expect(page).toContain(phone);
    const message = await lastMailTo(service, phone);
    expect(message).toMatchObject({ type: "verifysmsotp", path: "" });
    expect(message.code).toMatch(/^\d{4} \d{4}$/);
    expect((await send("0000 0000")).status).toBe(422);
    expect(answerOf(await send(message.code)).get("code")).toBeTruthy();
    const { amr } = await service.ctx.db.prisma.session.findFirstOrThrow({ where: { user: { phone } } });
    expect(amr.split(" ")).toEqual(["pwd", "otp", "sms", "mfa"]);
  });

  it("allow six attempts in a sign-in, and five messages an hour", async () => {
    const { loginName, phone } = await withCodes();
    const { send, resend } = await waiting(loginName);
    const tryOut = async (code: string) => (await send(code)).text();
    const { code } = await lastMailTo(service, phone);
    for (let i = 0; i < 6; i++) expect(await tryOut("0000 0000")).toContain("This code is not correct");
    expect(await tryOut(code)).toContain("Too many wrong tries");
    for (let i = 0; i < 5; i++) {
      service.advance(31_000);
      await resend();
    }
    expect((await mailsTo(service, phone)).length).toBe(5);
  });

  it("are not sent to an unverified number", async () => {
    const { id } = await person({ isPhoneVerified: false });
    const { status, body } = await call("POST", `/v2/users/${id}/otp_sms`);
    expect([status, body.details[0].id]).toEqual([400, "user.phone_unverified"]);
  });

  it("are only offered if the organization permits them", async () => {
    const { id, loginName } = await person();
    const security = async () => (await atHome(service, { id, loginName })).page("security");
    await setLoginPolicy(service, { forceMfa: true });
    const choices = async () => {
      const browser = service.browser();
      return pageAt(browser, await enterPassword(browser, {}, { loginName, password: PASSWORD }));
    };
    expect(byId(await choices(), "set-up-sms")).toBeUndefined();
    expect((await permit("POST")).status).toBe(200);
    expect((await permit("POST")).status).toBe(409);
    expect(byId(await choices(), "set-up-sms")).toBeDefined();
    await call("DELETE", "/management/v1/policies/login");
    await setLoginPolicy(service, {});
    expect(byId(await security(), "enable-sms")).toBeUndefined();
    await setLoginPolicy(service, { secondFactors: [SMS] });
    const offered = await security();
    expect(byId(offered, "enable-sms")).toBeDefined();
    expect(byId(offered, "add-app")).toBeUndefined();
    await setLoginPolicy(service, {});
  });

  it("are required after their withdrawal until the user has another factor", async () => {
    const { id, loginName } = await withCodes(); // not permitted by default
    expect((await waiting(loginName)).page).toContain('id="code"');
    const verified = { email: { email: loginName, isVerified: true } };
    expect((await call("PATCH", `/v2/users/${id}`, { human: verified })).status).toBe(200);
    expect((await call("POST", `/v2/users/${id}/otp_email`)).status).toBe(200);
    service.advance(31_000);
    const { page } = await waiting(loginName);
    expect(page).toContain(loginName);
    expect(byId(page, "way-sms")).toBeUndefined();
  });

  it("keep the rest of the policy when they are withdrawn, on both levels", async () => {
    const policy = async () => (await call("GET", "/management/v1/policies/login")).body.policy;
    await call("POST", "/management/v1/policies/login", { allowRegister: false });
    expect((await permit("DELETE", "SECOND_FACTOR_TYPE_OTP")).status).toBe(200);
    expect((await permit("DELETE", "SECOND_FACTOR_TYPE_OTP")).status).toBe(404);
    expect((await permit("DELETE", "SECOND_FACTOR_TYPE_NONE")).status).toBe(400);
    const { allowRegister, secondFactors } = await policy();
    expect([allowRegister, secondFactors]).toEqual([false, ["SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_OTP_EMAIL"]]);
    await call("DELETE", "/management/v1/policies/login");
    const instance = "/admin/v1/policies/login/second_factors";
    expect((await call("POST", instance, { type: 4 })).status).toBe(200);
    expect((await policy()).secondFactors).toContain(SMS);
    await setLoginPolicy(service, {});
  });
});
