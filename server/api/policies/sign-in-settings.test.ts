import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { builtIn } from "../../directory/policy/built-in";
import { type PolicyKind, type PolicySettings, setPolicy } from "../../directory/policy/policies";
import { resolvePolicy } from "../../directory/policy/resolve-policy";
import { requiredAction } from "../../sessions/required-action";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { pathOf } from "../../testing/factors";
import { answerOf, authorizePath, fillSignIn, flowOf } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { type TestService, testService } from "../../testing/test-context";

const DAY = 86_400_000;
const LOGIN = "/management/v1/policies/login";
const COMPLEXITY = "/management/v1/policies/password/complexity";
const LOCKOUT = "/management/v1/policies/lockout";
const NEW_PASSWORD = "a lamp, a river and a tram";
const EVE = { loginName: "eve@acme.test" };

const [acme, ...others] = exampleBootstrap.organizations;
const eve = {
  id: "u-eve-builder",
  userName: "eve",
  password: PASSWORD,
  profile: { firstName: "Eve", lastName: "Builder" },
  email: { email: "eve.builder@mail.test", isEmailVerified: true },
};

describe.each(ruleDatabases)("settings that ZITADEL's clients know, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    const users = [...(acme?.users ?? []).filter(({ userName }) => userName !== "eve"), eve];
    service = await testService(kind, { organizations: [{ ...acme, users }, ...others] });
  });
  afterAll(() => service.close());

  const call = async (method: string, path: string, body?: unknown) =>
    callApi(service, method, path, { token: await apiToken(service), body });
  async function during(path: string, settings: object, test: () => Promise<void>): Promise<void> {
    expect((await call("POST", path, settings)).body).toHaveProperty("details");
    try {
      await test();
    } finally {
      await call("DELETE", path);
    }
  }
  /** Sets a policy under which the API's caller could not sign in either. */
  const say = <Kind extends PolicyKind>(policy: Kind, settings: Partial<PolicySettings<Kind>>) =>
    changeDirectory(service.ctx, (ctx) =>
      setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, "acme", policy, settings),
    );
  async function signedIn(who: { loginName?: string; password?: string } = EVE) {
    const browser = service.browser();
    return { browser, answer: await fillSignIn(browser, await browser.get(authorizePath()), who) };
  }

  it("requires a new password at the next sign-in if the password is too old, and announces this in the account", async () => {
    await say("passwordAge", { maxAgeDays: 2, expireWarnDays: 1 });
    const { browser, answer } = await signedIn();
    expect(answerOf(answer).get("code")).not.toBeNull();
    const security = async () => {
      const account = pathOf(await browser.get("/account"));
      return (await browser.get(account.replace("/account?", "/account/security?"))).text();
    };
    expect(await security()).toContain("Changed on");
    expect(await security()).not.toContain("Expires on");
    service.advance(DAY);
    await fillSignIn(browser, await browser.get(authorizePath({ prompt: "login" })), EVE);
    expect(await security()).toContain("Expires on");
    service.advance(DAY);
    await fillSignIn(browser, await browser.get(authorizePath({ prompt: "login" })), EVE);
    const silent = answerOf(await browser.get(authorizePath({ prompt: "none" })));
    expect(silent.get("error")).toBe("interaction_required");
    const late = await signedIn();
    expect(pathOf(late.answer)).toMatch(/^\/login\/change-password\?/);
    expect(await (await late.browser.get(pathOf(late.answer))).text()).toContain("Your password has expired.");
    const changed = await late.browser.post("/login/change-password/submit", {
      flow: flowOf(late.answer),
      currentPassword: PASSWORD,
      password: NEW_PASSWORD,
    });
    expect(answerOf(changed).get("code")).not.toBeNull();
    await say("passwordAge", {});
    const given = { password: PASSWORD, noChangeRequired: true };
    expect((await call("POST", `/management/v1/users/${eve.id}/password`, given)).status).toBe(200);
  });

  it("required characters apply to passwords of administrators, and pages name them", async () => {
    await during(COMPLEXITY, { hasUppercase: true, hasSymbol: true }, async () => {
      const set = (password: string) =>
        call("POST", `/management/v1/users/${eve.id}/password`, { password, noChangeRequired: true });
      const refused = await set(PASSWORD);
      expect(refusalOf(refused)).toMatchObject({ status: 400, id: "request.invalid" });
      expect(refused.body.message).toContain("must have an uppercase letter");
      expect((await set("Correct horse battery staple")).status).toBe(200);
      const person = {
        userName: "new",
        profile: { firstName: "N", lastName: "W" },
        email: { email: "new@mail.test", isEmailVerified: true },
        password: { password: PASSWORD },
      };
      expect(refusalOf(await call("POST", "/v2/users/human", person))).toMatchObject({ id: "request.invalid" });
      const browser = service.browser();
      const form = await (await browser.get(pathOf(await browser.get(authorizePath({ prompt: "create" }))))).text();
      expect(form).toContain("Use an uppercase letter. Use a symbol, such as % or #.");
      expect((await call("GET", COMPLEXITY)).body.policy).toMatchObject({ hasUppercase: true, minLength: "15" });
      expect((await call("GET", "/v2/settings/password/complexity")).body.settings).toMatchObject({
        requiresUppercase: true,
      });
    });
    await call("POST", `/management/v1/users/${eve.id}/password`, { password: PASSWORD, noChangeRequired: true });
  });

  it("a lockout limit below the throttling of a network applies, and 0 is that of the service", async () => {
    await during(LOCKOUT, { maxPasswordAttempts: 2, maxOtpAttempts: 0 }, async () => {
      const guess = async () => pathOf((await signedIn({ ...EVE, password: "wrong wrong wrong" })).answer);
      await guess();
      await guess();
      const { browser, answer } = await signedIn();
      expect((await browser.get(pathOf(answer))).status).toBe(429);
      service.advance(DAY + 1);
      expect((await call("GET", LOCKOUT)).body.policy).toMatchObject({ maxPasswordAttempts: "2", maxOtpAttempts: "0" });
      expect((await call("GET", "/v2/settings/lockout")).body.settings).toMatchObject({
        maxPasswordAttempts: "2",
        maxOtpAttempts: "10",
      });
    });
  });

  it("finds no user by the verified email address if the policy disables it, but by the login name", async () => {
    const byEmail = { loginName: "Eve.Builder@mail.test" };
    expect(answerOf((await signedIn(byEmail)).answer).get("code")).not.toBeNull();
    await during(LOGIN, { disableLoginWithEmail: true }, async () => {
      expect(pathOf((await signedIn(byEmail)).answer)).toMatch(/^\/login\?/);
      expect(answerOf((await signedIn()).answer).get("code")).not.toBeNull();
    });
  });

  it("a task without an app ends at the address of the organization", async () => {
    await during(LOGIN, { defaultRedirectUri: "https://intranet.acme.test/" }, async () => {
      await call("POST", `/management/v1/users/${eve.id}/password/_reset_notification`, { type: "TYPE_EMAIL" });
      const { path } = await lastMailTo(service, eve.email.email);
      const token = new URL(path, "http://x").searchParams.get("token") ?? "";
      const browser = service.browser();
      const done = await browser.post("/login/reset-password/submit", { token, password: PASSWORD });
      expect(await (await browser.get(pathOf(done))).text()).toContain('href="https://intranet.acme.test/"');
    });
  });

  it("forceMfaLocalOnly asks for a second factor unless an identity provider was used", async () => {
    await say("login", { forceMfaLocalOnly: true });
    const session = { passwordChangeRequired: false, passwordChangedAt: null, hasSecondFactor: false };
    const action = (amr: string) => requiredAction(service.ctx, { ...session, organizationId: "acme", amr }, "any");
    expect([await action("pwd"), await action("fed"), await action("hwk user mfa")]).toEqual([
      "set-up-factor",
      undefined,
      undefined,
    ]);
    expect(pathOf((await signedIn()).answer)).toMatch(/^\/login\/mfa\/set-up\?/);
    await say("login", {});
    await call("DELETE", LOGIN);
  });

  it("settings without an effect are stored, returned, and named in x-service-ignored", async () => {
    const settings = {
      ignoreUnknownUsernames: false,
      allowDomainDiscovery: true,
      disableLoginWithPhone: false,
      passwordlessType: 0,
      allowRegister: true,
    };
    const answer = await call("POST", LOGIN, settings);
    expect(answer.headers.get("x-service-ignored")).toBe(
      "ignoreUnknownUsernames, allowDomainDiscovery, disableLoginWithPhone, passwordlessType",
    );
    expect((await call("GET", LOGIN)).body.policy).toMatchObject({
      allowDomainDiscovery: true,
      passwordlessType: "PASSWORDLESS_TYPE_NOT_ALLOWED",
    });
    expect((await call("GET", "/v2/settings/login")).body.settings).toMatchObject({
      ignoreUnknownUsernames: true,
      passkeysType: "PASSKEYS_TYPE_ALLOWED",
    });
    await call("DELETE", LOGIN);
  });
});

it("a sign-in with an identity provider lasts as long as one with a password, unless a level says otherwise", () => {
  const lifetimes = (...levels: Record<string, unknown>[]) => {
    const { passwordCheckLifetime, externalLoginCheckLifetime } = resolvePolicy("login", levels);
    return [passwordCheckLifetime, externalLoginCheckLifetime];
  };
  const { passwordCheckLifetime: most } = builtIn.login;
  expect(lifetimes()).toEqual([most, most]);
  expect(lifetimes({ passwordCheckLifetime: 60 })).toEqual([60, 60]);
  expect(lifetimes({ externalLoginCheckLifetime: 90 })).toEqual([most, 90]);
  expect(lifetimes({ externalLoginCheckLifetime: 90 }, { passwordCheckLifetime: 60 })).toEqual([60, 60]);
  expect(lifetimes({ passwordCheckLifetime: 60, externalLoginCheckLifetime: 90 })).toEqual([60, 90]);
});
