import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../testing/api";
import { newAuthenticator, type Options } from "../testing/authenticator";
import { ruleDatabases } from "../testing/database";
import { formOptions, hiddenFields, setLoginPolicy } from "../testing/factors";
import { lastMailTo } from "../testing/mailed";
import { scenarioBootstrap } from "../testing/scenarios/all";
import { type TestService, testService } from "../testing/test-context";

const PASSKEY = "/login/reset-password/passkey";

describe.each(ruleDatabases)("An invited user, on %s", (kind) => {
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

  async function invited(email: string, more: object = {}) {
    const body = { emails: [email], ...more };
    const { body: answer } = await callApi(service, "POST", "/management/v1/users/_invite", { token, body });
    expect(answer).toMatchObject({ invited: 1 });
    const browser = service.browser();
    const { path } = await lastMailTo(service, email);
    const secret = new URL(path, service.config.baseUrl).searchParams.get("token") ?? "";
    const submit = (form: Record<string, string>) =>
      browser.post("/login/reset-password/submit", { token: secret, password: "a lamp, a river and a tram", ...form });
    return { browser, path, submit };
  }
  const nameOf = async (email: string) =>
    service.ctx.db.prisma.user.findFirst({ where: { email }, select: { firstName: true, lastName: true } });

  it("enters the names, sees who invited, and is called by the names", async () => {
    const { browser, path, submit } = await invited("ivy@mail.test");
    const page = await (await browser.get(path)).text();
    expect(page).toMatch(/<bdi>Ada Lovelace<\/bdi> invited you\./);
    expect(page).toMatch(/<input[^>]*id="givenName"/);
    const refused = await submit({ names: "asked", givenName: "", familyName: "Hop\u202eper" });
    expect(refused.status).toBe(422);
    const again = await refused.text();
    for (const field of ["givenName", "familyName"]) expect(again).toContain(`id="${field}-error"`);
    const answer = await submit({ givenName: " Ivy ", familyName: "Okafor" });
    expect(await (await browser.get(answer.headers.get("location") ?? "")).text()).toMatch(
      /<h1>Your account<.*Ivy Okafor/s,
    );
    expect(await nameOf("ivy@mail.test")).toEqual({ firstName: "Ivy", lastName: "Okafor" });
    // The link no longer works, and the page is still that of the organization.
    expect(await (await service.browser().get(path)).text()).toMatch(/<title>[^<]* – ACME<\/title>/);
    expect(await (await browser.get("/no-such-page", { accept: "text/html" })).text()).toMatch(
      /<title>[^<]* – ACME<\/title>/,
    );
  });

  it("keeps the known names if a form does not ask for them", async () => {
    const { submit } = await invited("plain@mail.test");
    expect((await submit({})).headers.get("location")).toContain("/account");
    expect(await nameOf("plain@mail.test")).toEqual({ firstName: null, lastName: null });
  });

  it("lands in the app whose role was given, if the app starts a sign-in by itself", async () => {
    const manage = async (method: string, path: string, body: object) =>
      (await callApi(service, method, `/management/v1/${path}`, { token, body })).body;
    const { id: projectId } = await manage("POST", "projects", { name: "Bakery" });
    await manage("POST", `projects/${projectId}/roles`, { roleKey: "baker", displayName: "Baker" });
    const oidc = { redirectUris: ["https://bakery.test/cb"], initiateLoginUri: "https://bakery.test/start?from=id" };
    await manage("POST", `projects/${projectId}/apps/oidc`, { name: "Bakery web", ...oidc });
    const { browser, path, submit } = await invited("baker@mail.test", { projectId, roleKeys: ["baker"] });
    const page = await browser.get(path);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://bakery.test https:;");
    const answer = await submit({ givenName: "Bo", familyName: "Baker" });
    const iss = encodeURIComponent(service.config.baseUrl);
    expect(answer.headers.get("location")).toBe(`https://bakery.test/start?from=id&iss=${iss}`);
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
    const unnamed = { ...hiddenFields(page, PASSKEY), credential };
    const refused = await browser.post(PASSKEY, unnamed);
    expect(await refused.text()).toContain('id="givenName-error"');
    const form = { ...unnamed, givenName: "Grace", familyName: "Hopper" };
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
