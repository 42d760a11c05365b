import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../../testing/api";
import { codeAt } from "../../testing/factors";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const DEAD = { status: 400, code: 9, id: "user.code_dead" };
const GONE = { status: 404, code: 5, id: "credential.not_found" };

describe("second factors by version 2", () => {
  let service: TestService;
  let people: ApiCaller; // the user manager of acme
  beforeAll(async () => {
    service = await testService("sqlite", tenantsBootstrap);
    people = await callerOf(service, "acme-people");
  });
  afterAll(() => service.close());

  const totp = (id = "u-eve") => people("POST", `/v2/users/${id}/totp`, {});
  const verify = (code: string, more: object = {}, id = "u-eve") =>
    people("POST", `/v2/users/${id}/totp/verify`, { code, ...more });
  const shown = (secret: string) => codeAt(secret, service.ctx.clock());
  const factorsOf = async (id = "u-eve") => {
    const { body } = await people("POST", `/management/v1/users/${id}/auth_factors/_search`, {});
    return body.result.map(({ type, name }: { type: string; name?: string }) => [type, name]);
  };

  it("are an app after a code of its key", async () => {
    const { secret, uri } = (await totp()).body;
    expect(uri).toMatch(/^otpauth:\/\/totp\/.*eve/);
    expect(uri).toContain(`secret=${secret}`);
    expect(await factorsOf()).toEqual([]); // an unconfirmed app is not used at sign-in
    expect(refusalOf(await verify("000000"))).toEqual({ status: 400, code: 3, id: "user.code_wrong" });
    const { recoveryCodes } = (await verify(shown(secret), { name: "Phone" })).body;
    expect(recoveryCodes).toHaveLength(10);
    expect(await factorsOf()).toEqual([[expect.stringMatching(/./), "Phone"]]);
    expect(refusalOf(await verify(shown(secret)))).toEqual(DEAD);
    const stored = await service.ctx.db.prisma.oneTimeToken.findMany({ where: { purpose: "app_enrolment" } });
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it("are an app with its own key only, within half an hour", async () => {
    const first = (await totp()).body.secret;
    const second = (await totp()).body.secret;
    const other = (await totp("u-olga")).status;
    expect(other).toBe(403); // who owns the organization is above the user manager
    expect(refusalOf(await verify(shown(first))).id).toBe("user.code_wrong");
    expect((await verify(shown(second))).body).not.toHaveProperty("recoveryCodes");
    const late = (await totp()).body.secret;
    service.advance(30 * 60_000 + 1);
    expect(refusalOf(await verify(shown(late)))).toEqual(DEAD);
  });

  it("are removed, all apps at once, with their recovery codes", async () => {
    for (let rest = 3; rest > 0; rest--) expect((await verify(shown((await totp()).body.secret))).status).toBe(200);
    const sixth = (await totp()).body.secret;
    expect(refusalOf(await verify(shown(sixth))).id).toBe("credential.too_many");
    expect((await people("DELETE", "/v2/users/u-eve/totp")).status).toBe(200);
    expect(await factorsOf()).toEqual([]);
    expect(await service.ctx.db.prisma.recoveryCode.count({ where: { userId: "u-eve" } })).toBe(0);
    expect(refusalOf(await people("DELETE", "/v2/users/u-eve/totp"))).toEqual(GONE);
  });

  it("are mailed codes, to a verified address only", async () => {
    const path = "/v2/users/u-eve/otp_email";
    expect((await people("POST", path, {})).status).toBe(200);
    expect(await factorsOf()).toHaveLength(1);
    expect(refusalOf(await people("POST", path))).toEqual({ status: 409, code: 6, id: "credential.already_exists" });
    expect((await people("DELETE", path)).status).toBe(200);
    expect(refusalOf(await people("DELETE", path))).toEqual(GONE);
    await people("POST", "/v2/users/u-eve/email", { email: "unproven@new.test" });
    expect(refusalOf(await people("POST", path)).id).toBe("user.email_unverified");
    expect(await factorsOf()).toEqual([]);
  });
});
