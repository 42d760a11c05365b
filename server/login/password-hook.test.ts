import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../bootstrap/apply";
import { exportBootstrap } from "../bootstrap/export";
import { passwordElsewhere } from "../crypto/elsewhere";
import { processMetrics } from "../metrics/instruments";
import { apiToken, callApi } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import { enterPassword, pageAt } from "../testing/factors";
import { answerOf, flowOf } from "../testing/flow";
import { type PhoneGateway, startPhoneGateway } from "../testing/phone-gateway";
import { type TestService, testService } from "../testing/test-context";

const OLD_PASSWORD = "known elsewhere only";
const CHOSEN = "a lamp, a river and a tram";
const PATH = "/management/v1/password_hook";

describe.each(ruleDatabases)("the password hook of an organization, on %s (rule HOOK-1)", (kind) => {
  let service: TestService;
  let token: string;
  let gateway: PhoneGateway;
  let signingKey = "";
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    gateway = await startPhoneGateway();
    const set = await call("PUT", PATH, { endpoint: gateway.url });
    expect(set.body.signingKey).toMatch(/^whsec_/);
    signingKey = set.body.signingKey;
  });
  afterEach(async () => {
    gateway.requests.length = 0;
    gateway.answer = undefined;
    await service.ctx.db.prisma.throttle.deleteMany();
    service.advance(61_000); // forgets that the hook has failed
  });
  afterAll(async () => {
    await gateway.stop();
    await service.close();
  });

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  let people = 0;
  /** Imports a user whose password is elsewhere. */
  const moved = async (name = "") => {
    const userName = `moved-${++people}@acme.test`;
    const row = {
      userName,
      profile: { firstName: "Mo", lastName: "Ved" },
      email: { email: userName, isEmailVerified: true },
      hashedPassword: { value: passwordElsewhere(name) },
    };
    const { body } = await call("POST", "/management/v1/users/_bulk_import", { users: [row] });
    expect(body.created).toBe(1);
    return { id: body.results[0].userId as string, loginName: userName };
  };
  const answerWith = (status: number, body: unknown = "") => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    gateway.answer = (_, response) => response.writeHead(status).end(text);
  };
  const verified = (is: boolean) => answerWith(200, { verified: is });
  const attempt = async (loginName: string, password = OLD_PASSWORD) => {
    const browser = service.browser();
    const response = await enterPassword(browser, {}, { loginName, password });
    return answerOf(response).get("code") ? "signed in" : await pageAt(browser, response);
  };
  const hashOf = async (id: string) =>
    (await service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id } })).passwordHash ?? "";

  it("receives one signed request, and the password is stored from then on", async () => {
    const { id, loginName } = await moved();
    verified(true);
    expect(await attempt(loginName)).toBe("signed in");
    const [request] = gateway.requests;
    const asked = new Webhook(signingKey).verify(request?.body ?? "", request?.headers as Record<string, string>);
    expect(asked).toEqual({ loginName, password: OLD_PASSWORD, userId: id, email: loginName });
    expect(await hashOf(id)).toMatch(/^\$argon2id\$/);
    expect(await attempt(loginName)).toBe("signed in");
    expect(gateway.requests).toHaveLength(1);
    const events = await service.ctx.db.prisma.event.findMany({ where: { aggregateId: id } });
    expect(events.map(({ type }) => type)).toContain("user.password.moved");
    expect(JSON.stringify(events)).not.toContain(OLD_PASSWORD);
    expect(await processMetrics.metrics()).toMatch(/identity_password_hook_total\{outcome="verified"\} [1-9]/);
  });

  it("gets the user's name in the other system", async () => {
    const { loginName } = await moved("old name");
    verified(true);
    expect(await attempt(loginName)).toBe("signed in");
    expect(JSON.parse(gateway.requests[0]?.body ?? "")).toMatchObject({ loginName: "old name" });
  });

  it("refuses like a wrong password, and counts it", async () => {
    const { id, loginName } = await moved();
    verified(false);
    const fixed = (page: string) => page.replaceAll(/ (?:value|href|nonce|content|data-options)="[^"]*"/g, "");
    expect(fixed(await attempt(loginName))).toBe(fixed(await attempt("nobody@acme.test")));
    expect(gateway.requests).toHaveLength(1);
    expect(await hashOf(id)).toBe(passwordElsewhere());
    expect(await service.ctx.db.prisma.throttle.count()).toBeGreaterThan(0);
  });

  it.each([
    ["that fails", 500, "", "it answered 500"],
    ["that refuses the signature", 401, { verified: true }, "it answered 401"],
    ["that answers every request with a page", 200, "<html>", "has no member verified"],
    ["whose answer is no boolean", 200, { verified: "true" }, "has no member verified"],
  ])("shows a calm page for a system %s, and changes nothing", async (_, status, answer, detail) => {
    const { id, loginName } = await moved();
    answerWith(status, answer);
    expect(await attempt(loginName)).toContain("check your password right now");
    expect(await hashOf(id)).toBe(passwordElsewhere());
    expect(await service.ctx.db.prisma.throttle.count()).toBe(0);
    const { body } = await call("POST", "/management/v1/sign_in_attempts/_search", { userId: id });
    expect(body.result[0]).toMatchObject({ reason: "password_hook_failed", detail: expect.stringContaining(detail) });
    // Otherwise the failure would reveal whose password is elsewhere.
    expect(await attempt("nobody@acme.test")).toContain("check your password right now");
    expect(await attempt("ada@acme.test", PASSWORD)).toBe("signed in");
  });

  it("is not asked about users with a password here, about those who may not sign in, or by other organizations", async () => {
    const { id, loginName } = await moved();
    verified(true);
    await call("POST", `/management/v1/users/${id}/_deactivate`, {});
    expect(await attempt(loginName)).not.toBe("signed in");
    expect(await attempt("ada@acme.test", "wrong password")).not.toBe("signed in");
    const user = { id: "u-far", userName: "far@far.test", profile: { firstName: "F", lastName: "R" } };
    await applyBootstrap(service.ctx, { organizations: [{ id: "far", name: "Far", users: [user] }] });
    await service.ctx.db.prisma.user.update({ where: { id: "u-far" }, data: { passwordHash: passwordElsewhere() } });
    expect(await attempt("far@far.test")).not.toBe("signed in");
    expect(gateway.requests).toHaveLength(0);
  });

  it("is not asked about users with more permissions than the administrator who set it", async () => {
    const { id, loginName } = await moved();
    await call("POST", "/admin/v1/members", { userId: id, roles: ["IAM_OWNER"] });
    await service.ctx.db.prisma.passwordHook.updateMany({ data: { changedBy: "u-grace" } });
    service.advance(6_000); // skips the lifetime of the cache
    verified(true);
    expect(await attempt(loginName)).toContain("check your password right now");
    expect(gateway.requests).toHaveLength(0);
    await service.ctx.db.prisma.passwordHook.updateMany({ data: { changedBy: ":operator" } });
  });

  it("is set with an address that may be called, keeps its key, and is removed", async () => {
    expect((await call("PUT", PATH, { endpoint: "http://10.0.0.1/" })).body.details[0]).toMatchObject({
      id: "password_hook.invalid",
      field: "endpoint",
    });
    expect((await call("PUT", PATH, { endpoint: gateway.url })).body.signingKey).toBeUndefined();
    const renewed = await call("PUT", PATH, { endpoint: gateway.url, renewSigningKey: true });
    expect(renewed.body.signingKey).not.toBe(signingKey);
    expect((await call("GET", PATH)).body).toEqual({ endpoint: gateway.url });
    expect((await call("DELETE", PATH)).status).toBe(200);
    expect((await call("GET", PATH)).status).toBe(404);
    const declared = { organizations: [{ id: "acme", name: "ACME", passwordHook: { endpoint: gateway.url } }] };
    await expect(applyBootstrap(service.ctx, declared)).rejects.toThrow("passwordHook.signingKey");
    const whole = {
      organizations: [{ ...declared.organizations[0], passwordHook: { endpoint: gateway.url, signingKey } }],
    };
    expect((await applyBootstrap(service.ctx, whole)).created).toEqual(["password hook of acme"]);
    expect((await applyBootstrap(service.ctx, whole)).updated).toEqual([]);
  });

  it("is exported without its key, and gets one when it is set again", async () => {
    let text = "";
    for await (const part of exportBootstrap(service.ctx)) text += part;
    expect(text).not.toContain(signingKey);
    const exported = JSON.parse(text) as { organizations: { id: string; passwordHook?: object }[] };
    expect(exported.organizations.find(({ id }) => id === "acme")?.passwordHook).toEqual({ endpoint: gateway.url });
    await call("DELETE", PATH);
    const { warnings } = await applyBootstrap(service.ctx, exported, { secretsMayBeMissing: true });
    expect(warnings.some((warning) => warning.includes("gets no signing key; set it again"))).toBe(true);
    expect((await call("PUT", PATH, { endpoint: gateway.url })).body.signingKey).toMatch(/^whsec_/);
  });

  /** A session of a user whose password is elsewhere, as after a sign-in by a passkey. */
  const inSession = async () => {
    const user = await moved();
    const browser = service.browser();
    verified(true);
    await enterPassword(browser, {}, { loginName: user.loginName, password: OLD_PASSWORD });
    await service.ctx.db.prisma.user.update({ where: { id: user.id }, data: { passwordHash: passwordElsewhere() } });
    return { ...user, browser };
  };

  it("verifies the current password of users who signed in by other means", async () => {
    const { id, browser } = await inSession();
    const form = async () => flowOf(await browser.get("/login/change-password"));
    const change = async (currentPassword: string) =>
      browser.post("/login/change-password/submit", { flow: await form(), currentPassword, password: CHOSEN });
    answerWith(500);
    expect(await (await change(OLD_PASSWORD)).text()).toContain("check your password right now");
    verified(false);
    expect(await (await change("wrong password")).text()).toContain("The current password is not correct");
    expect(await hashOf(id)).toBe(passwordElsewhere());
    verified(true);
    expect((await change(OLD_PASSWORD)).headers.get("location")).toContain("/login/done");
    expect(await hashOf(id)).toMatch(/^\$argon2id\$/);
  });

  it("leaves users a way to a password, once it is removed", async () => {
    const { loginName, browser } = await inSession();
    await call("DELETE", PATH);
    service.advance(6_000); // skips the lifetime of the cache
    const opened = await browser.get("/login/change-password");
    const next = await browser.get(opened.headers.get("location") ?? "");
    expect(next.headers.get("location")).toContain("/login/forgot-password?");
    const page = await (await browser.get(next.headers.get("location") ?? "")).text();
    expect(page).toContain(`value="${loginName}"`);
    expect(await attempt(loginName)).not.toBe("signed in");
  });

  it("is not for users who exist: their password can only be replaced by a hash", async () => {
    const hashedPassword = { hash: passwordElsewhere() };
    const { status, body } = await call("PATCH", "/v2/users/u-ada", { human: { password: { hashedPassword } } });
    expect([status, body.details[0].field]).toEqual([400, "human.password.hashedPassword.hash"]);
  });
});
