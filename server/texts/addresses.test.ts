import { describe, expect, it } from "vitest";
import { BUILT_IN_LANGUAGES } from "../directory/policy/languages";
import { MESSAGE_TYPES } from "../message-types/table";
import { processorTime } from "../testing/processor-time";
import { findAddresses, type OwnHosts } from "./addresses";
import { builtInText } from "./built-in";
import { lintMessageText } from "./lint";
import { fieldsOf, MESSAGE_FIELDS } from "./message-text";
import { carriesCode, findVariable, isProtected } from "./variables";

const OWN: OwnHosts = { service: "id.acme.test", proven: ["acme.example"] };
const find = (text: string) =>
  findAddresses(text, OWN, (name) => findVariable("verifyemailotp", name)?.valueKind ?? "text");
const kinds = (text: string) => [...new Set(find(text).map(({ kind }) => kind))];

describe("foreign addresses in messages that open accounts (attack: a code sent to a foreign site)", () => {
  it.each([
    "https://id-acme.test/confirm",
    "http://evil",
    "HTTPS://EVIL.TEST",
    "hxxps://evil.test",
    "https:evil.test",
    "https:/evil.test",
    "ftp://evil.test/",
    "slack://evil",
    "https://",
    "Open https://",
    "//evil.test/x",
    "//evil/x",
    "\\\\evil\\share",
    "https:\\\\evil\\",
    "www.evil",
    "www.evil.test",
    "id-acme.test/x",
    "evil.example",
    "evil.example.",
    "(evil.example)",
    "“evil.example”",
    "t.co/x",
    "p.ex/x",
    "evil.test:8443",
    "id.acme.test.evil.example",
    "notacme.example",
    "xid.acme.test",
    "https://id.acme.test@evil.test/",
    "https://id.acme.test:x@evil",
    "https://id.acme.test\\@evil",
    "https://id.acme.test\\.evil",
    "https://acme.example/?next=https://evil.test",
    "https://acme.example/?next=//evil",
    "https://acme.example/?next=https%3A%2F%2Fevil.test",
    "https://id.acme.test/oauth/v2/authorize?client_id=evil",
    "evil%2etest",
    "evil%252Etest",
    "%65%76il.%74est",
    "help@evil.test",
    "mailto:help@evil.test",
    "help@evil",
    "help＠evil．test",
    "203.0.113.5/x",
    "http://203.0.113.5",
    "http://3405803781/",
    "http://0xcb007105",
    "[2001:db8::1]",
    "http://[2001:db8::1]/",
    "2001:db8::1",
    "evil。test",
    "evil．test",
    "evil｡test/x",
    "ｅｖｉｌ．ｔｅｓｔ",
    "evil․test",
    "https：//evil",
    "https:／／evil",
    "https:⁄⁄evil",
    "еvil.test",
    "пример.рф",
    "例え.テスト",
    "xn--e1afmkfd.xn--p1ai",
    "ev\u200bil.\u200btest",
    "evil\u200b.test",
    "evil.\u2060t\u00adest",
    "evil\u202e.test",
    "\u2066evil.test\u2069",
    "evil\u034f.test",
    "ht\u200btps://evil",
    "evil\u2028.test",
    "i❤.ws",
    "❤️.ws/x",
    "evil\u2011acme.example",
    "evil・acme.example",
    "evil·acme.example",
    "𝐞𝐯𝐢𝐥.𝐭𝐞𝐬𝐭",
    "ⓔⓥⓘⓛ.ⓣⓔⓢⓣ",
    "evil[.]test",
    "evil (dot) test",
    "evil [ . ] test",
    "验证码，请打开https://evil.test输入",
    "验证码请在evil.test输入",
    "javascript:alert(1)",
    "Klicken Sie hier:evil.test",
    "a\tevil.test",
  ])("are found: %j", (text) => {
    expect(kinds(text)).toEqual(["foreign"]);
    expect(kinds(`Your code is {{.Code}}\n${text}\nGoodbye`)).toEqual(["foreign"]);
  });

  it.each([
    "{{.Code}}.evil",
    "evil.{{.FirstName}}",
    "evil{{.NickName}}.test",
    "evil.t{{.NickName}}est",
    "{{.Code}}evil.test",
    "evil.test{{.Code}}",
    "//{{.OrgID}}/{{.Code}}",
    "https://{{.Domain}}/{{.Code}}",
    "{{.Origin}}/{{.Code}}",
    "{{.Origin}}{{.Code}}",
    "{{.Origin}}.evil",
    "{{.Origin}}@evil",
    "evil-{{.Domain}}",
    "{{.Domain}}x",
    "{{.URL}}&x={{.Code}}",
    "{{.OrgID}}/{{.Code}}",
    "{{.LastEmail}}?body={{.Code}}",
    "{{.Code}}@{{.Domain}}",
    "https://id.acme.test/{{.Code}}",
    "https://acme.example/?c={{.Code}}",
    "https://acme.example?{{.Code}}",
    "(https://acme.example,{{.Code}})",
    "help@acme.example?subject={{.Code}}",
    "{{.Code}}。evil",
    "{{.Code}}\u200b.\u200bevil",
  ])("are found if joined to a variable: %j", (text) => {
    expect(find(text).length).toBeGreaterThan(0);
  });

  it("are distinguished from joined variables", () => {
    expect(kinds("https://id.acme.test/{{.Code}}")).toEqual(["joined"]);
    expect(kinds("{{.Code}}.evil")).toEqual(["joined"]);
    expect(kinds("https://evil.test/{{.Code}}")).toEqual(["foreign"]);
  });

  it.each([
    "https://id.acme.test",
    "https://id.acme.test/account",
    "https://id.acme.test/help/start.html",
    "(https://id.acme.test/).",
    "ID.Acme.Test",
    "help@acme.example",
    "https://www.acme.example/a?b=c",
    "mailto:help@acme.example",
    "{{.URL}}",
    "Link:{{.URL}}.",
    "<{{.URL}}>",
    "@{{.Domain}} #{{.Code}}",
    "{{.Domain}}-ra, {{.Domain}}의 {{.Domain}}'den",
    "您的登录名是{{.PreferredLoginName}}。您的验证码是{{.Code}}。请在此输入。",
    "登录名：{{.LastEmail}}，验证码：{{.Code}}",
    "e.g. this, i.e. that, z.B. das, d.h. so, z. B., t.ex. så, p.ex. ça, bl.a. det, т.е. это, u.s.w.",
    "12.05.2026, 14.30 Uhr, 1.5 kg, 10:30:15, v2.0, 3.",
    "and so on... Wait... or and/or",
    "Dr.\u00a0Ada, No.1, A.B.C.",
    "+44 1234 567890, Tel.: 0123/4567, Tel:+49123",
    "{{.FirstName}}/{{.LastName}} ({{.Code}}).",
    "Code:{{.Code}}; {{.UserName}}{{.LastName}}",
    "مرحبًا {{.DisplayName}}، رمزك: {{.Code}}.",
  ])("are not reported in %j", (text) => {
    expect(find(text)).toEqual([]);
  });

  it("are located in characters, also after invisible ones", () => {
    expect(find("😀 \u200bhi evil.test")).toEqual([{ kind: "foreign", position: 6 }]);
    expect(find("%65 a evil%2etest")).toEqual([{ kind: "foreign", position: 6 }]);
    expect(find("See {{.Code}} at {{.Origin}}/x")).toEqual([{ kind: "joined", position: 17 }]);
  });

  it("are found in linear time", async () => {
    const floods = [
      "a.",
      "a@",
      "//a",
      "-",
      "1:",
      "{{.URL}}.",
      "( ",
      "%25",
      "http:",
      "{{",
      "。",
      "\u200b",
      "/a",
      "@",
      "//a.bb",
      "//id.acme.test",
    ];
    const took = (size: number) =>
      processorTime(() => {
        for (const flood of floods) find(flood.repeat(size / flood.length));
      });
    await took(1_000);
    // The text is 20 times as long; quadratic time would be 400 times as long.
    expect(await took(20_000)).toBeLessThan(150 * Math.max(3_000, await took(1_000))); // µs
  });
});

describe("the rule about addresses in the check of texts", () => {
  it("applies to every field of every message that opens or protects accounts, and to no other", () => {
    const nothing = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, "{{.Code}}"])) as never;
    for (const type of MESSAGE_TYPES)
      for (const field of fieldsOf(type)) {
        const code = carriesCode(type) ? "{{.Code}} " : "";
        const errors = lintMessageText(type, { [field]: `${code}https://evil.test` }, nothing, OWN).errors;
        const position = code.length;
        expect(errors, `${type} ${field}`).toMatchObject(
          isProtected(type) ? [{ id: "message_text.foreign_address", field, position }] : [],
        );
      }
  });

  it.each(BUILT_IN_LANGUAGES)("accepts every built-in text: %s", (language) => {
    const none: OwnHosts = { service: "id.acme.test", proven: [] };
    for (const type of MESSAGE_TYPES)
      for (const text of Object.values(builtInText(type, language)))
        expect(
          findAddresses(text, none, (name) => findVariable(type, name)?.valueKind ?? "text"),
          text,
        ).toEqual([]);
  });
});
