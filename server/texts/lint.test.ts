import { describe, expect, it } from "vitest";
import { MESSAGE_TYPES, type MessageType } from "../message-types/table";
import type { OwnHosts } from "./addresses";
import { builtInText, type MessageText } from "./built-in";
import { checkCodeOrButton, lintMessageText } from "./lint";
import { isShortMessage, limitOf, MESSAGE_FIELDS, type MessageTextFields } from "./message-text";
import { variablesOf } from "./variables";

const OWN: OwnHosts = { service: "id.acme.test", proven: ["acme.example"] };
const lint = (type: MessageType, fields: MessageTextFields) =>
  lintMessageText(type, fields, builtInText(type, "en"), OWN);
const errors = (type: MessageType, fields: MessageTextFields) => lint(type, fields).errors;
const warnings = (type: MessageType, fields: MessageTextFields) => lint(type, fields).warnings;

describe("errors in a message text", () => {
  it.each<[MessageType, string, string, number, string?]>([
    ["password_change", "Hi {{.Password}}", "unknown_variable", 3],
    ["password_change", "Hi {{.constructor}}", "unknown_variable", 3],
    ["password_change", "{{.Usernam}}", "unknown_variable", 0, "{{.UserName}}"],
    ["password_change", "{{.username}}", "unknown_variable", 0, "{{.UserName}}"],
    ["password_change", "{{.first_name}}", "unknown_variable", 0, "{{.FirstName}}"],
    ["password_change", "{{.Email}}", "unknown_variable", 0, "{{.LastEmail}}"],
    ["password_change", "{{.Name}}", "unknown_variable", 0, "{{.DisplayName}}"],
    ["password_change", "{{.Имя}}", "unknown_variable", 0],
    ["password_change", "Enter {{.Code}}", "foreign_variable", 6],
    ["password_change", "Enter {{.OTP}}", "foreign_variable", 6],
    ["verifyemail", "Enter {{.OTP}}", "foreign_variable", 6, "{{.Code}}"],
    ["init", "{{.ApplicationName}}", "foreign_variable", 0],
    ["password_change", "a {{}}", "empty_braces", 2],
    ["password_change", "a {{ . }}", "empty_braces", 2],
    ["password_change", "😀 {{.UserName", "unclosed_braces", 2, "{{.UserName}}"],
    ["password_change", "{{.UserName} and more", "unclosed_braces", 0, "{{.UserName}}"],
    ["password_change", "{{ and {{.UserName}}", "unclosed_braces", 0],
    ["password_change", "{{UserName}}", "template_syntax", 0, "{{.UserName}}"],
    ["password_change", "{{.UserName.x}}", "template_syntax", 0, "{{.UserName}}"],
    ["password_change", "{{{.UserName}}}", "template_syntax", 0, "{{.UserName}}"],
    ["password_change", '{{printf "%s" .UserName}}', "template_syntax", 0],
    ["password_change", "{{range .LoginNames}}", "template_syntax", 0],
    ["password_change", "{{/* note */}}", "template_syntax", 0],
    ["password_change", "{{.UserName | html}}", "template_syntax", 0, "{{.UserName}}"],
    ["password_change", "ab\u0000c", "control_character", 2],
    ["password_change", "😀\u000bb", "control_character", 1],
    ["password_change", "ab\ud800c", "lone_surrogate", 2],
  ])("%s: %j is %s at %i", (type, text, id, position, suggestion) => {
    const [first, ...others] = errors(type, { text });
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: `message_text.${id}`, field: "text", position });
    expect(first?.suggestion).toBe(suggestion);
    expect(first?.message).toMatch(/[.?]$/);
  });

  it("are listed with their fields, in reading order", () => {
    const found = errors("password_change", { title: "{{.A}} {{.B", text: "{{}} x {{.Code}}" });
    expect(found.map(({ field, position }) => [field, position])).toEqual([
      ["title", 0],
      ["title", 7],
      ["text", 0],
      ["text", 7],
    ]);
  });

  it("are limited to 20", () => {
    expect(errors("password_change", { text: "{{x}}".repeat(2_000) })).toHaveLength(20);
  });

  it.each(
    MESSAGE_TYPES.flatMap((type) =>
      (type === "verifysmsotp" ? ["text" as const] : MESSAGE_FIELDS).map((field) => [type, field] as const),
    ),
  )("%s %s: takes the limit in characters and refuses one more", (type, field) => {
    const limit = limitOf(type, field);
    const code = type === "verifyphone" || type === "verifysmsotp" ? "{{.Code}}" : "";
    const full = code + "😀".repeat(limit - code.length);
    expect(errors(type, { [field]: full })).toEqual([]);
    expect(errors(type, { [field]: `${full}é` })).toMatchObject([
      { id: "message_text.too_long", field, position: limit, limit },
    ]);
  });

  it("include texts over the limits (rule TEXT-4)", () => {
    const limits = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, limitOf("password_change", field)]));
    expect(limits).toEqual({
      title: 500,
      preHeader: 500,
      subject: 500,
      greeting: 1000,
      text: 10000,
      buttonText: 500,
      footerText: 2000,
    });
  });
});

describe("a message text is accepted", () => {
  it.each(MESSAGE_TYPES)("with every variable of %s, with or without blanks in the braces", (type) => {
    const code = isShortMessage(type) ? "{{.Code}}" : "";
    for (const { name, aliases } of variablesOf(type))
      for (const spelling of [name, ...aliases])
        expect(errors(type, { text: `${code} {{.${spelling}}} {{ .${spelling} }}` }), spelling).toEqual([]);
  });

  it.each([
    "{ a }",
    "100 % }",
    "\u0024{7*7}",
    "<%= 7 %>",
    "a < b && c > d",
    "line\r\nline\ttab",
    "👩‍👩‍👧 مرحبًا \u200f!",
    "مرحبًا",
  ])("with the literal text %j", (text) => {
    expect(errors("password_change", { text })).toEqual([]);
  });

  it("if it is empty or has fields that the type lacks", () => {
    expect(lint("password_change", {})).toEqual({ errors: [], warnings: [] });
    expect(lint("password_change", { text: "" })).toEqual({ errors: [], warnings: [] });
    expect(lint("verifysmsotp", { title: "{{.Nonsense" })).toEqual({ errors: [], warnings: [] });
  });
});

describe("the check for a code or a button", () => {
  const blankButton = { buttonText: " \u200b{{.NickName}}" };

  it.each<[MessageType, MessageTextFields]>([
    ["verifyemail", { ...blankButton, text: "Hello" }],
    ["verifyemailotp", { ...blankButton, text: "Hello", preHeader: "{{.Code}}" }],
    ["invite_user", { ...blankButton, text: "Hello" }],
    ["verifyphone", { text: "Hello" }],
    ["verifyphone", { text: "Hello", title: "{{.Code}}", buttonText: "Confirm" }],
    ["verifysmsotp", { text: "Hello {{.Domain}}" }],
    ["passwordless_registration", blankButton],
  ])("%s: refuses %j", (type, fields) => {
    expect(errors(type, fields)).toMatchObject([{ id: "message_text.no_code_or_button" }]);
  });

  it.each<[MessageType, MessageTextFields]>([
    ["verifyemail", { text: "Press the button" }],
    ["verifyemail", { ...blankButton, text: "{{ .Code }}" }],
    ["verifyemail", { ...blankButton, subject: "{{.Code}} is your code", text: "See above" }],
    ["verifyemail", blankButton],
    ["verifyemailotp", { ...blankButton, text: "{{.OTP}}" }],
    ["verifyphone", { text: "{{.Code}}", buttonText: " " }],
    ["verifysmsotp", { text: "{{.OTP}}" }],
    ["password_change", { ...blankButton, text: "Changed." }],
    ["domainclaimed", { ...blankButton, text: "Claimed." }],
  ])("%s: accepts %j", (type, fields) => {
    expect(errors(type, fields)).toEqual([]);
  });

  it("uses the text after fallback", () => {
    const instance: MessageText = { ...builtInText("verifyemail", "en"), buttonText: " " };
    expect(lintMessageText("verifyemail", { text: "Hello" }, instance, OWN).errors).toHaveLength(1);
    expect(lintMessageText("verifyemail", { title: "Hello" }, instance, OWN).errors).toEqual([]);
  });

  it("accepts every built-in text", () => {
    for (const type of MESSAGE_TYPES) expect(checkCodeOrButton(type, builtInText(type, "en"))).toBeUndefined();
  });
});

describe("warnings about a message text", () => {
  it.each<[MessageType, MessageTextFields, string, number, string?]>([
    ["password_change", { subject: "x".repeat(71) }, "long_subject", 0],
    ["password_change", { subject: `${"x".repeat(60)}{{.LastEmail}}` }, "long_subject", 0],
    ["password_change", { greeting: " " }, "missing_greeting", 0],
    ["password_change", { title: "Your password was changed" }, "same_as_fallback", 0],
    ["password_change", { greeting: "Hello {{.NickName}}" }, "often_empty", 6, "{{.DisplayName}}"],
    ["password_change", { text: "Call {{.VerifiedPhone}}" }, "often_empty", 5],
    ["password_change", { text: "😀 <b>bold</b>" }, "markup", 2],
    ["password_change", { text: "a&nbsp;b" }, "markup", 1],
    ["password_change", { text: "Hi {.UserName}" }, "stray_braces", 3, "{{.UserName}}"],
    ["password_change", { text: "Hi .UserName}}" }, "stray_braces", 12],
    ["password_change", { subject: "one\ntwo" }, "line_break", 3],
    ["password_change", { buttonText: "one\r\ntwo" }, "line_break", 3],
    ["passwordreset", { text: "Press the button" }, "missing_code", 0, "{{.Code}}"],
    ["domainclaimed", { text: "Claimed" }, "missing_login_name", 0, "{{.TempUsername}}"],
  ])("%s %j: %s at %i", (type, fields, id, position, suggestion) => {
    expect(errors(type, fields)).toEqual([]);
    const found = warnings(type, fields);
    expect(found).toMatchObject([{ id: `message_text.${id}`, position }]);
    expect(found[0]?.suggestion).toBe(suggestion);
  });

  it.each<[MessageType, MessageTextFields]>([
    ["password_change", { subject: "Your password at Acme was changed\n" }],
    ["password_change", { title: "Your password\nwas changed" }],
    ["password_change", { greeting: "Dear {{.FirstName}} {{.LastName}}" }],
    ["password_change", { text: "Sent to {{.VerifiedEmail}}. Questions? <help@acme.example>, 3 < 4 & 5 > 4" }],
    ["password_change", { footerText: " " }],
    ["verifyphone", { text: "{{.Code}} for {{.LastPhone}}", greeting: " " }],
    ["verifyemail", { text: "Confirm {{.LastEmail}}: {{.Code}}" }],
    ["init", { text: "Press the button, {{.UserName}}" }],
    ["invite_user", { text: "Press the button" }],
  ])("%s %j: no false alarm", (type, fields) => {
    expect(lint(type, fields)).toEqual({ errors: [], warnings: [] });
  });
});
