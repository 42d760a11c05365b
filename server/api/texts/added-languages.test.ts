import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { exportBootstrap } from "../../bootstrap/export";
import { composeMessage } from "../../mail/compose";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { pathOf } from "../../testing/factors";
import { authorizePath } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { builtInText } from "../../texts/built-in";

const LANGUAGES = "/admin/v1/languages";

describe.each(ruleDatabases)("a language that an administrator adds (rule TEXT-13), on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const added = async () => (await call("GET", `${LANGUAGES}/added`)).body.languages;
  async function signInPage(headers: Record<string, string>): Promise<string> {
    const browser = service.browser();
    return (await browser.get(pathOf(await browser.get(authorizePath())), headers)).text();
  }

  it("is refused unless it is the tag of a language that is not built in", async () => {
    const refused = async (tag: string, method = "PUT") => refusalOf(await call(method, `${LANGUAGES}/${tag}`, {})).id;
    for (const tag of ["cy-GB", "sr-Latn", "xx", "zxx", "mul", "und", "e_", "x-cy", "en-x-cy"]) {
      expect(await refused(tag), tag).toBe("language.malformed");
    }
    for (const tag of ["de", "DE", "iw"]) expect(await refused(tag), tag).toBe("language.built_in");
    expect(await refused("is", "DELETE")).toBe("language.not_found");
    expect(await refused("de", "DELETE")).toBe("language.built_in");
    const badName = await call("PUT", `${LANGUAGES}/is`, { name: "\u202eis" });
    expect(refusalOf(badName)).toMatchObject({ status: 400, id: "request.invalid" });
    expect(await added()).toEqual([]);
    expect(refusalOf(await call("GET", "/management/v1/text/login/is"))).toMatchObject({
      status: 400,
      id: "language.not_supported",
    });
  });

  it("is in all lists of languages, with its own name and direction", async () => {
    expect((await call("PUT", `${LANGUAGES}/CY`)).status).toBe(200);
    await call("PUT", `${LANGUAGES}/ckb`, { name: "کوردی" });
    await call("PUT", `${LANGUAGES}/ckb`);
    expect(await added()).toEqual([
      { language: "ckb", name: "کوردی", direction: "rtl" },
      { language: "cy", name: "Cymraeg", direction: "ltr" },
    ]);
    for (const path of [LANGUAGES, `${LANGUAGES}/allowed`, "/management/v1/languages", "/auth/v1/languages"]) {
      expect((await call("GET", path)).body.languages, path).toEqual(expect.arrayContaining(["de", "cy", "ckb"]));
    }
    const { body: settings } = await call("GET", "/v2/settings");
    expect(settings.supportedLanguages).toContain("cy");
    const { body: overview } = await call("GET", "/admin/v1/text/messages");
    expect(overview.languages).toContain("cy");
    const discovery = await (await service.browser().get("/.well-known/openid-configuration")).json();
    expect(discovery.ui_locales_supported).toEqual(expect.arrayContaining(["cy", "ckb"]));
    expect(await signInPage({})).toContain("><bdi>Cymraeg</bdi></button>");
  });

  it("has pages with its own texts, and those of the default language otherwise", async () => {
    await call("PUT", "/admin/v1/text/login/cy", { signIn: { title: "Mewngofnodi" } });
    await call("PUT", "/management/v1/text/login/cy", { signIn: { createAccount: "Ymlaen" } });
    const page = await signInPage({ "accept-language": "cy" });
    expect(page).toContain('<html lang="cy" dir="ltr"');
    for (const word of ["Mewngofnodi", "Ymlaen", "Password"]) expect(page.includes(word), word).toBe(true);
    expect(page).toContain('<span lang="en" dir="ltr">Password</span>');
    const rightToLeft = await signInPage({ "accept-language": "ckb-IQ" });
    expect(rightToLeft).toContain('<html lang="ckb" dir="rtl"');
    expect(rightToLeft).toContain('<span lang="en" dir="ltr">Password</span>');
    const { body } = await call("GET", "/management/v1/text/login/cy/_explain");
    expect(body).toMatchObject({ language: "cy", builtInLanguage: "en" });
    const { html } = (await call("POST", "/management/v1/text/login/cy/_preview", { page: "sign-in" })).body;
    expect(html.includes('lang="cy"')).toBe(true);
    const rtl = (await call("POST", "/management/v1/text/login/ckb/_preview", { page: "sign-in" })).body;
    expect(rtl.words).toEqual(expect.arrayContaining(["signIn.title", "signIn.forgotPassword"]));
    const security = (await call("POST", "/management/v1/text/login/ckb/_preview", { page: "account.security" })).body;
    expect(security.html).toMatch(/Changed on [A-Z][a-z]+ \d+, \d{4}/);
    const notMe = (await call("POST", "/management/v1/text/login/ckb/_preview", { page: "not-me" })).body;
    expect(notMe.html).toContain('<strong><span lang="en" dir="ltr">Sign-in from a new device</span></strong>');
    // Characters by which a preview knows its words, in the name of a language.
    await call("PUT", `${LANGUAGES}/cy`, { name: "\ue0000\ue001Cymraeg" });
    const marked = (await call("POST", "/management/v1/text/login/cy/_preview", { page: "sign-in" })).body;
    expect(marked.html).toContain("<bdi>Cymraeg</bdi>");
    await call("PUT", `${LANGUAGES}/cy`, { name: "Cymraeg" });
    await call("PUT", `${LANGUAGES}/default/de`);
    expect(await signInPage({ "accept-language": "cy" })).toContain("Passwort");
    expect((await call("GET", "/management/v1/text/login/cy/_explain")).body.builtInLanguage).toBe("de");
    await call("PUT", `${LANGUAGES}/default/en`);
  });

  it("has emails with a fallback by field, which users who prefer it get", async () => {
    const path = "/management/v1/text/message/passwordreset/ckb";
    await call("PUT", path, { subject: "گۆڕینی وشەی نهێنی" });
    await call("PUT", `/admin/v1/text/message/passwordreset/ckb`, { greeting: "سڵاو {{.DisplayName}}" });
    await service.ctx.db.prisma.user.update({ where: { id: "u-ada" }, data: { preferredLanguage: "ckb" } });
    const mail = await composeMessage(service.ctx, { type: "passwordreset", userId: "u-ada" });
    if (typeof mail === "string") throw new Error(mail);
    expect(mail).toMatchObject({ language: "ckb", subject: "گۆڕینی وشەی نهێنی" });
    expect(mail.html).toContain('<html dir="rtl" lang="ckb">');
    expect(mail.text).toContain("سڵاو");
    expect(mail.html).toMatch(/<p[^>]*>سڵاو/);
    const { title } = builtInText("passwordreset", "en");
    expect(mail.html).toMatch(new RegExp(`<h1 lang="en" dir="ltr"[^>]*>${title}</h1>`));
    expect(mail.headers["Content-Language"]).toBe("ckb");
    const { body } = await call("GET", `${path}/_explain`);
    expect(body.language).toMatchObject({ used: "ckb", builtIn: "en", match: "exact" });
    expect(body.fields).toMatchObject({ subject: { layer: "organization" }, greeting: { layer: "instance" } });
  });

  it("is exported for translators and imported from them", async () => {
    const path = "/management/v1/text/translations/cy";
    const { content } = (await call("GET", `${path}/_export?format=json`)).body;
    const file = JSON.parse(content);
    expect(file).toMatchObject({ language: "cy", pages: { signIn: { title: "Mewngofnodi" } } });
    file.messages.init.subject = "Croeso";
    const imported = await call("POST", `${path}/_import`, { format: "json", content: JSON.stringify(file) });
    const place = { type: "init", field: "subject" };
    expect(imported.body.changes).toEqual([{ id: "message.init.subject", to: "Croeso", ...place }]);
    const { result } = (await call("POST", "/management/v1/text/_search", { query: "Croeso", language: "cy" })).body;
    expect(result).toMatchObject([{ language: "cy", type: "init", layer: "organization" }]);
  });

  it("has its untranslated texts without a target in the translator's file, with their place", async () => {
    const { content } = (await call("GET", "/management/v1/text/translations/cy/_export")).body;
    const unitOf = (id: string) => new RegExp(`<unit id="${id}">.*?</unit>`).exec(content)?.[0] ?? "";
    expect(unitOf("page.signIn.title")).toContain('<segment state="translated"><source>Sign in</source><target>Mewn');
    const missing = unitOf("message.init.title");
    expect(missing).toMatch(/<segment state="initial"><source>Activate your account<\/source><\/segment>/);
    expect(missing).toMatch(/<note>Email “Activate account”, headline\. .*At most \d+ characters\./);
    const unchanged = await call("POST", "/management/v1/text/translations/cy/_import", { content, dryRun: true });
    expect(unchanged.body).toEqual({ isApplied: false, changes: [] });
  });

  it("counts what is customized, translated and missing", async () => {
    const { languages } = (await call("GET", `${LANGUAGES}/progress`)).body;
    const of = (tag: string) => languages.find(({ language }: { language: string }) => language === tag);
    const { messages, pages, ...cy } = of("cy");
    expect(cy).toMatchObject({ name: "Cymraeg", direction: "ltr", isAdded: true, fallsBackTo: "en" });
    expect(pages).toMatchObject({ customized: 1, translated: 0, fallback: pages.total - 1 });
    expect(messages.customized + messages.fallback).toBe(messages.total);
    expect(of("en").messages).toMatchObject({ customized: 0, fallback: 0, translated: messages.total });
    expect(of("en")).toMatchObject({ isDefault: true, isAdded: false });
  });

  it("is exported with the service, and must be declared in a file that uses it", async () => {
    let text = "";
    for await (const part of exportBootstrap(service.ctx)) text += part;
    const { instance, organizations } = JSON.parse(text);
    expect(instance.languages).toEqual([
      { language: "ckb", name: "کوردی" },
      { language: "cy", name: "Cymraeg" },
    ]);
    expect(JSON.stringify(organizations)).toContain("Croeso");
    const loginTexts = [{ language: "is", signIn: { title: "Innskráning" } }];
    await expect(applyBootstrap(service.ctx, { instance: { loginTexts } })).rejects.toThrow(
      "instance.loginTexts[0].language: must be one of",
    );
    const languages = [{ language: "is" }, { language: "de" }];
    const report = await applyBootstrap(service.ctx, { instance: { languages, loginTexts } });
    expect(report.created).toContain("language is");
    expect((await applyBootstrap(service.ctx, { instance: { languages, loginTexts } })).created).toEqual([]);
    expect(await signInPage({ "accept-language": "is" })).toContain("Innskráning");
  });

  it("can be removed unless it is the default, and its texts return with it", async () => {
    await call("PUT", "/admin/v1/restrictions", { allowedLanguages: { list: ["en", "cy"] } });
    await call("PUT", `${LANGUAGES}/default/cy`);
    expect(refusalOf(await call("DELETE", `${LANGUAGES}/cy`))).toMatchObject({
      status: 400,
      id: "language.is_default",
    });
    expect(await signInPage({})).toContain('<html lang="cy"');
    await call("PUT", `${LANGUAGES}/default/en`);
    expect((await call("DELETE", `${LANGUAGES}/cy`)).status).toBe(200);
    expect((await call("GET", `${LANGUAGES}/allowed`)).body.languages).toEqual(["en"]);
    expect(await signInPage({ "accept-language": "cy" })).toContain('<html lang="en"');
    let text = "";
    for await (const part of exportBootstrap(service.ctx)) text += part;
    expect(text).not.toContain("Croeso");
    await call("PUT", "/admin/v1/restrictions", { allowedLanguages: { list: [] } });
    await call("PUT", `${LANGUAGES}/cy`);
    expect(await signInPage({ "accept-language": "cy" })).toContain("Mewngofnodi");
    const { body } = await call("POST", "/admin/v1/events/_search", { eventTypes: ["policy.set"] });
    expect(JSON.stringify(body)).toContain("addedLanguages");
  });

  it("is one of at most twenty", async () => {
    const tags = ["ga", "gd", "br", "kw", "eu", "gl", "mt", "sq", "hy", "ka", "az", "kk", "ky", "uz", "tg", "mn", "ne"];
    for (const tag of tags) expect((await call("PUT", `${LANGUAGES}/${tag}`)).status, tag).toBe(200);
    expect(refusalOf(await call("PUT", `${LANGUAGES}/lo`))).toMatchObject({ id: "language.too_many" });
    expect((await call("PUT", `${LANGUAGES}/ga`, { name: "An Ghaeilge" })).status).toBe(200);
  });
});
