import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const AT = "/management/v1/text/translations/de";
const LOGIN = "/management/v1/text/login/de";
const MESSAGE = "/management/v1/text/message/password_change/de";

describe.each(ruleDatabases)("texts for translators on %s", (kind) => {
  let service: TestService;
  let iam: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    iam = await callerOf(service, "acme-iam");
  });
  afterAll(() => service.close());

  const fileOf = async (format: "xliff" | "json") =>
    ((await iam("GET", `${AT}/_export?format=${format}`)).body as { content: string }).content;
  const sent = (content: string, more: object = {}) => iam("POST", `${AT}/_import`, { content, ...more });
  const mistakesIn = (body: unknown) =>
    (body as { details: { id: string; field: string; position?: number }[] }).details.map(({ id, field }) => [
      id,
      field,
    ]);
  const replaced = (file: string, id: string, target: string) => {
    const found = file.replace(
      new RegExp(`(id="${id.replaceAll(".", "\\.")}".*?<target>).*?(</target>)`, "s"),
      `$1${target}$2`,
    );
    expect(found).not.toBe(file);
    return found;
  };

  it.each(["xliff", "json"] as const)("change nothing if they come back as they went, as %s", async (format) => {
    const file = await fileOf(format);
    expect(file).toContain(format === "json" ? '"password_change"' : '<unit id="message.password_change.subject">');
    expect((await sent(file, { format })).body).toEqual({ isApplied: true, changes: [] });
  });

  it.each(["xliff", "json"] as const)(
    "keep every character of a text, and may begin with a mark, as %s",
    async (format) => {
      const text = "Line\u2028separator, paragraph\u2029separator, [[>]]> & <b>, \u00a0space, \ud83d\ude00\r\nreturn";
      expect((await iam("PUT", MESSAGE, { subject: 'Mit "Zeichen"', text })).status).toBe(200);
      const file = await fileOf(format);
      expect((await sent(file, { format })).body).toEqual({ isApplied: true, changes: [] });
      // As programs on Windows save it.
      const marked = `\ufeff${file.replaceAll("\n", "\r\n")}`;
      expect((await sent(marked, { format })).body).toEqual({ isApplied: true, changes: [] });
      expect((await iam("DELETE", MESSAGE)).status).toBe(200);
    },
  );

  it("contain placeholders for variables, which may be returned by their number alone", async () => {
    const file = await fileOf("xliff");
    expect(file).toContain('xmlns="urn:oasis:names:tc:xliff:document:2.0"');
    expect(file).toMatch(
      /<source>to continue to <ph id="1" equiv="\{\{\.AppName\}\}" disp="\{\{\.AppName\}\}"\/><\/source>/,
    );
    const back = replaced(file, "page.signIn.toApp", 'weiter zu <pc id="9"><ph id="1"/></pc> &amp; mehr');
    const dry = await sent(back, { dryRun: true });
    const change = { id: "page.signIn.toApp", to: "weiter zu {{.AppName}} & mehr" };
    expect(dry.body).toMatchObject({ isApplied: false, changes: [change] });
    expect((await iam("GET", LOGIN)).body.customText).toMatchObject({ isDefault: true });
    expect((await sent(back)).body).toMatchObject({ isApplied: true, changes: [change] });
    expect((await iam("GET", LOGIN)).body.customText).toMatchObject({ signIn: { toApp: change.to } });
    // As it was before: no longer customized.
    expect((await sent(file)).body).toMatchObject({ isApplied: true, changes: [{ id: change.id, from: change.to }] });
    expect((await iam("GET", LOGIN)).body.customText).toMatchObject({ isDefault: true });
  });

  it("are refused with every mistake by text, without a change, for messages and pages", async () => {
    const wrong = {
      language: "de",
      messages: {
        password_change: { subject: "{{.Foo}}", title: "Fine" },
        passwordreset: { text: "see bank.test {{.Code}}" },
      },
      pages: { signIn: { title: "<b>x</b>", notYou: "x".repeat(501) } },
    };
    const refused = await sent(JSON.stringify(wrong), { format: "json" });
    expect(refused.status).toBe(400);
    expect(mistakesIn(refused.body)).toEqual(
      expect.arrayContaining([
        ["message_text.unknown_variable", "message.password_change.subject"],
        ["message_text.foreign_address", "message.passwordreset.text"],
        ["login_text.no_markup", "page.signIn.title"],
        ["login_text.too_long", "page.signIn.notYou"],
      ]),
    );
    expect((await iam("GET", MESSAGE)).body.customText).toMatchObject({ isDefault: true });
    const stray = await sent(JSON.stringify({ language: "de", pages: { continuePage: { title: "Yes" } } }), {
      format: "json",
    });
    expect(mistakesIn(stray.body)).toEqual([["text_file.unknown_text", "page.continuePage.title"]]);
  });

  it("are refused with the place in the file if it is not readable", async () => {
    const unit = (inner: string) =>
      `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"><file id="f">${inner}</file></xliff>`;
    const evil = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]>${unit("")}`;
    const bad = [
      "",
      "not xml",
      evil,
      unit("<unit id='a'>"),
      unit("<unit id='page.signIn.title'><segment><source>a</source><target>&b;</target></segment></unit>"),
      unit("<a>".repeat(60) + "</a>".repeat(60)),
      unit("").replace('trgLang="de"', 'trgLang="fr"'),
      unit("").replace('2.0" src', '1.2" src'),
      "\ud800",
    ];
    for (const content of bad) {
      const refused = await sent(content);
      expect([content.slice(0, 60), refused.status, mistakesIn(refused.body)[0]?.[0]]).toEqual([
        content.slice(0, 60),
        400,
        "text_file.malformed",
      ]);
    }
    expect((await sent(unit("<unit id='a'>"))).body.message).toMatch(/[Ll]ine 1/);
    expect((await sent("[]", { format: "json" })).status).toBe(400);
    expect((await sent(unit(""))).body).toEqual({ isApplied: true, changes: [] });
  });

  it("of messages with access to accounts are accepted only from callers with all permissions of their readers", async () => {
    const settings = await callerOf(service, "acme-settings");
    const content = JSON.stringify({ language: "de", messages: { passwordreset: { subject: "Neu" } } });
    const refused = await settings("POST", `${AT}/_import`, { content, format: "json" });
    expect([refused.status, refused.body.details?.[0]?.id]).toEqual([403, "access.higher_role"]);
  });
});
