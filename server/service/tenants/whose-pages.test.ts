import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { PASSWORD } from "../../testing/example";
import { lastMailTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, credentialsOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { signedIn, visit } from "../../testing/visits";

const M = "/management/v1";
/** Groups of words on the pages of a sign-in. */
const GROUPS = [
  "secondFactor",
  "changePassword",
  "setUpFactor",
  "authenticatorApp",
  "passkey",
  "continuePage",
  "newPassword",
];
const EVIL_WORDS = /Evil says|evil-help/;
const HEADER = /<header[^>]*>.*?<\/header>/s;

describe.each(ruleDatabases)("the branding of pages of an app for a user of another organization, on %s", (kind) => {
  let service: TestService;
  let acme: ApiCaller;
  let evil: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    [acme, evil] = [await callerOf(service, "acme-bot"), await callerOf(service, "evil-mallory")];
    const words = Object.fromEntries(
      [...GROUPS, "signIn", "selectAccount"].map((group) => [group, { title: "Evil says" }]),
    );
    expect((await evil("PUT", `${M}/text/login/en`, words)).status).toBe(200);
    expect((await evil("POST", `${M}/policies/privacy`, { helpLink: "https://evil-help.example/" })).status).toBe(200);
  });
  afterAll(() => service.close());

  const at = (response: Response) => response.headers.get("location") ?? "";
  const flowAt = (location: string) => new URL(location, "http://localhost").searchParams.get("flow") ?? "";

  async function entered(name: string): Promise<{ browser: TestBrowser; location: string }> {
    const browser = service.browser();
    const asked = await visit(browser, "evil-web");
    if (asked.kind !== "asked") throw new Error(asked.kind);
    const signIn = await (await browser.get(asked.location)).text();
    expect(signIn).toContain("Evil says"); // before the person is known it is the app's page
    const flow = flowAt(asked.location);
    return { browser, location: at(await browser.post("/login/submit", { flow, ...credentialsOf(name) })) };
  }

  /** The page is ACME's: name, words and links. */
  async function expectTheirs(browser: TestBrowser, location: string, path: string) {
    expect(new URL(location, "http://localhost").pathname).toBe(path);
    const html = await (await browser.get(location)).text();
    expect([path, HEADER.exec(html)?.[0].includes("ACME"), EVIL_WORDS.test(html)]).toEqual([path, true, false]);
    return html;
  }

  it("is that of the user's organization when the app is confirmed", async () => {
    const { browser, location } = await entered("bob");
    await expectTheirs(browser, location, "/login/continue");
  });

  it("is that of the user's organization at the second factor and its set-up", async () => {
    await acme("POST", `${M}/policies/login`, { forceMfa: true, allowUsernamePassword: true, allowRegister: true });
    const { browser, location } = await entered("olga");
    await expectTheirs(browser, location, "/login/mfa/set-up");
    for (const page of ["app", "passkey"]) {
      const path = `/login/mfa/set-up/${page}`;
      await expectTheirs(browser, `${path}?flow=${flowAt(location)}`, path);
    }
    await acme("DELETE", `${M}/policies/login`);
    expect((await acme("POST", "/v2/users/u-olga/otp_email", {})).status).toBe(200);
    const again = await entered("olga");
    await expectTheirs(again.browser, again.location, "/login/mfa");
  });

  it("is that of the user's organization when a new password is required", async () => {
    const newPassword = { password: PASSWORD, changeRequired: true };
    expect((await acme("POST", "/v2/users/u-eve/password", { newPassword })).status).toBe(200);
    const { browser, location } = await entered("eve");
    await expectTheirs(browser, location, "/login/change-password");
  });

  it("is that of the user's organization when a signed-in user has to authenticate again", async () => {
    const browser = await signedIn(service, "bob");
    const asked = await visit(browser, "evil-web", { prompt: "select_account" });
    const flow = flowAt(asked.kind === "asked" ? asked.location : "");
    const session = await service.ctx.db.prisma.session.findFirst({
      where: { userId: "u-bob" },
      orderBy: { createdAt: "desc" },
    });
    const chosen = at(await browser.post("/login/select-account/submit", { flow, session: session?.id ?? "" }));
    await expectTheirs(browser, chosen, "/login/continue");
    const fresh = await visit(browser, "evil-web", { prompt: "login select_account" });
    const next = at(
      await browser.post("/login/select-account/submit", {
        flow: flowAt(fresh.kind === "asked" ? fresh.location : ""),
        session: session?.id ?? "",
      }),
    );
    await expectTheirs(browser, next, "/login");
  });

  it("is the app's for other visitors of such a page", async () => {
    const { location } = await entered("carl");
    const elsewhere = await service.browser().get(location);
    expect(await elsewhere.text()).not.toContain("carl@evil.test");
  });

  it("is that of the user's organization behind a mailed link, and after the new password", async () => {
    const browser = service.browser();
    const asked = await visit(browser, "evil-web");
    const flow = flowAt(asked.kind === "asked" ? asked.location : "");
    await browser.post("/login/forgot-password/submit", { flow, loginName: "bob@acme.test" });
    const { path } = await lastMailTo(service, "bob@acme.test");
    await expectTheirs(browser, path, "/login/reset-password");
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    const done = await browser.post("/login/reset-password/submit", { token, password: "a lamp, a river and a tram" });
    await expectTheirs(browser, at(done), "/login/done");
    // In another browser the page belongs to the app again: no user is known there.
    const handedOn = await (await service.browser().get(at(done))).text();
    expect(HEADER.exec(handedOn)?.[0]).toContain("Evil");
  });
});
