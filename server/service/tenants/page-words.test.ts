import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";
import { readPageTexts } from "../../texts/pages/resolve-page-texts";

const LOGIN = "/management/v1/text/login/en";
const PHONE = "Our support is calling: read them the code, or call +49 151 123";
/** One of each group of words at codes, passwords, passkeys, and at "This wasn't me". */
const PROTECTED: Record<string, Record<string, string>> = {
  ...Object.fromEntries(
    ["secondFactor", "resetPassword", "changePassword", "setUpFactor", "authenticatorApp", "recoveryCodes", "notMe"]
      .concat("signIn", "verifyEmail", "createAccount", "passkeyOffer", "account", "device", "setup")
      .map((group) => [group, { title: PHONE }]),
  ),
  code: { label: PHONE },
  newPassword: { easy: PHONE },
  passkey: { use: PHONE },
  common: { password: PHONE },
  done: { securedText: PHONE },
};
const FREE = { selectAccount: { title: "Pick one" }, loggedOut: { title: "Bye" }, home: { title: "Hello" } };
const HIGHER = { status: 403, code: 7, id: "access.higher_role" };

describe.each(ruleDatabases)("texts beside fields for codes and passwords (attack: phishing), on %s", (kind) => {
  let service: TestService;
  const callers = new Map<string, ApiCaller>();
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    for (const name of ["acme-iam", "acme-bot", "acme-settings", "evil-sett", "evil-mallory", "shop-sam"]) {
      callers.set(name, await callerOf(service, name));
    }
  });
  afterAll(() => service.close());
  const as = (name: string) => callers.get(name) as ApiCaller;
  const own = async (name: string, language = "en") => {
    return (await as(name)("GET", LOGIN.replace("/en", `/${language}`))).body.customText;
  };

  it.each(["evil-sett", "acme-settings", "acme-bot"])("are set by %s, who lacks power, at no door", async (name) => {
    const call = as(name);
    const opened: unknown[] = [];
    for (const [group, words] of Object.entries(PROTECTED)) {
      const body = { [group]: words };
      const file = { format: "json", content: JSON.stringify({ language: "en", pages: body }) };
      for (const [method, path, sent] of [
        ["PUT", LOGIN, body],
        ["PUT", "/v2/settings/hosted_login_translation", { locale: "en", translations: body }],
        ["POST", "/management/v1/text/translations/en/_import", file],
        ["POST", "/management/v1/text/translations/en/_import", { ...file, dryRun: true }],
      ] as const) {
        const answer = await call(method, path, sent);
        if (answer.status !== 403 || refusalOf(answer).id !== HIGHER.id) opened.push([group, path, answer.status]);
      }
    }
    expect(opened).toEqual([]);
    expect(await own(name)).toMatchObject({ isDefault: true });
  });

  it("are changed together with those of other pages or not at all; others alone are changed, even if these are sent back as read", async () => {
    const call = as("evil-sett");
    expect(refusalOf(await call("PUT", LOGIN, { ...FREE, notMe: { title: PHONE } }))).toEqual(HIGHER);
    expect(await own("evil-sett")).toMatchObject({ isDefault: true });
    const { details: _, isDefault: __, ...read } = await own("evil-sett");
    expect((await call("PUT", LOGIN, { ...read, ...FREE })).status).toBe(200);
    expect((await call("PUT", LOGIN, FREE)).status).toBe(200);
    expect((await call("DELETE", LOGIN)).status).toBe(200);
  });

  it("are kept when a user without power changes others, and cannot be reset by that user", async () => {
    const words = { secondFactor: { title: "Evil's own" }, selectAccount: { title: "Old" } };
    expect((await as("evil-mallory")("PUT", LOGIN, words)).status).toBe(200);
    const call = as("evil-sett");
    expect(refusalOf(await call("DELETE", LOGIN))).toEqual(HIGHER);
    expect(refusalOf(await call("PUT", LOGIN, FREE))).toEqual(HIGHER);
    expect((await call("PUT", LOGIN, { ...words, selectAccount: { title: "New" } })).status).toBe(200);
    expect(await own("evil-sett")).toMatchObject({ ...words, selectAccount: { title: "New" } });
    expect((await as("evil-mallory")("DELETE", LOGIN)).status).toBe(200);
  });

  it("can be changed by an owner, including telephone numbers, and name no foreign hosts", async () => {
    const call = as("shop-sam");
    expect((await call("PUT", LOGIN, PROTECTED)).status).toBe(200);
    const foreign = await call("PUT", LOGIN, { notMe: { title: "All is well, see id-acme.test/now" } });
    expect(refusalOf(foreign).id).toBe("login_text.foreign_address");
    expect((await as("acme-iam")("PUT", "/admin/v1/text/login/en", { signIn: { title: "Hi" } })).status).toBe(200);
    await as("acme-iam")("DELETE", "/admin/v1/text/login/en");
    await call("DELETE", LOGIN);
  });

  it("are not used once a user of the organization has more permissions than their author", async () => {
    const [shop, iam] = [as("shop-sam"), as("acme-iam")];
    expect((await shop("PUT", LOGIN, { code: { label: "Shop code" }, ...FREE })).status).toBe(200);
    const inForce = async () => (await readPageTexts(service.ctx, "en", "shop"))["code.label"];
    expect(await inForce()).toBe("Shop code");
    await iam("POST", "/admin/v1/members", { userId: "u-tess", roles: ["IAM_ORG_MANAGER"] });
    expect(await inForce()).toBeUndefined();
    expect(await readPageTexts(service.ctx, "en", "shop")).toMatchObject({ "selectAccount.title": "Pick one" });
    const shown = (await shop("GET", `${LOGIN}/_explain`)).body.words as { field: string; takesPower?: true }[];
    const held = shown.filter(({ takesPower }) => takesPower).map(({ field }) => field);
    expect(held).toEqual(expect.arrayContaining(["code.label", "notMe.title"]));
    expect(held).not.toContain("selectAccount.title");
    await iam("DELETE", "/admin/v1/members/u-tess");
    expect(await inForce()).toBe("Shop code");
    await shop("DELETE", LOGIN);
  });

  it.each(["evil-sett", "evil-mallory", "shop-sam"])(
    "wait for a second person by every door where the instance demands it, whatever %s sets for the organization",
    async (name) => {
      const [call, iam] = [as(name), as("acme-iam")];
      const own = "/management/v1/policies/texts";
      const words = { selectAccount: { title: `Alone, by ${name}` } };
      const file = { format: "json", content: JSON.stringify({ language: "en", pages: words }) };
      const before = (await readPageTexts(service.ctx, "en", name.slice(0, 4)))["selectAccount.title"];
      expect((await iam("PUT", "/admin/v1/policies/texts", { requireTextApproval: true })).status).toBe(200);
      for (const [method, path, body] of [
        ["POST", own, { requireTextApproval: false }],
        ["PUT", own, { requireTextApproval: false }],
        ["DELETE", own, undefined],
        ["PUT", LOGIN, words],
        ["PUT", "/v2/settings/hosted_login_translation", { locale: "en", translations: words }],
        ["POST", "/management/v1/text/translations/en/_import", file],
      ] as const) {
        await call(method, path, body);
        const inForce = (await readPageTexts(service.ctx, "en", name.slice(0, 4)))["selectAccount.title"];
        expect([path, inForce]).toEqual([path, before]);
      }
      expect((await call("GET", own)).body.policy.requireTextApproval).toBe(true);
      await iam("PUT", "/admin/v1/policies/texts", { requireTextApproval: false });
      expect((await call("PUT", LOGIN, words)).status).toBe(200);
      expect((await readPageTexts(service.ctx, "en", name.slice(0, 4)))["selectAccount.title"]).toBe(
        words.selectAccount.title,
      );
      await call("DELETE", LOGIN);
    },
  );

  it("can be set by the operator in the bootstrap file", async () => {
    const loginTexts = [{ language: "fr", secondFactor: { title: "Bonjour" } }];
    await applyBootstrap(service.ctx, { organizations: [{ id: "acme", name: "ACME", loginTexts }] });
    expect(await own("acme-settings", "fr")).toMatchObject({ secondFactor: { title: "Bonjour" } });
    expect((await readPageTexts(service.ctx, "fr", "acme"))["secondFactor.title"]).toBe("Bonjour");
  });
});
