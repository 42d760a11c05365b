/**
 * Golden test of the built-in texts: every type in every language, filled in with samples for every context. The
 * rejected patterns have been seen in mails of real services: visible braces and tags, "undefined", English in other
 * languages.
 */
import { describe, expect, it } from "vitest";
import { readGlossary } from "../../messages/glossary";
import { locales } from "../../messages/locales";
import { mailMessages } from "../../messages/mail";
import { BUILT_IN_LANGUAGES, type BuiltInLanguage } from "../directory/policy/languages";
import { definitionOf, MESSAGE_TYPES, type MessageType } from "../message-types/table";
import { everyCell } from "../testing/cells";
import { builtInText, emailStrings, type MessageText } from "./built-in";
import { lintMessageText } from "./lint";
import { fieldsOf, MESSAGE_FIELDS } from "./message-text";
import { closestLanguage } from "./resolve";
import { codePoints, parseTemplate, renderTemplate } from "./template";
import { carriesCode, lookUpIn, sampleValues } from "./variables";

const places = ["html", "plain", "header"] as const;
const languages = BUILT_IN_LANGUAGES.map((language) => [language, language] as const);
const types = MESSAGE_TYPES.map((type) => [type, type] as const);
const nothing = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, ""])) as MessageText;

const variablesIn = (text: string): string[] =>
  parseTemplate(text).flatMap((segment) => (segment.kind === "variable" ? [segment.name] : []));
const sample = (type: MessageType, text: string, place: (typeof places)[number]) =>
  renderTemplate(text, lookUpIn(type, sampleValues(type)), place);

describe.each(BUILT_IN_LANGUAGES)("%s, every type,", (language) => {
  const checked = (check: (type: MessageType, text: MessageText, fields: ReturnType<typeof fieldsOf>) => void) =>
    everyCell(types, (type) => check(type, builtInText(type, language), fieldsOf(type)));

  it("has all required fields, well formed", () =>
    checked((type, text, fields) => {
      for (const field of fields) {
        expect(text[field], field).not.toBe("");
        expect(text[field].trim(), field).toBe(text[field]);
        expect(text[field].includes("\n") && field !== "text", field).toBe(false);
      }
      expect(MESSAGE_FIELDS.filter((field) => text[field] !== "")).toEqual(fields);
      expect(lintMessageText(type, text, nothing, { service: "id.acme.test", proven: [] })).toEqual({
        errors: [],
        warnings: [],
      });
      if (fields.includes("preHeader")) expect(text.preHeader).not.toBe(text.subject);
    }));

  it("renders completely in every context", () =>
    checked((type, text, fields) => {
      for (const field of fields)
        for (const place of places) {
          const shown = sample(type, text[field], place);
          expect(shown, field).not.toMatch(/[{}<>]|undefined|\bnull\b|\[object|no value/i);
          expect(shown, field).not.toMatch(/ {2}|\s$|^\s/);
        }
      expect(codePoints(sample(type, text.subject, "header"))).toBeLessThanOrEqual(60);
    }));

  it("contains the variables that readers need", () =>
    checked((type, text, fields) => {
      const english = builtInText(type, "en");
      for (const field of fields)
        expect(new Set(variablesIn(text[field])), field).toEqual(new Set(variablesIn(english[field])));
      if (carriesCode(type)) expect(variablesIn(text.text)).toContain("Code");
      if (type === "domainclaimed")
        expect(variablesIn(text.text)).toEqual(expect.arrayContaining(["Domain", "TempUsername"]));
      if (fields.includes("greeting")) expect(variablesIn(text.greeting)).toEqual(["DisplayName"]);
    }));

  // Below a notice is the link "This wasn't me", which does more than a password change.
  it("does not ask for a password change where a link secures the account", () => {
    const password = new RegExp(readGlossary(language).terms.password?.join("|") ?? "", "iu");
    return checked((type, { preHeader, text, footerText }) => {
      if (!definitionOf(type).notice?.isDisownable) return;
      const said = type === "password_change" ? [footerText] : [preHeader, text, footerText];
      for (const field of said) expect(field).not.toMatch(password);
      expect(text).not.toContain("\n\n"); // alternative instructions
    });
  });
});

describe("a short message with a one-time code", () => {
  // Browsers fill in the code if the last line names the site (WICG, origin-bound one-time codes).
  it("ends in the line browsers understand", () =>
    everyCell(languages, (language) => {
      expect(builtInText("verifysmsotp", language).text.split("\n").at(-1)).toBe("@{{.Domain}} #{{.Code}}");
    }));
});

describe("the words of the mail layout", () => {
  it("have the same keys and variables as in English", () =>
    everyCell(languages, (language) => {
      const words = emailStrings(language);
      const english = emailStrings("en");
      expect(Object.keys(words)).toEqual(Object.keys(english));
      for (const key of Object.keys(english) as (keyof typeof english)[])
        expect(variablesIn(words[key]), key).toEqual(variablesIn(english[key]));
      expect(renderTemplate(words.expires, () => "2025", "plain")).toMatch(/2025$/);
    }));
});

describe("the catalogue", () => {
  it("has exactly the known languages and types, without unknown members", () => {
    expect(Object.keys(mailMessages).sort()).toEqual([...BUILT_IN_LANGUAGES].sort());
    for (const language of BUILT_IN_LANGUAGES) {
      const { frame, ...types } = mailMessages[language];
      expect(Object.keys(frame)).not.toHaveLength(0);
      expect(Object.keys(types)).toEqual(MESSAGE_TYPES);
      for (const type of MESSAGE_TYPES) expect(Object.keys(types[type])).toEqual(["name", "about", ...fieldsOf(type)]);
    }
  });

  it("has canonical tags, each with its own name for itself and its direction", () =>
    everyCell(languages, (tag) => {
      expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
      const { endonym = "", dir } = locales.find((locale) => locale.tag === tag) ?? {};
      expect(endonym.endsWith(new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? "?")).toBe(true);
      expect(dir).toBe(["Arab", "Hebr"].includes(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr");
    }));
});

describe("the language of a tag", () => {
  it.each<[string, BuiltInLanguage | undefined, string?]>([
    ["de", "de", "exact"],
    ["DE", "de", "exact"],
    ["de-CH", "de", "base"],
    ["pt-BR", "pt", "base"],
    ["zh-Hant-TW", "zh", "base"],
    ["is", undefined],
    ["xx", undefined],
    ["", undefined],
    ["../de", undefined],
    ["constructor", undefined],
  ])("%j: %s (%s)", (wanted, language, match) => {
    expect(closestLanguage(wanted, BUILT_IN_LANGUAGES)).toEqual(language && { language, match });
  });
});
