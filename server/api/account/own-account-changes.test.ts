import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { PASSWORD } from "../../testing/example";
import { codeAt, newPerson } from "../../testing/factors";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { scenarioBootstrap } from "../../testing/scenarios/all";
import { prepareFactors } from "../../testing/scenarios/users";
import { type TestService, testService } from "../../testing/test-context";

const ME = "/auth/v1/users/me";
const MINUTE = 60_000;
const LOGIN = "nobody@acme.test";
const SIGN_IN_AGAIN = { status: 403, code: 7, id: "account.sign_in_again" };

describe.each(ruleDatabases)("changing the own account over the API on %s", (kind) => {
  let service: TestService;
  let token = "";
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    token = await apiToken(service, LOGIN);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, as = token) =>
    callApi(service, method, `${ME}${path}`, { token: as, body });
  const refused = async (...request: Parameters<typeof call>) => refusalOf(await call(...request));
  const done = async (...request: Parameters<typeof call>) => {
    const answer = await call(...request);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const freshToken = async () => {
    token = await apiToken(service, LOGIN);
  };

  it("replaces the profile, and records the actor", async () => {
    const profile = { firstName: "No", lastName: "Body", preferredLanguage: "de" };
    const { details } = await done("PUT", "/profile", profile);
    expect((await done("GET", "/profile")).profile).toMatchObject({ ...profile, displayName: "No Body" });
    const event = await service.ctx.db.prisma.event.findFirst({ where: { type: "user.changed", actor: "u-nobody" } });
    expect([event?.aggregateId, String(event?.sequence)]).toEqual(["u-nobody", details.sequence]);
    expect((await refused("PUT", "/profile", { firstName: "" })).id).toBe("request.invalid");
  });

  it("changes the address only with its code, the current password and a recent sign-in", async () => {
    const wanted = { email: "new@mail.test", currentPassword: PASSWORD };
    expect(await refused("PUT", "/email", { email: wanted.email })).toMatchObject({ id: "request.invalid" });
    expect(await refused("PUT", "/email", { ...wanted, currentPassword: "wrong" })).toMatchObject({
      id: "user.password_wrong",
    });
    expect((await refused("PUT", "/email", { ...wanted, email: LOGIN })).id).toBe("user.nothing_to_verify");
    expect(await refused("POST", "/email/_verify", { code: "ABCDEF" })).toMatchObject({ id: "user.code_dead" });
    service.advance(16 * MINUTE);
    expect(await refused("PUT", "/email", wanted)).toEqual(SIGN_IN_AGAIN);
    expect(await refused("DELETE", "/phone")).toEqual(SIGN_IN_AGAIN);
    // Reading goes on.
    expect((await done("GET", "/email")).email.email).toBe(LOGIN);
    await freshToken();
    await done("PUT", "/email", wanted);
    expect((await done("GET", "/email")).email.email).toBe(LOGIN);
    const { type, code } = await lastMailTo(service, "new@mail.test");
    expect(type).toBe("verifyemail");
    expect(await refused("POST", "/email/_resend_verification")).toMatchObject({ id: "mail.too_many" });
    expect(await refused("POST", "/email/_verify", { code: "000000" })).toMatchObject({ id: "user.code_wrong" });
    await done("POST", "/email/_verify", { code });
    expect((await done("GET", "/email")).email).toMatchObject({ email: "new@mail.test", isEmailVerified: true });
    expect(await refused("POST", "/email/_verify", { code })).toMatchObject({ id: "user.code_dead" });
    const told = (await mailsTo(service, "new@mail.test")).map((mail) => mail.type);
    expect(told).toEqual(["verifyemail", "email_changed"]);
  });

  it("sets and removes a phone number, which is verified by a code that is sent there", async () => {
    await freshToken();
    await done("PUT", "/phone", { phone: "+15551234567" });
    expect((await done("GET", "/phone")).phone).toMatchObject({ phone: "+15551234567", isPhoneVerified: false });
    await done("POST", "/phone/_resend_verification");
    const [first, second] = await mailsTo(service, "+15551234567");
    const wrong = { status: 400, code: 3, id: "user.code_wrong" };
    expect(await refused("POST", "/phone/_verify", { code: first?.code })).toEqual(wrong);
    await done("POST", "/phone/_verify", { code: second?.code });
    expect(await refused("POST", "/phone/_resend_verification")).toMatchObject({ id: "user.nothing_to_verify" });
    await done("PUT", "/phone", { phone: "+15551234567" });
    expect((await done("GET", "/phone")).phone.isPhoneVerified).toBe(true);
    await done("PUT", "/phone", { phone: "+15557654321" });
    expect((await done("GET", "/phone")).phone.isPhoneVerified).toBe(false);
    await done("DELETE", "/phone");
    expect((await done("GET", "/phone")).phone).not.toHaveProperty("phone");
  });

  it("changes the password for a caller who knows it, by the password policy", async () => {
    await freshToken();
    const newPassword = "a whole new sentence of words";
    const change = (more: object) => refused("PUT", "/password", { oldPassword: PASSWORD, newPassword, ...more });
    for (const weak of ["", "short", "password1234567", PASSWORD, "\ud800".repeat(20)]) {
      expect(await change({ newPassword: weak })).toMatchObject({ status: 400, id: "request.invalid" });
    }
    expect(await change({ oldPassword: "wrong" })).toMatchObject({ status: 400, id: "user.password_wrong" });
    const other = await apiToken(service, LOGIN);
    await done("PUT", "/password", { oldPassword: PASSWORD, newPassword });
    expect((await call("GET", "", undefined, other)).status).toBe(200);
    await done("PUT", "/password", { oldPassword: newPassword, newPassword: PASSWORD, signOutElsewhere: true });
    expect((await call("GET", "", undefined, other)).status).toBe(401);
    await freshToken();
    const tries = [];
    for (let round = 0; round < 7; round++) tries.push((await change({ oldPassword: `wrong ${round}` })).status);
    expect(tries).toContain(429);
    expect((await apiToken(service, LOGIN)).length).toBeGreaterThan(0); // this does not lock the account
  });

  it("sets up a second factor, which is required from then on", async () => {
    await freshToken();
    const { url, secret } = await done("POST", "/auth_factors/otp");
    expect(url).toContain(`secret=${secret}`);
    expect(await refused("POST", "/auth_factors/otp/_verify", { code: "no" })).toMatchObject({ id: "user.code_wrong" });
    const { recoveryCodes } = await done("POST", "/auth_factors/otp/_verify", {
      code: codeAt(secret, service.ctx.clock()),
    });
    expect(recoveryCodes).toHaveLength(10);
    // The token is of a sign-in without it.
    expect(await refused("DELETE", "/auth_factors/otp")).toEqual(SIGN_IN_AGAIN);
    expect(await refused("POST", "/auth_factors/otp_email")).toEqual(SIGN_IN_AGAIN);
    await service.ctx.db.prisma.grant.updateMany({ where: { userId: "u-nobody" }, data: { amr: "pwd otp mfa" } });
    await done("POST", "/auth_factors/otp_email");
    expect(await refused("POST", "/auth_factors/otp_email")).toMatchObject({ id: "credential.already_exists" });
    await done("DELETE", "/auth_factors/otp");
    expect(await refused("DELETE", "/auth_factors/otp")).toMatchObject({ id: "credential.not_found" });
  });

  it("lists the authentication methods; removal requires the second factor", async () => {
    const bob = await apiToken(service, "bob@acme.test");
    await prepareFactors(service);
    const state = "AUTH_FACTOR_STATE_READY";
    const { result } = await done("POST", "/auth_factors/_search", undefined, bob);
    expect(result).toEqual([
      { state, otp: {} },
      { state, otpEmail: {} },
    ]);
    expect((await done("POST", "/passwordless/_search", {}, bob)).result).toEqual([
      { id: "f-key", state, name: "Laptop" },
    ]);
    for (const what of ["passwordless/f-key", "auth_factors/otp_email"]) {
      expect(await refused("DELETE", `/${what}`, undefined, bob)).toEqual(SIGN_IN_AGAIN);
    }
    // As after a sign-in with the second factor.
    await service.ctx.db.prisma.grant.updateMany({ where: { userId: "u-bob" }, data: { amr: "pwd otp mfa" } });
    expect((await refused("DELETE", "/passwordless/f-none", undefined, bob)).id).toBe("credential.not_found");
    await done("DELETE", "/passwordless/f-key", undefined, bob);
    await done("DELETE", "/auth_factors/otp_email", undefined, bob);
    expect((await done("POST", "/auth_factors/_search", {}, bob)).result).toEqual([{ state, otp: {} }]);
  });

  it("accepts another login name by the rules, and permits deletion, shortly after a sign-in", async () => {
    const { loginName } = await newPerson(service, PASSWORD);
    let lea = await apiToken(service, loginName);
    service.advance(16 * MINUTE);
    expect(await refused("PUT", "/username", { userName: "left" }, lea)).toEqual(SIGN_IN_AGAIN);
    expect(await refused("DELETE", "", undefined, lea)).toEqual(SIGN_IN_AGAIN);
    lea = await apiToken(service, loginName);
    expect(await refused("PUT", "/username", { userName: "bob" }, lea)).toMatchObject({ id: "user.already_exists" });
    expect((await refused("PUT", "/username", { userName: "" }, lea)).status).toBe(400);
    await done("PUT", "/username", { userName: "left" }, lea);
    expect((await done("GET", "", undefined, lea)).user.preferredLoginName).toBe("left@acme.test");
    expect((await done("POST", "/idps/_search", {}, lea)).result ?? []).toEqual([]);
    await done("DELETE", "", undefined, lea);
    expect((await call("GET", "", undefined, lea)).status).toBe(401);
    const owner = await apiToken(service);
    expect(await refused("DELETE", "", undefined, owner)).toMatchObject({ id: "instance.last_owner" });
  });

  it("is refused to machines, whose tokens have no sign-in", async () => {
    const owner = await apiToken(service);
    const manage = (path: string, body: unknown) =>
      callApi(service, "POST", `/management/v1/users${path}`, { token: owner, body });
    await manage("/machine", { userId: "m-robot", userName: "robot", name: "Robot" });
    const robot = (await manage("/m-robot/pats", {})).body.token;
    const changes: [string, string, unknown?][] = [
      ["PUT", "/profile", { firstName: "R", lastName: "T" }],
      ["PUT", "/password", { oldPassword: "x", newPassword: "y" }],
      ["PUT", "/email", { email: "r@mail.test" }],
      ["DELETE", "/phone"],
      ["DELETE", "/passwordless/f-key"],
    ];
    for (const [method, path, body] of changes) {
      expect((await refused(method, path, body, robot)).id).toBe("user.not_human");
    }
  });
});
