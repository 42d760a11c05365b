import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../testing/api";
import { newAuthenticator, type Options } from "../testing/authenticator";
import { databaseKinds } from "../testing/database";
import { formOptions, hiddenFields, setLoginPolicy } from "../testing/factors";
import { lastMailTo } from "../testing/mailed";
import { scenarioBootstrap } from "../testing/scenarios/all";
import { type TestService, testService } from "../testing/test-context";

const PASSKEY = "/login/reset-password/passkey";

describe.each(databaseKinds)("An invited user, on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  /** Opens the page of the mailed link and submits the chosen password. */
  async function welcomed(name: string) {
    const person = { userName: name, profile: { firstName: "Grace", lastName: "Hopper" } };
    const body = { ...person, email: { email: `${name}@mail.test` } };
    await callApi(service, "POST", "/management/v1/users/human", { token, body });
    const browser = service.browser();
    const { path } = await lastMailTo(service, `${name}@mail.test`);
    const page = await (await browser.get(path)).text();
    const { searchParams } = new URL(path, service.config.baseUrl);
    const set = { token: searchParams.get("token") ?? "", password: "a lamp, a river and a tram" };
    return { browser, page, answer: await browser.post("/login/reset-password/submit", set) };
  }

  it("is signed in with the first password", async () => {
    const { browser, page, answer } = await welcomed("welcome");
    expect(page).toContain("<h1>Welcome to ACME</h1>");
    expect(page).not.toContain("signed out");
    const account = await browser.get(answer.headers.get("location") ?? "");
    expect(await account.text()).toMatch(/<h1>Your account<.*Grace Hopper/s);
  });

  it("may start with a passkey instead, which uses up the link and signs in", async () => {
    const body = {
      userName: "key",
      profile: { firstName: "Grace", lastName: "Hopper" },
      email: { email: "key@mail.test" },
    };
    await callApi(service, "POST", "/management/v1/users/human", { token, body });
    const browser = service.browser();
    const { path } = await lastMailTo(service, "key@mail.test");
    const page = await (await browser.get(path)).text();
    const credential = newAuthenticator().create(formOptions(page) as Options);
    const form = { ...hiddenFields(page, PASSKEY), credential };
    const codes = await (await browser.post(PASSKEY, form)).text();
    expect(codes).toContain('class="codes"');
    const on = await browser.post("/login/mfa/continue", hiddenFields(codes, "/login/mfa/continue"));
    const account = await browser.get(on.headers.get("location") ?? "");
    expect(await account.text()).toMatch(/<h1>Your account<.*Grace Hopper/s);
    const where = { email: "key@mail.test" };
    expect(await service.ctx.db.prisma.user.findFirst({ where })).toMatchObject({
      isEmailVerified: true,
      passwordHash: null,
    });
    expect((await service.browser().get(path)).status).toBe(410);
  });

  it("sets up a second factor first if one is required", async () => {
    await setLoginPolicy(service, { forceMfa: true });
    const { browser, answer } = await welcomed("factor");
    expect(answer.headers.get("location")).toContain("/login/mfa/set-up");
    expect((await browser.get("/account")).headers.get("location")).toContain("/login");
  });
});
