import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../../testing/api";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const NEW = "a lamp, a river and a tram";
const DEAD = { status: 400, code: 9, id: "user.code_dead" };

describe("inviting by version 2", () => {
  let service: TestService;
  let people: ApiCaller; // the user manager of acme
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    people = await callerOf(service, "acme-people");
  });
  afterAll(() => service.close());

  const profile = { givenName: "New", familyName: "Comer" };
  const add = async (username: string, email: object = {}): Promise<string> => {
    const body = { username, profile, email: { email: `${username}@new.test`, ...email } };
    return (await people("POST", "/v2/users/human", body)).body.userId;
  };
  const invite = (id: string, body?: object) => people("POST", `/v2/users/${id}/invite_code`, body);
  const resend = (id: string) => people("POST", `/v2/users/${id}/invite_code/resend`, {});
  const verify = (id: string, verificationCode: string) =>
    people("POST", `/v2/users/${id}/invite_code/verify`, { verificationCode });
  const stateOf = async (id: string) => {
    const row = await service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id } });
    return { verified: row.isEmailVerified, trusted: row.isEmailTrusted, hasPassword: row.passwordHash !== null };
  };
  const lastTo = async (name: string) =>
    (await lastMailTo(service, `${name}@new.test`)) as { url?: string; code: string };

  it("sends one message, whose code verifies the address; then the user sets a password", async () => {
    const id = await add("mailed");
    expect((await invite(id)).status).toBe(200);
    expect((await mailsTo(service, "mailed@new.test")).map(({ type }) => type)).toEqual(["invite_user"]);
    const { code } = await lastTo("mailed");
    expect((await verify(id, code)).status).toBe(200);
    expect(await stateOf(id)).toEqual({ verified: true, trusted: true, hasPassword: false });
    expect(refusalOf(await verify(id, code))).toEqual(DEAD);
    const set = await people("POST", `/v2/users/${id}/password`, { newPassword: { password: NEW } });
    expect([set.status, (await stateOf(id)).hasPassword]).toEqual([200, true]);
    const events = await service.ctx.db.prisma.event.findMany({ where: { aggregateId: id } });
    expect(events.map(({ type }) => type)).toContain("user.invitation_accepted");
    expect(refusalOf(await resend(id)).id).toBe("user.not_invited");
  });

  it("names the organization where a program invites", async () => {
    await invite(await add("by-program"), { sendCode: { applicationName: "Portal" } });
    const { path } = await lastMailTo(service, "by-program@new.test");
    expect(await (await service.browser().get(path)).text()).toMatch(/<bdi>Acme<\/bdi> invited you\./i);
  });

  it("returns a code that does not verify the address, and that sets the password as well", async () => {
    const id = await add("returned");
    const { inviteCode } = (await invite(id, { returnCode: {} })).body;
    expect(await mailsTo(service, "returned@new.test")).toEqual([]);
    const other = await add("other");
    expect(refusalOf(await verify(other, inviteCode))).toEqual(DEAD);
    await invite(other, { returnCode: {} });
    expect(refusalOf(await verify(other, inviteCode)).id).toBe("user.code_wrong"); // another person's
    const body = { newPassword: { password: NEW }, verificationCode: inviteCode };
    expect((await people("POST", `/v2/users/${id}/password`, body)).status).toBe(200);
    expect(await stateOf(id)).toEqual({ verified: false, trusted: false, hasPassword: true });
    const again = await add("again");
    const second = (await invite(again, { returnCode: {} })).body.inviteCode;
    expect((await verify(again, second)).status).toBe(200);
    expect(await stateOf(again)).toEqual({ verified: false, trusted: false, hasPassword: false });
  });

  it("is repeated with the text and the link of the last time", async () => {
    const id = await add("repeated");
    expect(refusalOf(await resend(id)).id).toBe("user.not_invited");
    const sendCode = { applicationName: "Till", urlTemplate: "https://join.acme.test/{{.OrgID}}?code={{.Code}}" };
    await invite(id, { sendCode });
    const first = await lastTo("repeated");
    expect((await resend(id)).status).toBe(200);
    const { code, url } = await lastTo("repeated");
    expect(url).toBe(`https://join.acme.test/acme?code=${code}`);
    const invited = { aggregateId: id, type: "user.invited" };
    const events = await service.ctx.db.prisma.event.findMany({ where: invited });
    expect(events.map(({ payload }) => payload)).toEqual(
      Array(2).fill({ email: "repeated@new.test", applicationName: "Till" }),
    );
    expect(refusalOf(await verify(id, first.code)).id).toBe("user.code_wrong");
    expect((await verify(id, code)).status).toBe(200);
    // The organization's page had the code, too.
    expect(await stateOf(id)).toEqual({ verified: true, trusted: false, hasPassword: false });
  });

  it("is refused with a code of another kind, or with a link to another host", async () => {
    const id = await add("strange", { isVerified: true });
    const { verificationCode } = (await people("POST", `/v2/users/${id}/password_reset`, { returnCode: {} })).body;
    expect(refusalOf(await verify(id, verificationCode))).toEqual(DEAD);
    expect((await stateOf(id)).hasPassword).toBe(false);
    const foreign = { sendCode: { urlTemplate: "https://evil.test/{{.Code}}" } };
    expect(refusalOf(await invite(id, foreign)).id).toBe("url_template.not_allowed");
    expect(refusalOf(await invite(id, { sendCode: {}, returnCode: {} })).id).toBe("request.invalid");
    expect(await mailsTo(service, "strange@new.test")).toEqual([]);
    await invite(id);
    const { code } = await lastTo("strange");
    service.advance(72 * 3_600_000 + 1);
    expect(refusalOf(await verify(id, code))).toEqual(DEAD);
  });
});
