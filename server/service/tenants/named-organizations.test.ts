import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { ruleDatabases } from "../../testing/database";
import { PASSWORD } from "../../testing/example";
import { flowOf, userinfo } from "../../testing/flow";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, credentialsOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { redeemed, visit } from "../../testing/visits";

const M = "/management/v1";
const ID = "urn:service:iam:org:id";
const EVIL_SCOPES = [`openid ${ID}:evil`, "openid urn:service:iam:org:domain:primary:evil.test"];
/** What evil writes on its pages. */
const EVIL_WORDS = /Evil says|evil-help|evil-terms|Evil</;
const HEADER = /<header[^>]*>.*?<\/header>/s;

describe.each(ruleDatabases)("an organization that a link to another's app names, on %s", (kind) => {
  let service: TestService;
  let acme: ApiCaller;
  let evil: ApiCaller;
  let people = 0;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    [acme, evil] = [await callerOf(service, "acme-bot"), await callerOf(service, "evil-mallory")];
    const words = { signIn: { title: "Evil says" }, createAccount: { title: "Evil says" } };
    expect((await evil("PUT", `${M}/text/login/en`, words)).status).toBe(200);
    const links = { helpLink: "https://evil-help.example/", tosLink: "https://evil-terms.example/" };
    expect((await evil("POST", `${M}/policies/privacy`, links)).status).toBe(200);
    expect((await evil("POST", `${M}/policies/login`, { allowRegister: true })).status).toBe(200);
  });
  afterAll(() => service.close());
  beforeEach(() => service.advance(3_601_000));

  const allow = async (caller: ApiCaller, allowRegister: boolean) => {
    const put = await caller("PUT", `${M}/policies/login`, { allowRegister });
    if (put.status === 404) expect((await caller("POST", `${M}/policies/login`, { allowRegister })).status).toBe(200);
  };
  const setApp = async (allowedOrganizations: string) => {
    const [project] = tenantsBootstrap.organizations[0]?.projects ?? [];
    const app = project?.apps.find((one) => "oidc" in one && one.oidc?.clientId === "own");
    const file = {
      organizations: [{ id: "acme", name: "ACME", projects: [{ id: "p1", name: "till-project", apps: [] }] }],
    };
    Object.assign(file.organizations[0]?.projects[0] ?? {}, {
      apps: [{ ...app, oidc: { ...(app as { oidc: object }).oidc, allowedOrganizations } }],
    });
    await applyBootstrap(service.ctx, file);
  };
  const textOf = async (browser: TestBrowser, location: string) => (await browser.get(location)).text();
  const at = (response: Response) => response.headers.get("location") ?? "";

  /** Fills in the form of a page for new accounts, and the code that is mailed; where that leads. */
  async function register(browser: TestBrowser, page: string) {
    const email = `new-${++people}@mail.example`;
    const form = { email, givenName: "N", familyName: "W", password: PASSWORD };
    const flow = new URL(page, "http://localhost").searchParams.get("flow") ?? "";
    const waiting = await browser.post("/login/create-account/submit", { flow, ...form });
    if ((await mailsTo(service, email)).length === 0) return { owner: undefined, answer: waiting };
    const { code } = await lastMailTo(service, email);
    const answer = await browser.post("/login/verify-email/submit", { flow: flowOf(waiting), code });
    const user = await service.ctx.db.prisma.user.findFirst({ where: { email } });
    return { owner: user?.organizationId, answer };
  }

  it.each(EVIL_SCOPES)(
    "does not get the new account, which is created in the app's organization: %s",
    async (scope) => {
      const browser = service.browser();
      const first = await visit(browser, "own", { scope, prompt: "create" });
      if (first.kind !== "asked") throw new Error(`${first.kind}`);
      const page = await textOf(browser, first.location);
      expect([page.includes("Create an account"), EVIL_WORDS.test(page)]).toEqual([true, false]);
      const { owner, answer } = await register(browser, first.location);
      expect(owner).toBe("acme");
      const given = new URL(at(answer)).searchParams;
      expect(given.get("code")).toBeTruthy();
      const tokens = await redeemed(service, "own", { kind: "answered", with: given });
      expect(tokens.scope).toBe(`openid ${ID}:acme`);
      expect(await (await userinfo(service, tokens.access_token)).json()).toMatchObject({ [ID]: "acme" });
    },
  );

  it.each(EVIL_SCOPES)("does not open a registration that the app's organization has closed: %s", async (scope) => {
    await allow(acme, false);
    const browser = service.browser();
    const first = await visit(browser, "own", { scope, prompt: "create" });
    if (first.kind !== "asked") throw new Error(`${first.kind}`);
    const form = await browser.get(first.location);
    expect(at(form)).toContain("/login?flow=");
    const signIn = await textOf(browser, at(form));
    expect([signIn.includes('id="create-account"'), EVIL_WORDS.test(signIn)]).toEqual([false, false]);
    expect((await register(browser, first.location)).owner).toBeUndefined();
    await allow(acme, true);
  });

  it.each(EVIL_SCOPES)(
    "does not brand the pages before sign-in, and restricts the sign-in to its users: %s",
    async (scope) => {
      const browser = service.browser();
      const asked = await visit(browser, "own", { scope });
      if (asked.kind !== "asked") throw new Error(`${asked.kind}`);
      const page = await textOf(browser, asked.location);
      expect([HEADER.exec(page)?.[0].includes("ACME"), EVIL_WORDS.test(page)]).toEqual([true, false]);
      const flow = new URL(asked.location).searchParams.get("flow") ?? "";
      const forgot = await textOf(browser, `/login/forgot-password?flow=${flow}`);
      expect(EVIL_WORDS.test(forgot)).toBe(false);
      const sign = (name: string) => browser.post("/login/submit", { flow, ...credentialsOf(name) });
      expect(at(await sign("bob"))).toContain("/login?flow=");
      expect(at(await sign("carl"))).toContain("/login/continue?flow=");
    },
  );

  it("does not get a new account by a device", async () => {
    const body = new URLSearchParams({ client_id: "own-device", scope: EVIL_SCOPES[0] ?? "" });
    const device = await (await service.fetch("/oauth/v2/device_authorization", { method: "POST", body })).json();
    const browser = service.browser();
    const asked = await browser.post("/device/submit", { user_code: (device as { user_code: string }).user_code });
    const page = await textOf(browser, at(asked));
    expect([page.includes('id="create-account"'), EVIL_WORDS.test(page)]).toEqual([true, false]);
    const { owner, answer } = await register(browser, at(asked));
    expect([owner, at(answer)]).toEqual(["acme", expect.stringContaining("/device/confirm?flow=")]);
  });

  it("does not count for users who register behind its own mailed link", async () => {
    await service.browser().post("/login/forgot-password/submit", { loginName: "carl@evil.test" });
    const { path } = await lastMailTo(service, "carl@evil.test");
    const token = new URL(path, "http://localhost").searchParams.get("token") ?? "";
    const done = await service.browser().post("/login/reset-password/submit", { token, password: PASSWORD });
    // Carl passes the page that his link leads to on to another user.
    const browser = service.browser();
    const flow = new URL(at(done)).searchParams.get("flow") ?? "";
    expect(at(await browser.get(`/login/create-account?flow=${flow}`))).toContain("/login?flow=");
    expect((await register(browser, `/login/create-account?flow=${flow}`)).owner).toBeUndefined();
  });

  it("does not see names that were typed at the app", async () => {
    const browser = service.browser();
    const asked = await visit(browser, "own", { scope: EVIL_SCOPES[0] });
    const flow = new URL(asked.kind === "asked" ? asked.location : "").searchParams.get("flow") ?? "";
    await browser.post("/login/submit", { flow, loginName: "secret-name@acme.test", password: "wrong" });
    await service.ctx.db.prisma.$queryRaw`SELECT 1`;
    const { body } = await evil("POST", `${M}/sign_in_attempts/_search`, {});
    expect(JSON.stringify(body)).not.toContain("secret-name");
  });

  describe("applies if the app's project is granted to it", () => {
    const grants = `${M}/projects/p1/grants`;
    let grant = "";
    beforeAll(async () => {
      const { body } = await acme("POST", grants, { grantedOrgId: "evil" });
      grant = `${grants}/${body.grantId}`;
    });
    afterAll(() => acme("DELETE", grant));
    const form = async (scope: string) => {
      const browser = service.browser();
      const first = await visit(browser, "own", { scope, prompt: "create" });
      if (first.kind !== "asked") throw new Error(`${first.kind}`);
      return { browser, location: first.location, page: await textOf(browser, first.location) };
    };

    it.each(EVIL_SCOPES)("for registration, on a page that names it: %s", async (scope) => {
      const { browser, location, page } = await form(scope);
      expect(page).toContain("Your account will belong to <bdi>Evil (evil.test)</bdi>");
      expect((await register(browser, location)).owner).toBe("evil");
    });

    it.each(EVIL_SCOPES)("not while the grant is inactive, from the next request on: %s", async (scope) => {
      const { browser, location } = await form(scope);
      expect((await acme("POST", `${grant}/_deactivate`)).status).toBe(200);
      const page = await textOf(browser, location);
      expect([page.includes("Create an account"), EVIL_WORDS.test(page)]).toEqual([true, false]);
      expect((await register(browser, location)).owner).toBe("acme");
      expect((await acme("POST", `${grant}/_reactivate`)).status).toBe(200);
      expect((await form(scope)).page).toContain("<bdi>Evil (evil.test)</bdi>");
    });

    it("for no other organization", async () => {
      expect((await form(`openid ${ID}:shop`)).page).not.toContain("Bystander");
    });
  });

  describe("applies if the app has APP_ORGANIZATIONS_ALL", () => {
    beforeAll(() => setApp("APP_ORGANIZATIONS_ALL"));
    afterAll(() => setApp("APP_ORGANIZATIONS_OWN_AND_GRANTED"));

    it.each(EVIL_SCOPES)(
      "with a form that names the organization of the new account in words that cannot be changed: %s",
      async (scope) => {
        const browser = service.browser();
        const first = await visit(browser, "own", { scope, prompt: "create" });
        if (first.kind !== "asked") throw new Error(`${first.kind}`);
        const page = await textOf(browser, first.location);
        expect(page).toContain("Your account will belong to <bdi>Evil (evil.test)</bdi>");
        expect(page).toContain("Evil says");
        expect((await register(browser, first.location)).owner).toBe("evil");
        const own = {
          createAccount: { title: "Evil says", belongsTo: "It is yours." },
          signIn: { title: "Evil says" },
        };
        expect((await evil("PUT", `${M}/text/login/en`, own)).status).toBe(200);
        expect(await textOf(service.browser(), first.location)).toContain("Your account will belong to");
      },
    );
  });
});
