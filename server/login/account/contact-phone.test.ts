import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { atHome } from "../../testing/own-account";
import { byId } from "../../testing/page-samples";
import { type TestService, testService } from "../../testing/test-context";
import { readNumber } from "./contact";

it("parses numbers in common notations, but not without a country code", () => {
  const read = ["+44 20 7946-0018", "0044 (20) 7946 0018", "＋49 30/123456", "030 123456", "+0 123456", "hello", ""];
  expect(read.map(readNumber)).toEqual([
    "+442079460018",
    "+442079460018",
    "+4930123456",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe.each(ruleDatabases)("a person's own number on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  let people = 0;
  const somebody = async (phone?: string) => {
    const id = `u-phone-${++people}`;
    const user = {
      id,
      userName: id,
      password: PASSWORD,
      profile: { firstName: "Una" },
      email: { email: `${id}@acme.test`, isEmailVerified: true },
      ...(phone && { phone: { phone, isPhoneVerified: true } }),
    };
    await applyBootstrap(service.ctx, { organizations: [{ id: "acme", name: "ACME", users: [user] }] });
    return { id, home: await atHome(service, { id, loginName: id }) };
  };
  const stored = async (id: string) => {
    const { phone, isPhoneVerified } = await service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id } });
    return { phone, isPhoneVerified };
  };

  it("stores the number only when its code is entered", async () => {
    const { id, home } = await somebody("+15550000001");
    const old = await stored(id);
    await home.press(await home.page("phone"), "send", { phone: "+1 555 000 0002" });
    expect(await stored(id)).toEqual(old);
    const { type, code } = await lastMailTo(service, "+15550000002");
    expect(type).toBe("verifyphone");
    expect((await home.press(await home.page("phone"), "submit", { code: "2222-2222" })).status).toBe(422);
    expect(await stored(id)).toEqual(old);
    expect((await home.press(await home.page("phone"), "submit", { code })).status).toBe(303);
    expect(await stored(id)).toEqual({ phone: "+15550000002", isPhoneVerified: true });
    const told = (await mailsTo(service, `${id}@acme.test`)).map((mail) => mail.type);
    expect(told).toContain("phone_changed");
  });

  it("accepts no code after six wrong ones, does not mention a link, and accepts a new code", async () => {
    const { id, home } = await somebody();
    await home.press(await home.page("phone"), "send", { phone: "+15550000009" });
    for (let i = 0; i < 6; i++) await home.press(await home.page("phone"), "submit", { code: "2222-2222" });
    const { code } = await lastMailTo(service, "+15550000009");
    const refused = await home.press(await home.page("phone"), "submit", { code });
    expect(refused.status).toBe(422);
    const words = await refused.text();
    expect(words).toContain("Too many wrong tries.");
    expect(words).not.toContain("Open the link");
    expect((await stored(id)).phone).toBeNull();
    service.advance(31_000);
    await home.press(await home.page("phone"), "resend");
    const later = await lastMailTo(service, "+15550000009");
    expect((await home.press(await home.page("phone"), "submit", { code: later.code })).status).toBe(303);
  });

  it("rejects an invalid number, and shows it again as typed", async () => {
    const { home } = await somebody();
    const refused = await home.press(await home.page("phone"), "send", { phone: "030 123456" });
    expect(refused.status).toBe(422);
    expect(byId(await refused.text(), "phone")).toMatchObject({ "aria-invalid": "true", value: "030 123456" });
  });

  it("limits the number of messages", async () => {
    const { home } = await somebody();
    for (let i = 0; i < 8; i++) {
      service.advance(31_000);
      await home.browser.post("/account/phone/submit", { session: home.session, what: "send", phone: "+15550000003" });
    }
    expect((await mailsTo(service, "+15550000003")).length).toBe(5);
  });

  it("can be removed, unless sign-in codes are sent there", async () => {
    const { id, home } = await somebody("+15550000004");
    await service.ctx.db.prisma.secondFactor.create({
      data: { id: `sms ${id}`, userId: id, kind: "sms", createdAt: new Date() },
    });
    expect(byId(await home.page("phone"), "remove")).toBeUndefined();
    await home.browser.post("/account/phone/submit", { session: home.session, what: "remove" });
    expect((await stored(id)).phone).toBe("+15550000004");
    await service.ctx.db.prisma.secondFactor.delete({ where: { id: `sms ${id}` } });
    await home.press(await home.page("phone"), "remove");
    expect((await stored(id)).phone).toBeNull();
  });
});
