import { simpleParser } from "mailparser";
import { describe, expect, it } from "vitest";
import { directionOf } from "../../messages/locales";
import type { FrameMessages } from "../../messages/mail";
import { BUILT_IN_LANGUAGES, type BuiltInLanguage, type Language } from "../directory/policy/languages";
import { MESSAGE_TYPES, type MessageType } from "../message-types/table";
import { everyCell } from "../testing/cells";
import { builtInText, emailStrings } from "../texts/built-in";
import { MESSAGE_FIELDS } from "../texts/message-text";
import { sampleValues } from "../texts/variables";
import { neutralBranding } from "./branding";
import { type MessageToRender, renderMessage } from "./render";

function message(type: MessageType, language: BuiltInLanguage, given: Partial<MessageToRender> = {}): MessageToRender {
  return {
    type,
    language,
    fields: builtInText(type, language),
    values: sampleValues(type),
    branding: neutralBranding("ACME"),
    direction: directionOf(language),
    frame: emailStrings(language),
    buttonUrl: "https://id.example.com/login?a=1&b=2",
    expiry: "14:00 UTC",
    ...given,
  };
}

const RESET = { code: "W9QX-3HTA", url: "https://id.example.com/new-password-here" };

const words = (html: string) =>
  html
    .replace(/<(style|title)[^>]*>.*?<\/\1>|<!--.*?-->|<[^>]+>/gs, "")
    .replace(/\s+/g, " ")
    .trim();

describe("every built-in text in every language", () => {
  const languages = BUILT_IN_LANGUAGES.map((language) => [language, language] as const);

  it.each(MESSAGE_TYPES)("%s", (type) => everyCell(languages, (language) => isWhole(type, language)));

  function isWhole(type: MessageType, language: BuiltInLanguage) {
    const { subject, html, text, headers } = renderMessage(message(type, language));
    expect(text).not.toContain(RESET.url);
    const known = renderMessage(message(type, language, { reset: RESET }));
    expect([known.text, known.html].map((part) => part.split(RESET.code).length)).toEqual([2, 2]);
    expect(known.text.split(RESET.url)).toHaveLength(2);
    expect(known.html).toContain(`href="${RESET.url}"`);
    for (const part of [subject, html.replace(/<style>.*?<\/style>/s, ""), text]) {
      expect(part).not.toMatch(/\{\{|\}\}|undefined|null\b|\[object|<no value>|&lt;/);
    }
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject.length).toBeLessThan(100);
    expect(html).toContain(`<html dir="${directionOf(language)}" lang="${language}">`);
    expect(html.length).toBeLessThan(30_000);
    expect(html).not.toMatch(/<img|<script|<link|url\(|@import|<iframe|<form/i);
    expect(headers["Content-Language"]).toBe(language);
    const samples = sampleValues(type);
    if (samples.Code !== undefined) expect(text).toContain(samples.Code);
    if (type === "verifysmsotp") return; // no title and no button
    expect(subject).not.toBe("");
    expect(words(html)).toContain(builtInText(type, language).buttonText);
    expect(html).toContain('href="https://id.example.com/login?a=1&amp;b=2"');
    expect(text).toContain("https://id.example.com/login?a=1&b=2");
  }
});

describe("a mail in a language that was added (rule TEXT-13)", () => {
  const fields = { ...builtInText("new_device", "en"), subject: "چوونەژوورەوە", greeting: "سڵاو {{.DisplayName}}،" };
  const ckb = (fallback: BuiltInLanguage, given: Partial<MessageToRender> = {}) =>
    renderMessage({
      ...message("new_device", fallback, { fields, isTest: true, ownHost: "id.test" }),
      language: "ckb" as Language,
      direction: "rtl",
      notice: { facts: [{ word: "when", value: "now" }], disownUrl: "https://id.test/not-me" },
      fallback: {
        language: fallback,
        fields: new Set(MESSAGE_FIELDS.filter((field) => field !== "subject" && field !== "greeting")),
        words: new Set(Object.keys(emailStrings(fallback)) as (keyof FrameMessages)[]),
        values: { ...sampleValues("new_device"), DisplayName: "Fallback", When: "14 March 2025" },
      },
      ...given,
    });
  /** Returns the texts of the elements with language attributes, and the other texts. */
  function writings(html: string, attributes: string) {
    const parts = [...html.matchAll(/<(p|h1|a|div)\b([^>]*)>((?:(?!<\/?(?:p|a|h1|div|table)\b).)*)<\/\1>/gs)];
    const text = (part = "") => words(part.replaceAll("<br/>", " "));
    const [marked, others]: [string[], string[]] = [[], []];
    for (const [, , given = "", inner] of parts) (given.includes(attributes) ? marked : others).push(text(inner));
    return { marked, others: others.filter((other) => /\p{L}/u.test(other)) };
  }

  it("marks each part that falls back with its language and direction, and no other", () => {
    const { html, text } = ckb("en");
    const { marked, others } = writings(html, 'lang="en" dir="ltr"');
    const frame = emailStrings("en");
    const { title, buttonText } = builtInText("new_device", "en");
    for (const part of [title, buttonText, frame.linkFallback, frame.disown, frame.testNote, frame.automatic]) {
      expect(marked, part).toContain(part);
    }
    expect(marked).toContain("When: now");
    expect(marked.some((part) => part.includes("14 March 2025"))).toBe(true);
    const links = /^https:/;
    expect(others.filter((part) => !links.test(part))).toEqual(["ACME", "سڵاو Ada Lovelace،"]);
    expect(text).not.toMatch(/[\u2066-\u2069]/);
  });

  it("marks only the language if the direction is the same", () => {
    expect(writings(ckb("ar").html, 'lang="ar" dir="rtl"').marked).toContain(emailStrings("ar").automatic);
  });

  it("marks only the parts that a built-in language lacks", () => {
    const own = { ...builtInText("new_device", "he"), title: "A new device" };
    const fallback = {
      language: "en" as const,
      fields: new Set(["title" as const]),
      words: new Set(["automatic" as const]),
      values: sampleValues("new_device"),
    };
    const { html } = renderMessage(message("new_device", "he", { fields: own, fallback }));
    expect(writings(html, 'lang="en" dir="ltr"').marked).toEqual(["A new device", emailStrings("he").automatic]);
  });

  it("marks nothing in a language that is built in", () => {
    const { html } = renderMessage(message("new_device", "he"));
    expect(html.split(' lang="').length - 1).toBe(2); // one on the document and one on its body for web mail
  });
});

describe("the service's own line in messages that open accounts", () => {
  it.each(BUILT_IN_LANGUAGES)("%s: precedes everything that can be edited, isolated from its direction", (language) => {
    const flood = { title: "T\n".repeat(250), greeting: "\n".repeat(1_000), text: "x\n\n".repeat(3_000) };
    const fields = { ...builtInText("passwordreset", language), ...flood, preHeader: "" };
    const { html, text } = renderMessage(message("passwordreset", language, { ownHost: "id.acme.test:8443", fields }));
    const [before, after] = emailStrings(language).onlyHere.split("{{.Host}}");
    expect(text.startsWith(`${before}id.acme.test:8443${after}\n\n`)).toBe(true);
    const isolated = html.indexOf("<bdi>id.acme.test:8443</bdi>");
    expect(isolated).toBeGreaterThan(0);
    // Web mail truncates long mails at 102 kB.
    expect(isolated).toBeLessThan(Math.min(20_000, html.indexOf("<h1")));
  });

  it("is absent from other messages", () => {
    const { html, text } = renderMessage(message("password_change", "en"));
    expect(`${html} ${text}`).not.toContain("Only ever");
  });
});

describe("the mail layout", () => {
  it("isolates the direction of a notice's values, and keeps a code unbroken", () => {
    const facts = [{ word: "when" as const, value: "2025-03-14 09:26 UTC" }];
    const { html, text } = renderMessage(message("new_device", "ar", { notice: { facts }, expiry: "14:00 UTC" }));
    expect(html).toContain("<bdi>2025-03-14 09:26 UTC</bdi>");
    expect(html).toContain("<bdi>14:00 UTC</bdi>");
    expect(text).toContain("الوقت: 2025-03-14 09:26 UTC");
    expect(renderMessage(message("passwordreset", "ar")).html).toMatch(/white-space:nowrap">K7M4-PX2Q</);
  });

  it("has the same content in both parts", () => {
    const { html, text } = renderMessage(message("passwordreset", "de"));
    for (const line of text.split("\n").filter((line) => line !== "" && line !== "--")) {
      expect(words(html).replaceAll("&amp;", "&")).toContain(line);
    }
  });

  it("keeps lines and paragraphs of a text, and omits empty fields", () => {
    const fields = {
      ...builtInText("password_change", "en"),
      text: "One\nTwo\r\n\r\n\n Three {{.NickName}}\n\n{{.LastPhone}}",
    };
    const { html, text } = renderMessage(message("password_change", "en", { fields, values: { NickName: "N" } }));
    expect(html).toContain("One<br/>Two</p>");
    expect(text).toContain("One\nTwo\n\n Three N\n\nSign in");
  });

  it("has one heading, presentation tables, and an address below the button", () => {
    const { html } = renderMessage(message("password_change", "en"));
    expect(html).toContain(
      'role="article" aria-roledescription="email" aria-label="Your password was changed" lang="en"',
    );
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html.match(/<table(?![^>]*role="presentation")/g)).toBeNull();
    expect(html).toMatch(/>https:\/\/id\.example\.com\/login\?a=1&amp;b=2<\/a>/);
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain("prefers-color-scheme:dark");
    expect(html).toContain("max-width:600px");
  });

  it("loads only the organization's own logo", () => {
    const logo = { url: "https://id.example.com/assets/v1/digest", width: 120, height: 40 };
    const branding = { ...neutralBranding("ACME"), logo };
    const { html } = renderMessage(message("password_change", "en", { branding }));
    expect([...html.matchAll(/src="([^"]+)"/g)].map(([, src]) => src)).toEqual([logo.url]);
    expect(html).toContain('alt="ACME"');
  });

  it("has no button without a URL", () => {
    const { html, text } = renderMessage(message("password_change", "en", { buttonUrl: undefined }));
    expect(html).not.toContain("<a ");
    expect(text).not.toContain("Sign in");
  });

  it("marks a trial", () => {
    const { subject, text } = renderMessage(message("password_change", "en", { isTest: true }));
    expect(subject).toBe("[Test] Your password was changed");
    expect(text).toContain("This is a test message.");
  });
});

describe("hostile values (template, HTML and header injection)", () => {
  const hostile = (name: string) => {
    const fields = { ...builtInText("password_change", "en"), subject: "For {{.DisplayName}}" };
    return renderMessage(message("password_change", "en", { fields, values: { DisplayName: name } }));
  };

  it.each([
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title><style>*{display:none}</style>",
    "<meta http-equiv=refresh content=0;url=//evil.test>",
    "--><!--[if mso]><b>",
  ])("shows %s as text", (name) => {
    const { html } = hostile(name);
    expect(html).not.toContain(name);
    expect(html.match(/<(script|img|meta http-equiv=refresh|b)\b/g)).toBeNull();
    expect(html.match(/<style/g)).toHaveLength(1);
  });

  it.each(["{{.LastEmail}}", "{{.Code}}", "{{", "}}", ["$", "{7*7}"].join(""), "<%= 7*7 %>"])(
    "does not read %s as a template",
    (name) => {
      const { text, subject } = hostile(name);
      expect(subject).toBe(`For ${name}`);
      expect(text).toContain(`Hello ${name},`);
    },
  );

  it("prevents values from adding a line or a header or reversing the text", async () => {
    const { subject, text, html } = hostile("Eve\r\nBcc: x@evil\u2028\u202egnp\u0000");
    expect(subject).toBe("For Eve Bcc: x@evil gnp");
    expect(text).toContain("Hello Eve Bcc: x@evil gnp");
    for (const character of "\0\u2028\u202e") expect(html).not.toContain(character);
    const parsed = await simpleParser(`Subject: ${subject}\r\n\r\n${text}`);
    expect(parsed.bcc).toBeUndefined();
  });

  it("does not turn a name into a link", () => {
    const { text, html } = hostile("Visit https://evil.test/win now");
    expect(text).toContain("Hello Visit now,");
    expect(html).not.toContain("evil.test");
  });

  it("accepts a long and unusual name", () => {
    expect(hostile("👩‍👩‍👧‍👦".repeat(200)).html.length).toBeLessThan(30_000);
  });
});
