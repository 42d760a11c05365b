import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../crypto/random";
import { insertPasskey } from "../../storage/factor/passkeys";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { pathOf } from "../../testing/factors";
import { answerOf, authorizePath, fillSignIn } from "../../testing/flow";
import { byId, tagsOf } from "../../testing/page-samples";
import { type TestService, testService } from "../../testing/test-context";

const LOGIN = "/management/v1/policies/login";
const MINUTES = 60_000;
/** Has nothing to sign in with but a password. */
const BOB = { loginName: "bob@acme.test" };

describe("the effects of policies", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
    const passkey = { publicKey: "", counter: 0, transports: "", aaguid: "", isMultiDevice: false, isBackedUp: false };
    const of = { id: newId(), userId: "u-ada", name: "Key", isUserVerified: true };
    await service.ctx.db.transaction((tx) => insertPasskey(tx, { ...passkey, ...of }, service.ctx.clock()));
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  /** Sets the policy of the organization for one test, whether or not it has one. */
  async function during(path: string, settings: object, test: () => Promise<void>): Promise<void> {
    expect((await call("POST", path, settings)).body).toHaveProperty("details");
    try {
      await test();
    } finally {
      await call("DELETE", path);
    }
  }
  async function signInPage(headers: Record<string, string> = {}): Promise<string> {
    const browser = service.browser();
    return (await browser.get(pathOf(await browser.get(authorizePath())), headers)).text();
  }

  describe("reading and writing", () => {
    it("names its owner: the instance until the organization sets it, and after a reset", async () => {
      const read = async () => (await call("GET", LOGIN)).body.policy;
      expect(await read()).toMatchObject({ isDefault: true, allowRegister: true, details: { sequence: "0" } });
      expect(refusalOf(await call("PUT", LOGIN, {}))).toMatchObject({ status: 404, id: "policy.not_found" });
      expect(refusalOf(await call("DELETE", LOGIN))).toMatchObject({ status: 404, id: "policy.not_found" });
      await call("POST", LOGIN, { allowRegister: false });
      expect(await read()).toMatchObject({
        isDefault: false,
        allowRegister: false,
        details: { resourceOwner: "acme" },
      });
      expect(refusalOf(await call("POST", LOGIN, {}))).toMatchObject({ status: 409, id: "policy.already_exists" });
      await call("PUT", "/admin/v1/policies/login", { forceMfa: false, allowRegister: true });
      await call("PUT", LOGIN, { hidePasswordReset: true });
      expect(await read()).toMatchObject({
        allowRegister: true,
        ownSettings: ["hidePasswordReset"],
        hidePasswordReset: true,
      });
      await call("DELETE", LOGIN);
      expect(await read()).toMatchObject({ isDefault: true, hidePasswordReset: false });
    });

    it("records the actor, the former and the new values", async () => {
      const NOTIFICATION = "/management/v1/policies/notification";
      await during(NOTIFICATION, { passwordChange: false }, async () => {
        await call("PUT", NOTIFICATION, { passwordChange: true });
      });
      const events = await service.ctx.db.prisma.event.findMany({
        where: { aggregateId: "acme notification" },
        orderBy: { sequence: "asc" },
      });
      const [off, on] = [{ passwordChange: false }, { passwordChange: true }];
      expect(events.map(({ type, actor, payload }) => ({ type, actor, payload }))).toEqual([
        { type: "policy.set", actor: "u-ada", payload: { kind: "notification", settings: { from: null, to: off } } },
        { type: "policy.set", actor: "u-ada", payload: { kind: "notification", settings: { from: off, to: on } } },
        { type: "policy.removed", actor: "u-ada", payload: { kind: "notification", settings: { from: on, to: null } } },
      ]);
    });

    it.each<[string, object, string]>([
      ["login", { allowRegister: "yes" }, "allowRegister"],
      ["login", { passwordCheckLifetime: "10d" }, "passwordCheckLifetime"],
      ["login", { passwordCheckLifetime: "59s" }, "passwordCheckLifetime"],
      ["password/complexity", { minLength: 7 }, "minLength"],
      ["password/complexity", { minLength: "73" }, "minLength"],
      ["password/complexity", { hasSymbol: "yes" }, "hasSymbol"],
      ["password/age", { maxAgeDays: -1 }, "maxAgeDays"],
      ["lockout", { maxPasswordAttempts: 101 }, "maxPasswordAttempts"],
      ["lockout", { maxOtpAttempts: 11 }, "maxOtpAttempts"],
      ["login", { defaultRedirectUri: "javascript:alert(1)" }, "defaultRedirectUri"],
      ["privacy", { tosLink: "javascript:alert(1)" }, "tosLink"],
      ["privacy", { docsLink: "javascript:alert(1)" }, "docsLink"],
      ["privacy", { supportEmail: "nobody" }, "supportEmail"],
      ["notification", { passwordChange: "yes" }, "passwordChange"],
      ["label", { primaryColor: "red" }, "primaryColor"],
      ["label", { primaryColor: "#fff" }, "primaryColor"],
      ["label", { themeMode: "THEME_MODE_BLUE" }, "themeMode"],
    ])("refuses %s %j, naming the field, and changes nothing", async (path, body, field) => {
      const answer = await call("POST", `/management/v1/policies/${path}`, body);
      expect(refusalOf(answer)).toEqual({ status: 400, code: 3, id: "request.invalid" });
      expect(answer.body.details[0].field).toBe(field);
      expect((await call("GET", `/management/v1/policies/${path}`)).body.policy.isDefault).toBe(true);
    });

    it("prevents lock-outs: only callers with a passkey can switch passwords off", async () => {
      const { id } = await service.ctx.db.prisma.passkey.findFirstOrThrow();
      await service.ctx.db.prisma.passkey.update({ where: { id }, data: { userId: "u-bob" } });
      const answer = await call("POST", LOGIN, { allowUsernamePassword: false });
      expect(refusalOf(answer)).toMatchObject({ status: 400, id: "policy.would_lock_out" });
      await service.ctx.db.prisma.passkey.update({ where: { id }, data: { userId: "u-ada" } });
    });
  });

  describe("signing in", () => {
    it("has no field for a password, and accepts none, if passwords are not allowed", async () => {
      await during(LOGIN, { allowUsernamePassword: false }, async () => {
        const page = await signInPage();
        expect([byId(page, "loginName"), byId(page, "password"), byId(page, "create-account")]).toEqual([
          ...[undefined, undefined, undefined],
        ]);
        expect(byId(page, "use-passkey")).toBeDefined();
        const browser = service.browser();
        const refused = await fillSignIn(browser, await browser.get(authorizePath()), BOB);
        expect(pathOf(refused)).toMatch(/^\/login\?/);
        expect(browser.cookies.size).toBe(0);
      });
      const browser = service.browser();
      expect(answerOf(await fillSignIn(browser, await browser.get(authorizePath()), BOB)).get("code")).not.toBeNull();
    });

    it("offers no reset and sends none if it is hidden", async () => {
      await during(LOGIN, { hidePasswordReset: true }, async () => {
        expect(byId(await signInPage(), "forgot-password")).toBeUndefined();
        const browser = service.browser();
        const flow = new URL((await browser.get(authorizePath())).headers.get("location") ?? "").searchParams.get(
          "flow",
        );
        expect(pathOf(await browser.get(`/login/forgot-password?flow=${flow}`))).toMatch(/^\/login\?/);
        await browser.post("/login/forgot-password/submit", { flow: flow ?? "", loginName: "ada@acme.test" });
        expect(await service.ctx.db.prisma.outboxMessage.count({ where: { type: "passwordreset" } })).toBe(0);
      });
      expect(byId(await signInPage(), "forgot-password")).toBeDefined();
    });

    it("asks for the password again after its lifetime, and reports it to prompt=none", async () => {
      const browser = service.browser();
      await fillSignIn(browser, await browser.get(authorizePath()), BOB);
      await during(LOGIN, { passwordCheckLifetime: "1200s" }, async () => {
        service.advance(10 * MINUTES);
        expect(answerOf(await browser.get(authorizePath({ prompt: "none" }))).get("code")).not.toBeNull();
        service.advance(11 * MINUTES);
        expect(answerOf(await browser.get(authorizePath({ prompt: "none" }))).get("error")).toBe("login_required");
        expect(pathOf(await browser.get(authorizePath()))).toMatch(/^\/login\?/);
      });
    });

    it("shows the links of the organization in the language of the page", async () => {
      const links = {
        tosLink: "https://acme.test/{{.Lang}}/terms",
        privacyLink: "https://acme.test/{{.Lang}}/privacy",
        helpLink: "https://acme.test/{{.Lang}}/help",
        docsLink: "https://acme.test/{{.Lang}}/docs",
        supportEmail: "help+us@acme.test",
      };
      await during("/management/v1/policies/privacy", links, async () => {
        const page = await signInPage({ "accept-language": "de" });
        const hrefs = tagsOf(page).flatMap(({ href }) => href ?? []);
        const shown = ["help", "docs", "privacy", "terms"].map((name) => `https://acme.test/de/${name}`);
        expect(hrefs).toEqual(expect.arrayContaining([...shown, "mailto:help%2Bus@acme.test"]));
      });
    });
  });

  it("requires passwords of the organization's minimum length from new users", async () => {
    await during("/management/v1/policies/password/complexity", { minLength: "40" }, async () => {
      const browser = service.browser();
      const at = (await browser.get(authorizePath({ prompt: "create" }))).headers.get("location") ?? "";
      const flow = new URL(at).searchParams.get("flow") ?? "";
      const form = { flow, email: "new@acme.test", givenName: "N", familyName: "W", password: PASSWORD };
      const page = await browser.post("/login/create-account/submit", form);
      expect(page.status).toBe(422);
      expect(await page.text()).toContain("40");
    });
  });

  describe("allowed languages", () => {
    const RESTRICTIONS = "/admin/v1/restrictions";
    const allow = (list: string[]) => call("PUT", RESTRICTIONS, { allowedLanguages: { list } });
    afterAll(() => allow([]));

    it("are the only languages of pages, their choices and discovery", async () => {
      expect((await allow(["en", "DE", "de"])).status).toBe(200);
      expect((await call("GET", RESTRICTIONS)).body.allowedLanguages).toEqual(["en", "de"]);
      const page = await signInPage({ "accept-language": "fr, de;q=0.5" });
      expect(tagsOf(page)[0]?.lang).toBe("de");
      expect(
        tagsOf(page).flatMap(({ name, value, tag }) => (name === "ui_locales" && tag === "button" ? value : [])),
      ).toEqual(["de", "en"]);
      expect(tagsOf(await signInPage({ "accept-language": "fr" }))[0]?.lang).toBe("en");
      const discovery = await (await service.fetch("/.well-known/openid-configuration")).json();
      expect(discovery.ui_locales_supported).toEqual(["de", "en"]);
      expect((await call("GET", "/admin/v1/languages/allowed")).body.languages).toEqual(["de", "en"]);
    });

    it("include the default language, in either order of changes", async () => {
      expect(refusalOf(await allow(["de"]))).toMatchObject({ status: 400, id: "language.default_not_allowed" });
      await allow(["en", "de"]);
      const outside = await call("PUT", "/admin/v1/languages/default/fr");
      expect(refusalOf(outside)).toMatchObject({ status: 400, id: "language.not_allowed" });
      expect(refusalOf(await allow(["en", "xx"]))).toMatchObject({ status: 400, code: 3 });
    });

    it("are all languages if none is listed, and are kept by changes of other settings", async () => {
      await allow(["en", "de"]);
      await call("PUT", RESTRICTIONS, { disallowPublicOrgRegistration: true });
      expect((await call("GET", RESTRICTIONS)).body).toMatchObject({
        disallowPublicOrgRegistration: true,
        allowedLanguages: ["en", "de"],
      });
      await allow([]);
      expect(tagsOf(await signInPage({ "accept-language": "fr" }))[0]?.lang).toBe("fr");
    });
  });
});
