/**
 * The built-in texts read as texts of their language: its script, its punctuation, no English left over, no shouting.
 * Heuristics, so each finding names the words: a loan word goes on the list, a forgotten sentence is translated.
 */
import { describe, expect, it } from "vitest";
import { mailMessages } from "../../messages/mail";
import { LANGUAGES, type Language } from "./languages";
import { renderTemplate } from "./template";

/** What the console calls the message; messages/console.test.ts reads it. */
const OF_CONSOLE: readonly string[] = ["name", "about"];

/** Each text by its path, a digit in place of each variable. */
function texts(language: Language): [string, string][] {
  const found: [string, string][] = [];
  for (const [type, fields] of Object.entries(mailMessages[language]))
    for (const [field, source] of Object.entries(fields).filter(([name]) => !OF_CONSOLE.includes(name)))
      found.push([`${type}.${field}`, renderTemplate(source, () => "0", "plain")]);
  return found;
}

const words = (text: string): string[] => text.toLowerCase().match(/\p{L}[\p{L}\p{M}\u2019-]*/gu) ?? [];
const groupsOf = (size: number, text: string): string[] => {
  const all = words(text);
  return all.slice(size - 1).map((_, index) => all.slice(index, index + size).join(" "));
};

const english = texts("en").map(([, text]) => text);
const others = LANGUAGES.filter((language) => language !== "en");

describe("English in other languages", () => {
  const englishWords = new Set(english.flatMap(words).filter((word) => word.length > 1));
  const englishGroups = new Set(english.flatMap((text) => groupsOf(3, text)));

  /** Words that are spelled as in English and rightly so. */
  const SHARED: Partial<Record<Language, string>> = {
    cs: "do test to",
    de: "an browser code codes domain in link links passkey test",
    es: "factor no",
    fr: "application change code codes invitation message second",
    hu: "be is",
    id: "administrator data domain email",
    it: "account app browser in link passkey password",
    nl: "account browser code codes contact factor in is link links of open test was",
    pl: "administrator do link test to",
    pt: "as do for link links no use",
    ro: "browser factor test",
    sv: "in test",
  };

  it.each(others)("%s: none but loan words and words that only look English", (language) => {
    const found = texts(language).flatMap(([, text]) => words(text).filter((word) => englishWords.has(word)));
    expect([...new Set(found)].sort().join(" ")).toBe(SHARED[language] ?? "");
  });

  it.each(others)("%s: no three English words in a row", (language) => {
    expect(
      texts(language).flatMap(([, text]) => groupsOf(3, text).filter((group) => englishGroups.has(group))),
    ).toEqual([]);
  });

  it.each(others)("%s: no sentence is that of another language", (language) => {
    for (const other of LANGUAGES.filter((tag) => tag !== language)) {
      const theirs = new Map(texts(other));
      const same = texts(language).filter(([path, text]) => words(text).length > 4 && theirs.get(path) === text);
      expect(same, other).toEqual([]);
    }
  });
});

describe("the script of a language", () => {
  const SCRIPTS: Partial<Record<Language, RegExp>> = {
    ar: /\p{Script=Arabic}/u,
    bg: /\p{Script=Cyrillic}/u,
    ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u,
    ko: /\p{Script=Hangul}/u,
    mk: /\p{Script=Cyrillic}/u,
    ru: /\p{Script=Cyrillic}/u,
    th: /\p{Script=Thai}/u,
    uk: /\p{Script=Cyrillic}/u,
    zh: /\p{Script=Han}/u,
  };

  it.each(LANGUAGES)("%s: every letter", (language) => {
    const script = SCRIPTS[language] ?? /\p{Script=Latin}/u;
    for (const [path, text] of texts(language)) {
      const foreign = [...text].filter((character) => /\p{L}/u.test(character) && !script.test(character));
      expect(foreign.join(""), path).toBe("");
    }
  });

  // Letters by which languages of one script are told apart.
  const LETTERS: Partial<Record<Language, { has: RegExp; lacks: RegExp }>> = {
    ru: { has: /ы/, lacks: /[іїєґѓќљњџѕј]/i },
    uk: { has: /[іїє]/, lacks: /[ыэъё]/i },
    bg: { has: /ъ/, lacks: /[ыэёіїєѓќљњџѕј]/i },
    mk: { has: /ј/, lacks: /[ыэёъйюящіїє]/i },
    ja: { has: /[ぁ-ん]/, lacks: /[您们这为]/ },
    zh: { has: /您/, lacks: /[ぁ-んァ-ヶ您]\s*様|[們這為碼帳號]/ },
    cs: { has: /ř/, lacks: /[ąęłñß]/i },
    pl: { has: /[ąęł]/, lacks: /[řůňß]/i },
    hu: { has: /ő/, lacks: /[ąřãß]/i },
    ro: { has: /ț/, lacks: /[şţ]/i }, // comma below, not the cedilla of Turkish
    tr: { has: /ı/, lacks: /[șțâ]/i },
    de: { has: /ü/, lacks: /[åøñ]/i },
    sv: { has: /å/, lacks: /[üßø]/i },
    es: { has: /ñ/, lacks: /[ãõç]/i },
    pt: { has: /ç/, lacks: /ñ/i },
    fr: { has: /ê/, lacks: /[ñß]/i },
  };

  it.each(Object.entries(LETTERS))("%s: its own letters", (language, { has, lacks }) => {
    const all = texts(language as Language)
      .map(([, text]) => text)
      .join("\n");
    expect(all).toMatch(has);
    expect(all).not.toMatch(lacks);
  });
});

describe("punctuation", () => {
  it.each(LANGUAGES)("%s: calm, typographic, nothing stands alone", (language) => {
    for (const [path, text] of texts(language)) {
      expect(text, path).not.toMatch(/[!！¡]/);
      expect(text, path).not.toMatch(/["'`]|\.\.\.|--/);
      if (language !== "fr") expect(text, path).not.toMatch(/\S[ \u00a0][.,:;?]/);
    }
  });

  it("fr: a no-break space before : ; ?", () => {
    for (const [path, text] of texts("fr")) {
      expect(text, path).not.toMatch(/[^\u00a0]:/);
      expect(text, path).not.toMatch(/[^\u202f][;?]/);
    }
  });

  it.each(["ja", "zh"] as const)("%s: full-width marks", (language) => {
    for (const [path, text] of texts(language)) expect(text, path).not.toMatch(/[,.:;?()[\]]/);
  });

  it("ar: Arabic marks", () => {
    for (const [path, text] of texts("ar")) expect(text, path).not.toMatch(/[,;?]/);
  });

  it("es, th: no sentence is closed or opened as in English", () => {
    for (const [path, text] of texts("es")) expect(/\?/.test(text), path).toBe(/¿/.test(text));
    for (const [path, text] of texts("th")) expect(text, path).not.toMatch(/[.,;?]/);
  });
});
