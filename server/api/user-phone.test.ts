import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../testing/api";
import { mailsTo } from "../testing/mailed";
import { type Caller, callerOf, tenantsBootstrap } from "../testing/tenants";
import { type TestService, testService } from "../testing/test-context";

const DEAD = { status: 400, code: 9, id: "user.code_dead" };
const NO_SMS = { status: 400, code: 9, id: "sms.no_provider" };
const PHONE = "+15551234567";

describe("a person's phone number by version 2", () => {
  let service: TestService;
  let people: Caller; // the user manager of acme
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    people = await callerOf(service, "acme-people");
  });
  afterAll(() => service.close());

  const set = (body: object) => people("POST", "/v2/users/u-eve/phone", body);
  const resend = (body: object) => people("POST", "/v2/users/u-eve/phone/resend", body);
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

  it("says that nothing can be sent to it, and changes nothing", async () => {
    await set({ phone: PHONE, isVerified: false });
    const before = await service.ctx.db.prisma.event.count();
    expect(refusalOf(await set({ phone: "+15550000000", sendCode: {} }))).toEqual(NO_SMS);
    for (const body of [{}, { sendCode: {} }]) expect(refusalOf(await resend(body))).toEqual(NO_SMS);
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

  it("is not verified by a code for another number, or when it is gone", async () => {
    const { verificationCode } = (await set({ phone: PHONE, returnCode: {} })).body;
    await set({ phone: "+15557654321" });
    expect(refusalOf(await verify(verificationCode))).toEqual(DEAD);
    const next = (await resend({ returnCode: {} })).body.verificationCode;
    // A code for an address is none for a number.
    const address = await people("POST", "/v2/users/u-eve/email", { email: "e@new.test", returnCode: {} });
    expect(refusalOf(await verify(address.body.verificationCode)).id).toBe("user.code_wrong");
    expect((await people("DELETE", "/v2/users/u-eve/phone")).status).toBe(200);
    expect(refusalOf(await verify(next))).toEqual(DEAD);
    expect(await stored()).toEqual([null, false]);
  });

  it("of somebody new is verified by a code that comes with the answer", async () => {
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
  });
});
