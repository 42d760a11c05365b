import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { composeMessage } from "../../mail/compose";
import { refusalOf } from "../../testing/api";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const WRONG = { status: 400, code: 3, id: "user.code_wrong" };
const DEAD = { status: 400, code: 9, id: "user.code_dead" };

describe("a person's address by version 2", () => {
  let service: TestService;
  let people: ApiCaller; // the user manager of acme
  let mallory: ApiCaller; // the owner of another organization
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    [people, mallory] = [await callerOf(service, "acme-people"), await callerOf(service, "evil-mallory")];
  });
  afterAll(() => service.close());

  const set = (id: string, body: object, call = people) => call("POST", `/v2/users/${id}/email`, body);
  const verify = (id: string, verificationCode: string, call = people) =>
    call("POST", `/v2/users/${id}/email/verify`, { verificationCode });
  const stateOf = async (id: string) => {
    const { email, isEmailVerified, isEmailTrusted } = await service.ctx.db.prisma.user.findUniqueOrThrow({
      where: { id },
    });
    return { email, isEmailVerified, isEmailTrusted };
  };

  /** The last letter, as HTML. */
  async function composed(recipient: string, more: object = {}) {
    const rows = await service.ctx.db.prisma.outboxMessage.findMany({ where: { recipient } });
    const { payload, userId } = rows.at(-1) ?? {};
    const wanted = { type: "verifyemail", userId: userId ?? undefined, payload: payload as object, ...more } as const;
    const letter = await composeMessage(service.ctx, wanted);
    return typeof letter === "string" ? letter : letter.html;
  }

  it("is set without an email unless one is requested", async () => {
    const before = (await mailsTo(service)).length;
    const answer = await set("u-eve", { email: "quiet@mail.test" });
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ["details"]]);
    expect(await stateOf("u-eve")).toEqual({ email: "quiet@mail.test", isEmailVerified: false, isEmailTrusted: false });
    expect((await set("u-eve", { email: "vouched@mail.test", isVerified: true })).status).toBe(200);
    expect((await stateOf("u-eve")).isEmailVerified).toBe(true);
    expect((await mailsTo(service)).length).toBe(before);
  });

  it("is verified by a mailed code, which all organizations trust", async () => {
    expect((await set("u-eve", { email: "sent@mail.test", sendCode: {} })).body.verificationCode).toBeUndefined();
    const { type, code, path, ...rest } = await lastMailTo(service, "sent@mail.test");
    expect([type, path.startsWith("/account/email/confirm?token="), "url" in rest]).toEqual([
      "verifyemail",
      true,
      false,
    ]);
    expect(refusalOf(await verify("u-eve", "2222-2222"))).toEqual(WRONG);
    expect((await verify("u-eve", ` ${code.toLowerCase().replace("-", " ")} `.trim())).status).toBe(200);
    expect(await stateOf("u-eve")).toEqual({ email: "sent@mail.test", isEmailVerified: true, isEmailTrusted: true });
    expect(refusalOf(await verify("u-eve", code))).toEqual(DEAD);
  });

  it("is verified by a returned code, which is only the caller's assertion", async () => {
    const { verificationCode } = (await set("u-eve", { email: "told@mail.test", returnCode: {} })).body;
    expect(await mailsTo(service, "told@mail.test")).toEqual([]);
    const resend = "/v2/users/u-eve/email/resend";
    const again = (await people("POST", resend, { returnCode: {} })).body.verificationCode;
    expect(refusalOf(await verify("u-eve", verificationCode))).toEqual(WRONG);
    expect((await verify("u-eve", again)).status).toBe(200);
    expect(await stateOf("u-eve")).toEqual({ email: "told@mail.test", isEmailVerified: true, isEmailTrusted: false });
    expect(refusalOf(await people("POST", resend, {}))).toMatchObject({ id: "user.nothing_to_verify" });
    // A manager of the whole service vouches for the address to everybody.
    const iam = await callerOf(service, "acme-iam");
    const vouched = (await set("u-eve", { email: "word@mail.test", returnCode: {} }, iam)).body.verificationCode;
    expect((await verify("u-eve", vouched, iam)).status).toBe(200);
    expect((await stateOf("u-eve")).isEmailTrusted).toBe(true);
  });

  it("is not verified by a code for another address, or one that is too old", async () => {
    const first = (await set("u-eve", { email: "first@mail.test", returnCode: {} })).body.verificationCode;
    await set("u-eve", { email: "second@mail.test" });
    expect(refusalOf(await verify("u-eve", first))).toEqual(DEAD);
    expect((await stateOf("u-eve")).isEmailVerified).toBe(false);
    const late = (await set("u-eve", { email: "first@mail.test", returnCode: {} })).body.verificationCode;
    service.advance(3_600_001);
    expect(refusalOf(await verify("u-eve", late))).toEqual(DEAD);
  });

  it("permits ten guesses of its code, counted per user", async () => {
    const { verificationCode } = (await set("u-eve", { email: "guessed@mail.test", returnCode: {} })).body;
    const answers: number[] = [];
    for (let round = 0; round < 12; round++) answers.push((await verify("u-eve", "3333-3333")).status);
    expect(answers).toEqual([...Array(10).fill(400), 429, 429]);
    const blocked = await verify("u-eve", verificationCode);
    expect(refusalOf(blocked)).toEqual({ status: 429, code: 8, id: "user.too_many_codes" });
    expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
    const other = (await set("u-carl", { email: "guessed@mail.test", returnCode: {} }, mallory)).body.verificationCode;
    expect((await verify("u-carl", other, mallory)).status).toBe(200);
  });

  it("accepts at most one verification method, and links to permitted hosts", async () => {
    const email = "link@mail.test";
    const before = await service.ctx.db.prisma.event.count();
    const wrong = (body: object) => set("u-eve", { email, ...body }).then(refusalOf);
    const invalid = { status: 400, code: 3, id: "request.invalid" };
    expect(await wrong({ sendCode: {}, returnCode: {} })).toEqual(invalid);
    expect(await wrong({ isVerified: true, returnCode: {} })).toEqual(invalid);
    const allowed: string[] = [];
    const own = service.config.baseUrl;
    for (const urlTemplate of [
      ...["https://evil.test/{{.Code}}", "https://evil.test#.acme.test", "https://acme.test@evil.test/", "/verify"],
      ...[
        "https://acme.test.evil.test/",
        "https://{{.OrgID}}.test/",
        "https://{{.UserID}}.acme.test/",
        "https://acme.test{{.Code}}/",
        "javascript:1",
      ],
      ...[
        "https://acme.test/{{.Password}}",
        "https://acme.test/{{.Code",
        "https://acme.test\\.evil.test/",
        "ftp://acme.test/",
      ],
      ...[`${own}/oauth/v2/authorize?state={{.Code}}`, `${own}/ui/../oauth/v2/authorize`, "https://shop.test/"],
      `https://acme.test/${"x".repeat(500)}`,
    ]) {
      const { status, id } = await wrong({ sendCode: { urlTemplate } });
      if (status !== 400 || !/^(url_template.not_allowed|request.invalid)$/.test(id)) allowed.push(urlTemplate);
    }
    expect(allowed).toEqual([]);
    expect(await service.ctx.db.prisma.event.count()).toBe(before);
    expect(await mailsTo(service, email)).toEqual([]);
  });

  it("is mailed with the requested link, whose page gets the code", async () => {
    const urlTemplate = "https://login.acme.test/verify?user={{.UserID}}&org={{ .OrgID }}#{{.Code}}";
    service.advance(3_600_001);
    expect((await set("u-eve", { email: "linked@mail.test", sendCode: { urlTemplate } })).status).toBe(200);
    const { code, url } = (await lastMailTo(service, "linked@mail.test")) as { code: string; url?: string };
    expect(url).toBe(`https://login.acme.test/verify?user=u-eve&org=acme#${code}`);
    const letter = await composed("linked@mail.test");
    expect(letter).toContain(`https://login.acme.test/verify?user=u-eve&amp;org=acme#${code}`);
    // The recorded message contains no code.
    expect(await composed("linked@mail.test", { withoutCodes: true })).not.toContain(code);
    expect((await verify("u-eve", code)).status).toBe(200);
    expect((await stateOf("u-eve")).isEmailTrusted).toBe(false);
    // An address that is another organization's is not led to this one's pages.
    const carl = { email: "bob@acme.test", sendCode: { urlTemplate: "https://evil.test/{{.Code}}" } };
    expect(refusalOf(await set("u-carl", carl, mallory)).id).toBe("url_template.not_allowed");
  });
  it("of a new user is verified as requested, with a password and without", async () => {
    const profile = { givenName: "New", familyName: "Comer" };
    const add = (name: string, more: object, human: object = {}) => {
      const body = { username: name, profile, email: { email: `${name}@new.test`, ...more }, ...human };
      return people("POST", "/v2/users/human", body);
    };
    const password = { password: { password: "a lamp, a river and a tram" } };
    const told: Record<string, unknown> = {};
    for (const [name, more, human] of [
      ["quiet", {}, {}],
      ["quiet-password", {}, password],
      ["vouched", { isVerified: true }, {}],
      ["returned", { returnCode: {} }, {}],
      ["returned-password", { returnCode: {} }, password],
      ["mailed", { sendCode: {} }, {}],
      ["linked", { sendCode: { urlTemplate: "https://acme.test/{{.Code}}" } }, password],
    ] as const) {
      const { status, body } = await add(name, more, human);
      const mails = (await mailsTo(service, `${name}@new.test`)).map(({ type }) => type);
      const code = body.emailCode ?? (mails.length > 0 ? (await lastMailTo(service, `${name}@new.test`)).code : "");
      const verified = code === "" ? undefined : (await verify(body.userId, code)).status;
      told[name] = [status, "emailCode" in body, mails, verified];
    }
    expect(told).toEqual({
      quiet: [200, false, [], undefined],
      "quiet-password": [200, false, [], undefined],
      vouched: [200, false, [], undefined],
      returned: [200, true, [], 200],
      "returned-password": [200, true, [], 200],
      mailed: [200, false, ["verifyemail"], 200],
      linked: [200, false, ["verifyemail"], 200],
    });
    const foreign = { sendCode: { urlTemplate: "https://evil.test/{{.Code}}" } };
    expect(refusalOf(await add("never", foreign)).id).toBe("url_template.not_allowed");
    expect(await service.ctx.db.prisma.user.count({ where: { userName: "never" } })).toBe(0);
  });

  it("of a user who cannot sign in is confirmed by choosing a password", async () => {
    const body = {
      username: "first",
      profile: { givenName: "New", familyName: "Comer" },
      email: { email: "first@new.test", sendCode: {} },
    };
    const { userId } = (await people("POST", "/v2/users/human", body)).body;
    const { type, path } = await lastMailTo(service, "first@new.test");
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    expect([type, path]).toEqual(["verifyemail", `/login/reset-password?token=${token}`]);
    // The address that it was sent to is the one it is for.
    await set(userId, { email: "second@new.test", sendCode: {} });
    const browser = service.browser();
    const choose = (token: string) =>
      browser.post("/login/reset-password/submit", { token, password: "a lamp, a river and a tram" });
    expect((await choose(token)).headers.get("location") ?? "").not.toContain("/account");
    const next = new URL((await lastMailTo(service, "second@new.test")).path, "http://localhost");
    expect((await choose(next.searchParams.get("token") ?? "")).headers.get("location")).toContain("/account");
    expect(await stateOf(userId)).toEqual({ email: "second@new.test", isEmailVerified: true, isEmailTrusted: true });
    // Who has a password signs in first.
    await set(userId, { email: "third@new.test", sendCode: {} });
    expect((await lastMailTo(service, "third@new.test")).path).toContain("/account/email/confirm?token=");
  });
});
