import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, refusalOf } from "../../testing/api";
import { PASSWORD } from "../../testing/example";
import { mailsTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const NEW = "a lamp, a river and a tram";

describe("changing users by version 2", () => {
  let service: TestService;
  let people: ApiCaller; // the user manager of acme
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    people = await callerOf(service, "acme-people");
  });
  afterAll(() => service.close());

  const put = (id: string, body: object) => people("PUT", `/v2/users/human/${id}`, body);
  const patch = (id: string, body: object) => people("PATCH", `/v2/users/${id}`, body);
  const rowOf = (id: string) => service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id } });

  it("does not change omitted members", async () => {
    await people("POST", "/v2/users/u-eve/lock", {});
    const before = await rowOf("u-eve");
    expect((await patch("u-eve", { human: {} })).status).toBe(200);
    expect((await patch("u-eve", {})).status).toBe(200);
    const address = { email: { email: before.email }, profile: {} };
    expect((await put("u-eve", address)).status).toBe(200); // the same one stays verified
    expect(await rowOf("u-eve")).toEqual(before);
    const { body } = await patch("u-eve", { human: { profile: { nickName: "Evie" } } });
    expect(Object.keys(body)).toEqual(["changeDate"]);
    expect(await rowOf("u-eve")).toEqual({ ...before, nickName: "Evie", changedAt: expect.anything() });
    await people("POST", "/v2/users/u-eve/unlock", {});
  });

  it("accepts all members at once, and sends no email unless requested", async () => {
    const human = {
      profile: { givenName: "Eva", familyName: "Two", preferredLanguage: "de", gender: "GENDER_FEMALE", nickName: "" },
      email: { email: "eva@new.test", returnCode: {} },
      phone: { phone: "+15551234567", returnCode: {} },
      password: { password: { password: NEW }, currentPassword: PASSWORD },
    };
    const { status, body } = await put("u-eve", { username: "evita", ...human });
    expect([status, Object.keys(body)]).toEqual([200, ["details", "emailCode", "phoneCode"]]);
    expect(await rowOf("u-eve")).toMatchObject({
      userName: "evita",
      firstName: "Eva",
      lastName: "Two",
      displayName: "Eva Two",
      nickName: null,
      preferredLanguage: "de",
      gender: "female",
      email: "eva@new.test",
      isEmailVerified: false,
      phone: "+15551234567",
      isPhoneVerified: false,
    });
    // The index of searches has everything that was changed at once, and nothing of before.
    const words = await service.ctx.db.prisma.userWord.findMany({ where: { userId: "u-eve" } });
    expect(new Set(words.map(({ word }) => word))).toEqual(
      new Set(["evita", "eva", "two", "new", "test", "15551234567"]),
    );
    const proofs = { email: body.emailCode, phone: body.phoneCode };
    for (const [what, verificationCode] of Object.entries(proofs)) {
      expect((await people("POST", `/v2/users/u-eve/${what}/verify`, { verificationCode })).status).toBe(200);
    }
    const found = await people("GET", "/management/v1/global/users/_by_login_name?loginName=evita%40acme.test");
    expect(found.body.user.human.profile.displayName).toBe("Eva Two");
    expect((await mailsTo(service, "eva@new.test")).map(({ type }) => type)).toEqual([]);
    await patch("u-eve", { human: { email: { email: "eva@new.test", sendCode: {} } } });
    expect((await mailsTo(service, "eva@new.test")).map(({ type }) => type)).toEqual(["verifyemail"]);
  });

  it("keeps an explicit display name", async () => {
    await patch("u-eve", { human: { profile: { displayName: "Boss" } } });
    await patch("u-eve", { human: { profile: { givenName: "Evelyn" } } });
    expect(await rowOf("u-eve")).toMatchObject({ firstName: "Evelyn", displayName: "Boss" });
    await patch("u-eve", { human: { profile: { displayName: "" } } });
    expect((await rowOf("u-eve")).displayName).toBe("Evelyn Two");
  });

  it("changes nothing if one part is refused", async () => {
    await patch("u-eve", { human: { email: { email: "eve@acme.test", isVerified: true } } });
    const code = await people("POST", "/v2/users/u-eve/password_reset", { returnCode: {} });
    const { verificationCode } = code.body;
    const before = [await rowOf("u-eve"), await service.ctx.db.prisma.event.count()];
    const profile = { givenName: "Never" };
    const wrong: Record<string, string> = {};
    for (const [name, body] of Object.entries({
      name: { username: "bob@acme.test" },
      foreign: { username: "carl@evil.test" },
      link: { email: { email: "x@new.test", sendCode: { urlTemplate: "https://evil.test/{{.Code}}" } } },
      password: { password: { password: { password: PASSWORD }, currentPassword: "wrong" } },
      code: { password: { password: { password: PASSWORD }, verificationCode: "2222-2222" } },
      used: { username: "bob@acme.test", password: { password: { password: PASSWORD }, verificationCode } },
      both: { password: { password: { password: NEW }, hashedPassword: { hash: "$argon2id$" } } },
      address: { email: { email: "none" } },
    })) {
      wrong[name] = refusalOf(await put("u-eve", { profile, ...body })).id;
    }
    expect(wrong).toEqual({
      name: "user.already_exists",
      foreign: "user.domain_taken",
      link: "url_template.not_allowed",
      password: "user.password_wrong",
      code: "user.code_wrong",
      used: "user.already_exists",
      both: "request.invalid",
      address: "request.invalid",
    });
    expect([await rowOf("u-eve"), await service.ctx.db.prisma.event.count()]).toEqual(before);
    // The code was not used up, and it works with an address that changes at the same time.
    const human = {
      email: { email: "last@new.test" },
      password: { password: { password: PASSWORD }, verificationCode },
    };
    expect((await patch("u-eve", { human })).status).toBe(200);
    expect(await apiToken(service, "evita@acme.test")).toMatch(/./);
  });

  it("accepts the members of machines for machines, and those of people for people", async () => {
    const machine = { name: "Robot", description: "arms", accessTokenType: "ACCESS_TOKEN_TYPE_JWT" };
    const { userId } = (await people("POST", "/management/v1/users/machine", { userName: "robot", name: "R" })).body;
    expect((await patch(userId, { username: "robot-two", machine })).status).toBe(200);
    expect(await rowOf(userId)).toMatchObject({
      userName: "robot-two",
      name: "Robot",
      description: "arms",
      accessTokenType: "jwt",
    });
    expect((await patch(userId, { machine: { name: "Rob" } })).status).toBe(200);
    expect(await rowOf(userId)).toMatchObject({ name: "Rob", description: "arms", accessTokenType: "jwt" });
    expect((await patch(userId, { username: "robot-three" })).status).toBe(200);
    expect(refusalOf(await patch(userId, { human: { profile: { givenName: "R" } } })).id).toBe("user.not_human");
    expect(refusalOf(await patch("u-eve", { machine: { name: "R" } })).id).toBe("user.not_machine");
    expect(refusalOf(await patch("u-eve", { human: {}, machine: {} })).id).toBe("request.invalid");
  });
});
