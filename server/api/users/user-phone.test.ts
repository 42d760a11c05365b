import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../../testing/api";
import { mailsTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const DEAD = { status: 400, code: 9, id: "user.code_dead" };
const PHONE = "+15551234567";

describe("a person's phone number by version 2", () => {
  let service: TestService;
  let people: ApiCaller; // the user manager of acme
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    people = await callerOf(service, "acme-people");
  });
  afterAll(() => service.close());

  const set = (body: object) => people("POST", "/v2/users/u-eve/phone", body);
  const resend = (body?: object) => people("POST", "/v2/users/u-eve/phone/resend", body);
  const verify = (verificationCode: string) => people("POST", "/v2/users/u-eve/phone/verify", { verificationCode });
  const stored = async () => {
    const { phone, isPhoneVerified } = await service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id: "u-eve" } });
    return [phone, isPhoneVerified];
  };

  it("is set and verified by a code that is returned", async () => {
    expect((await set({ phone: PHONE, isVerified: true })).status).toBe(200);
    expect(await stored()).toEqual([PHONE, true]);
    expect(refusalOf(await resend({ returnCode: {} })).id).toBe("user.nothing_to_verify");
    const first = (await set({ phone: PHONE, returnCode: {} })).body.verificationCode;
    expect(await stored()).toEqual([PHONE, false]);
    const second = (await resend({ returnCode: {} })).body.verificationCode;
    expect(refusalOf(await verify(first)).id).toBe("user.code_wrong");
    expect((await verify(second)).status).toBe(200);
    expect(await stored()).toEqual([PHONE, true]);
    expect(refusalOf(await verify(second))).toEqual(DEAD);
    expect(await mailsTo(service)).toEqual([]);
  });

  it("is verified by a code that is sent there, with a limited number of messages", async () => {
    await service.ctx.db.prisma.throttle.deleteMany();
    expect((await set({ phone: PHONE, sendCode: {} })).body).not.toHaveProperty("verificationCode");
    for (const body of [{}, { sendCode: {} }, undefined]) expect((await resend(body)).status).toBe(200);
    const sent = await mailsTo(service, PHONE);
    expect(sent.map(({ type }) => type)).toEqual(Array(4).fill("verifyphone"));
    expect(refusalOf(await verify(sent[0]?.code ?? "")).id).toBe("user.code_wrong");
    expect((await verify(sent[3]?.code ?? "")).status).toBe(200);
    expect(await stored()).toEqual([PHONE, true]);
    const before = await service.ctx.db.prisma.event.count();
    const statuses: number[] = [];
    for (let each = 0; each < 3; each++) statuses.push((await set({ phone: PHONE, sendCode: {} })).status);
    expect(statuses).toEqual([200, 429, 429]);
    expect(await service.ctx.db.prisma.event.count()).toBe(before + 2);
    for (let other = 0; other < 6; other++)
      statuses.push((await set({ phone: `+1555000000${other}`, sendCode: {} })).status);
    expect(statuses.slice(3)).toEqual([200, 200, 200, 429, 429, 429]); // ten asked for by one person, to whatever numbers
    await service.ctx.db.prisma.throttle.deleteMany();
  });

  it("permits six attempts of a code", async () => {
    const { verificationCode } = (await set({ phone: PHONE, returnCode: {} })).body;
    for (let wrong = 0; wrong < 6; wrong++) {
      expect(refusalOf(await verify("2222-2222")).id).toBe("user.code_wrong");
    }
    expect(refusalOf(await verify("2222-2222"))).toMatchObject({ status: 429, id: "user.too_many_codes" });
    expect(refusalOf(await verify(verificationCode)).status).toBe(429);
    await service.ctx.db.prisma.throttle.deleteMany();
  });

  it("is verified by version 1 of the API, by its code or by a manager", async () => {
    const at = (path: string, body?: object) => people("POST", `/management/v1/users/u-eve/phone/${path}`, body);
    const change = (body: object) => people("PUT", "/management/v1/users/u-eve/phone", body);
    expect((await change({ phone: "+15552222222" })).status).toBe(200);
    expect((await at("_resend_verification")).status).toBe(200);
    const codes = (await mailsTo(service, "+15552222222")).map(({ code }) => code);
    expect(codes).toHaveLength(2);
    expect(refusalOf(await at("_verify", { verificationCode: codes[0] })).id).toBe("user.code_wrong");
    expect((await at("_verify", { verificationCode: codes[1] })).status).toBe(200);
    expect(refusalOf(await at("_resend_verification")).id).toBe("user.nothing_to_verify");
    expect((await change({ phone: PHONE, isPhoneVerified: true })).status).toBe(200);
    expect(await mailsTo(service, PHONE)).toHaveLength(5);
    await set({ phone: PHONE, isVerified: false });
    expect((await at("_verify")).status).toBe(200);
    expect(await stored()).toEqual([PHONE, true]);
  });

  it("is refused with two verification methods, or if it is not a phone number", async () => {
    await set({ phone: PHONE, isVerified: false });
    const before = await service.ctx.db.prisma.event.count();
    for (const ways of [
      { sendCode: {}, returnCode: {} },
      { isVerified: true, returnCode: {} },
    ]) {
      expect(refusalOf(await set({ phone: PHONE, ...ways })).id).toBe("request.invalid");
    }
    expect(refusalOf(await set({ phone: "555" })).id).toBe("request.invalid");
    expect(await stored()).toEqual([PHONE, false]);
    expect(await service.ctx.db.prisma.event.count()).toBe(before);
  });

  it("is not verified by a code for another number, or after its removal", async () => {
    const { verificationCode } = (await set({ phone: PHONE, returnCode: {} })).body;
    await set({ phone: "+15557654321" });
    expect(refusalOf(await verify(verificationCode))).toEqual(DEAD);
    const next = (await resend({ returnCode: {} })).body.verificationCode;
    // A code for an address is not accepted for a number.
    const address = await people("POST", "/v2/users/u-eve/email", { email: "e@new.test", returnCode: {} });
    expect(refusalOf(await verify(address.body.verificationCode)).id).toBe("user.code_wrong");
    expect((await people("DELETE", "/v2/users/u-eve/phone")).status).toBe(200);
    expect(refusalOf(await verify(next))).toEqual(DEAD);
    expect(await stored()).toEqual([null, false]);
  });

  it("of a new user is verified by a code in the response", async () => {
    const profile = { givenName: "New", familyName: "Comer" };
    const body = {
      username: "called",
      profile,
      email: { email: "called@new.test", isVerified: true },
      phone: { phone: PHONE, returnCode: {} },
    };
    const { userId, phoneCode } = (await people("POST", "/v2/users/human", body)).body;
    const verified = await people("POST", `/v2/users/${userId}/phone/verify`, { verificationCode: phoneCode });
    expect(verified.status).toBe(200);
    const texted = { phone: "+15557777777", sendCode: {} };
    const other = { ...body, username: "texted", email: { email: "texted@new.test" }, phone: texted };
    const added = (await people("POST", "/v2/users/human", other)).body;
    const [sms] = await mailsTo(service, "+15557777777");
    const verify = { verificationCode: sms?.code };
    expect((await people("POST", `/v2/users/${added.userId}/phone/verify`, verify)).status).toBe(200);
  });
});
