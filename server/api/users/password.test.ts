import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, refusalOf } from "../../testing/api";
import { PASSWORD } from "../../testing/example";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const NEW = "a lamp, a river and a tram";
const DEAD = { status: 400, code: 9, id: "user.code_dead" };
const WRONG_CODE = { status: 400, code: 3, id: "user.code_wrong" };

describe("a person's password by version 2", () => {
  let service: TestService;
  let people: ApiCaller; // the user manager of acme
  let iam: ApiCaller;
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    [people, iam] = [await callerOf(service, "acme-people"), await callerOf(service, "acme-iam")];
  });
  afterAll(() => service.close());

  const set = (id: string, password: string, more: object = {}, call = people) =>
    call("POST", `/v2/users/${id}/password`, { newPassword: { password }, ...more });
  const reset = (id: string, body: object, call = people) => call("POST", `/v2/users/${id}/password_reset`, body);
  const rowOf = (id: string) => service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id } });
  /** What is reported about the first field that is wrong. */
  const refused = async (answer: ReturnType<typeof set>) => {
    const { status, id } = refusalOf(await answer);
    const { field, message } = (await answer).body.details[0];
    return [status, id, field, message ?? (await answer).body.message].filter((one) => one !== undefined);
  };

  it("is set by an administrator, who may require a change by the user", async () => {
    const { validFrom } = await rowOf("u-eve");
    const body = { newPassword: { password: NEW, changeRequired: true } };
    expect((await people("POST", "/v2/users/u-eve/password", body)).status).toBe(200);
    const row = await rowOf("u-eve");
    expect([row.passwordChangeRequired, Number(row.validFrom) > Number(validFrom)]).toEqual([true, true]);
    expect((await set("u-eve", PASSWORD)).status).toBe(200);
    expect((await rowOf("u-eve")).passwordChangeRequired).toBe(false);
    expect((await set("u-eve", "short")).status).toBe(400);
  });

  it("is changed by the user with the current one, whose wrong attempts are counted", async () => {
    const own = (password: string, currentPassword: string) => refused(set("u-eve", password, { currentPassword }));
    expect(await own(PASSWORD, PASSWORD)).toEqual([
      400,
      "request.invalid",
      "password",
      expect.stringMatching(/differ from the current one/),
    ]);
    expect(await own("eve@acme.test!", PASSWORD)).toEqual([
      400,
      "request.invalid",
      "password",
      expect.stringMatching(/./),
    ]);
    expect(await own("password1234", PASSWORD)).toEqual([
      400,
      "request.invalid",
      "password",
      expect.stringMatching(/./),
    ]);
    const before = await rowOf("u-eve");
    const tries: number[] = [];
    for (let round = 0; round < 6; round++) tries.push((await set("u-eve", NEW, { currentPassword: "no" })).status);
    expect(tries).toEqual([400, 400, 400, 400, 400, 429]);
    const blocked = await set("u-eve", NEW, { currentPassword: PASSWORD });
    expect([refusalOf(blocked).id, Number(blocked.headers.get("retry-after"))]).toEqual([
      "user.too_many_passwords",
      expect.any(Number),
    ]);
    expect((await rowOf("u-eve")).passwordHash).toBe(before.passwordHash);
    expect(await apiToken(service, "eve@acme.test")).toMatch(/./); // no wait at the sign-in
    service.advance(60_001);
    expect((await set("u-eve", NEW, { currentPassword: PASSWORD })).status).toBe(200);
    expect((await refused(set("u-eve", PASSWORD, { currentPassword: PASSWORD })))[1]).toBe("request.invalid");
    expect((await set("u-eve", PASSWORD, { currentPassword: NEW })).status).toBe(200);
  });

  it("is changed by the user with a returned code, once", async () => {
    const before = (await mailsTo(service)).length;
    const first = (await reset("u-eve", { returnCode: {} })).body.verificationCode;
    const { verificationCode } = (await reset("u-eve", { returnCode: {} })).body;
    expect((await mailsTo(service)).length).toBe(before);
    expect(refusalOf(await set("u-eve", NEW, { verificationCode: first }))).toEqual(WRONG_CODE);
    expect(refusalOf(await set("u-bob", NEW, { verificationCode }))).toEqual(DEAD);
    const both = { verificationCode, currentPassword: PASSWORD };
    expect(refusalOf(await set("u-eve", NEW, both)).id).toBe("request.invalid");
    // A password that is refused uses nothing up.
    expect((await refused(set("u-eve", "eve.example", { verificationCode })))[1]).toBe("request.invalid");
    expect((await set("u-eve", NEW, { verificationCode })).status).toBe(200);
    expect(refusalOf(await set("u-eve", PASSWORD, { verificationCode }))).toEqual(DEAD);
    const late = (await reset("u-eve", { returnCode: {} })).body.verificationCode;
    service.advance(service.config.lifetimes.resetCode + 1);
    expect(refusalOf(await set("u-eve", PASSWORD, { verificationCode: late }))).toEqual(DEAD);
  });

  it("by a returned code does not verify an address, and ends with it", async () => {
    await people("POST", "/v2/users/u-eve/email", { email: "unproven@mail.test" });
    expect(refusalOf(await reset("u-eve", {})).id).toBe("user.email_unverified");
    const stale = (await reset("u-eve", { returnCode: {} })).body.verificationCode;
    await people("POST", "/v2/users/u-eve/email", { email: "other@mail.test" });
    expect(refusalOf(await set("u-eve", PASSWORD, { verificationCode: stale }))).toEqual(DEAD);
    const { verificationCode } = (await reset("u-eve", { returnCode: {} })).body;
    expect((await set("u-eve", PASSWORD, { verificationCode })).status).toBe(200);
    expect((await rowOf("u-eve")).isEmailVerified).toBe(false);
    await people("POST", "/v2/users/u-eve/email", { email: "eve@acme.test", isVerified: true });
  });

  it("is set with a code in a text message, unless the second factor uses the same number", async () => {
    const phone = "+15550002222";
    const link = { sendLink: { notificationType: "NOTIFICATION_TYPE_SMS" } };
    await people("POST", "/v2/users/u-eve/phone", { phone, isVerified: true });
    expect((await reset("u-eve", link)).status).toBe(200);
    const { type, code, path } = await lastMailTo(service, phone);
    expect([type, path]).toEqual(["passwordreset", expect.stringContaining("/login/reset-password?token=")]);
    expect((await service.browser().get(path)).status).toBe(200);
    expect((await set("u-eve", PASSWORD, { verificationCode: code })).status).toBe(200);
    expect((await people("POST", "/management/v1/users/u-eve/password/_reset_notification", { type: 2 })).status).toBe(
      400,
    );
    const again = { type: "TYPE_SMS" };
    expect((await people("POST", "/management/v1/users/u-eve/password/_reset_notification", again)).status).toBe(200);
    const stale = (await lastMailTo(service, phone)).code;
    await people("POST", "/v2/users/u-eve/phone", { phone: "+15550003333", isVerified: true });
    expect(refusalOf(await set("u-eve", NEW, { verificationCode: stale }))).toEqual(DEAD);
    await people("POST", "/v2/users/u-eve/otp_sms");
    expect(refusalOf(await reset("u-eve", link)).id).toBe("sms.no_password_reset");
    await people("DELETE", "/v2/users/u-eve/otp_sms");
    await people("DELETE", "/v2/users/u-eve/phone");
  });

  it("is set with a mailed code if that was requested and is permitted", async () => {
    const urlTemplate = "https://acme.test/new-password?user={{.UserID}}&code={{.Code}}";
    const notificationType = "NOTIFICATION_TYPE_Email";
    expect((await reset("u-eve", { sendLink: { notificationType, urlTemplate } })).body).not.toHaveProperty(
      "verificationCode",
    );
    const { type, code, url } = await lastMailTo(service, "eve@acme.test");
    expect([type, url]).toEqual(["passwordreset", `https://acme.test/new-password?user=u-eve&code=${code}`]);
    expect((await set("u-eve", NEW, { verificationCode: code })).status).toBe(200);
    const mails = (await mailsTo(service)).length;
    const foreign = { sendLink: { urlTemplate: "https://evil.test/{{.Code}}" } };
    expect(refusalOf(await reset("u-eve", foreign)).id).toBe("url_template.not_allowed");
    for (const notificationType of ["NOTIFICATION_TYPE_SMS", 2]) {
      expect(refusalOf(await reset("u-eve", { sendLink: { notificationType } })).id).toBe("user.phone_unverified");
    }
    expect(refusalOf(await reset("u-eve", { sendLink: {}, returnCode: {} })).id).toBe("request.invalid");
    await iam("POST", "/management/v1/policies/login", { hidePasswordReset: true }, "acme");
    expect(refusalOf(await reset("u-eve", {})).id).toBe("policy.no_reset_by_mail");
    expect((await reset("u-eve", { returnCode: {} })).status).toBe(200);
    await iam("DELETE", "/management/v1/policies/login", undefined, "acme");
    expect((await mailsTo(service)).length).toBe(mails);
    expect(refusalOf(await reset("m-acme-bot", { returnCode: {} }, iam)).status).toBe(400);
  });
});
