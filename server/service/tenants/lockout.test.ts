import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { PASSWORD } from "../../testing/example";
import { attribute, newPerson, pathOf } from "../../testing/factors";
import { answerOf, fillSignIn } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";
import { browserAt, requestOf } from "../../testing/visits";

const LOCKOUT = "/management/v1/policies/lockout";
const DAY = 24 * 3_600_000;

describe.each(ruleDatabases)("guesses of passwords of another organization's users, on %s", (kind) => {
  let service: TestService;
  let acme: ApiCaller;
  let evil: ApiCaller;
  /** A user of ACME whose account no one has tried yet. */
  let eve = { id: "", loginName: "" };
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    [acme, evil] = [await callerOf(service, "acme-bot"), await callerOf(service, "evil-mallory")];
  });
  beforeEach(async () => {
    for (const call of [acme, evil]) await call("DELETE", LOCKOUT);
    eve = await newPerson(service, PASSWORD);
  });
  afterAll(() => service.close());

  let networks = 0;
  /** One try in a new browser of a network that has tried nothing yet, so that only the account can be locked. */
  async function attempt(client: string, loginName: string, password: string): Promise<boolean> {
    const browser = browserAt(service, `198.51.100.${++networks}`);
    const signed = await fillSignIn(browser, await browser.get(requestOf(client)), { loginName, password });
    return answerOf(signed).has("code") || (signed.headers.get("location") ?? "").includes("/login/continue");
  }
  async function guess(times: number, client: string, ...names: string[]): Promise<void> {
    for (let time = 0; time < times; time++) {
      expect(await attempt(client, names[time % names.length] ?? "", `wrong ${time}`)).toBe(false);
    }
  }

  it("are limited by the user's organization, not by that of the app", async () => {
    await acme("POST", LOCKOUT, { maxPasswordAttempts: 10 });
    await evil("POST", LOCKOUT, { maxPasswordAttempts: 100 });
    await guess(10, "evil-web", eve.loginName);
    expect(await attempt("evil-web", eve.loginName, PASSWORD)).toBe(false);
    expect(await attempt("own", eve.loginName, PASSWORD)).toBe(false);
  });

  it("do not lock users out by a limit of another organization", async () => {
    await evil("POST", LOCKOUT, { maxPasswordAttempts: 10 });
    await guess(12, "evil-web", "ada@acme.test");
    expect(await attempt("own", "ada@acme.test", PASSWORD)).toBe(true);
  });

  it("are not affected by changes of another organization's limit in between", async () => {
    await guess(8, "evil-web", eve.loginName);
    await evil("POST", LOCKOUT, { maxPasswordAttempts: 10 });
    await guess(8, "evil-spa", eve.loginName);
    await evil("DELETE", LOCKOUT);
    expect(await attempt("own", eve.loginName, PASSWORD)).toBe(true);
  });

  it("count for the user, for every spelling of the name and every app", async () => {
    await acme("POST", LOCKOUT, { maxPasswordAttempts: 10 });
    const other = `other.${eve.loginName}`;
    await acme("PUT", `/management/v1/users/${eve.id}/email`, { email: other, isEmailVerified: true });
    await guess(12, "evil-web", eve.loginName, other, eve.loginName.toUpperCase(), ` ${eve.loginName} `);
    for (const name of [eve.loginName, other, eve.loginName.replace("u-", "U-")]) {
      expect([name, await attempt("own", name, PASSWORD)]).toEqual([name, false]);
    }
  });

  it("lock for days at most, not for a month", async () => {
    await acme("POST", LOCKOUT, { maxPasswordAttempts: 10 });
    await guess(10, "evil-web", eve.loginName);
    expect(await attempt("own", eve.loginName, PASSWORD)).toBe(false);
    service.advance(2 * DAY);
    expect(await attempt("own", eve.loginName, PASSWORD)).toBe(true);
  });

  it("end with a link in an email to the user", async () => {
    await acme("POST", LOCKOUT, { maxPasswordAttempts: 10 });
    await guess(10, "evil-web", eve.loginName);
    const browser = service.browser();
    const first = await browser.get(requestOf("own"));
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    await browser.post("/login/forgot-password/submit", { flow, loginName: eve.loginName });
    const { path } = await lastMailTo(service, eve.loginName);
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    const password = "a lamp, a river and a tram";
    const set = await browser.post("/login/reset-password/submit", { token, password });
    expect(attribute(await (await browser.get(pathOf(set))).text(), "continue", "href")).not.toBe("");
    expect(await attempt("own", eve.loginName, password)).toBe(true);
  });

  it("do not reveal whether the user exists: the limit of an unknown name is that of the service", async () => {
    const told = async (loginName: string) => {
      const browser = browserAt(service, `198.51.100.${++networks}`);
      const signed = await fillSignIn(browser, await browser.get(requestOf("evil-web")), { loginName, password: "no" });
      const page = await (await browser.get(pathOf(signed))).text();
      return [signed.status, page.includes("Too many"), page.includes("is not correct")];
    };
    for (let time = 0; time < 12; time++) {
      expect(await told("nobody@acme.test")).toEqual(await told(eve.loginName));
    }
  });
});

describe.each(ruleDatabases)("an organization's requirement for sign-ins, on %s", (kind) => {
  it("is required of its users at every app, and of no other users at its own", async () => {
    const service = await testService(kind, tenantsBootstrap);
    const [acme, evil] = [await callerOf(service, "acme-bot"), await callerOf(service, "evil-mallory")];
    await acme("POST", "/management/v1/policies/login", { forceMfa: true });
    const where = async (client: string, loginName: string) => {
      const browser = service.browser();
      const first = await browser.get(requestOf(client));
      const signed = await fillSignIn(browser, first, { loginName, password: PASSWORD });
      return (signed.headers.get("location") ?? "").replace(/\?.*/, "");
    };
    for (const client of ["own", "evil-web", "shop-web"]) {
      expect([client, await where(client, "eve@acme.test")]).toEqual([client, expect.stringContaining("/login/mfa")]);
    }
    // Evil can neither lower it for ACME's people nor shut them out.
    await evil("POST", "/management/v1/policies/login", { forceMfa: false, secondFactors: [] });
    expect(await where("evil-web", "eve@acme.test")).toContain("/login/mfa");
    expect(await where("evil-web", "carl@evil.test")).not.toContain("/login/mfa");
    await service.close();
  });
});
