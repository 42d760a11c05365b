/**
 * Checks the built-in texts by heuristics for their language: its script, its punctuation, no untranslated English, no
 * shouting. Each finding names the words: add a loan word to the list, translate a forgotten sentence.
 */
import { describe, expect, it } from "vitest";
import { gapsOf } from "../../messages/gaps";
import { readGlossary, scriptOf } from "../../messages/glossary";
import { mailMessages } from "../../messages/mail";
import { BUILT_IN_LANGUAGES, type BuiltInLanguage } from "../directory/policy/languages";
import { renderTemplate } from "./template";

/** What the console calls the message; messages/console.test.ts reads it. */
const OF_CONSOLE: readonly string[] = ["name", "about"];

/**
 * Returns the texts of a language by path, with a digit in place of each variable, without missing ones, which are
 * English. Computed once per language, for all pairs of languages.
 */
function texts(language: BuiltInLanguage): readonly [string, string][] {
  const known = made.get(language);
  if (known) return known;
  const found: [string, string][] = [];
  for (const [type, fields] of Object.entries(mailMessages[language]))
    for (const [field, source] of Object.entries(fields).filter(([name]) => !OF_CONSOLE.includes(name)))
      if (!gapsOf(language, "mail").has(`${type}.${field}`))
        found.push([`${type}.${field}`, renderTemplate(source, () => "0", "plain")]);
  made.set(language, found);
  return found;
}
const made = new Map<BuiltInLanguage, readonly [string, string][]>();

const words = (text: string): string[] => text.toLowerCase().match(/\p{L}[\p{L}\p{M}\u2019-]*/gu) ?? [];
const groupsOf = (size: number, text: string): string[] => {
  const all = words(text);
  return all.slice(size - 1).map((_, index) => all.slice(index, index + size).join(" "));
};

/** Returns the English originals of the texts that a language has. */
const englishOf = (language: BuiltInLanguage): string[] => {
  const own = new Set(texts(language).map(([path]) => path));
  return texts("en").flatMap(([path, text]) => (own.has(path) ? [text] : []));
};
const others = BUILT_IN_LANGUAGES.filter((language) => language !== "en");

describe("English in other languages", () => {
  it.each(others)("%s contains no English words except loan words and false friends", (language) => {
    const englishWords = new Set(
      englishOf(language)
        .flatMap(words)
        .filter((word) => word.length > 1),
    );
    const found = texts(language).flatMap(([, text]) => words(text).filter((word) => englishWords.has(word)));
    expect([...new Set(found)].sort().join(" ")).toBe(readGlossary(language).sameAsEnglish.words);
  });

  it.each(others)("%s has no three English words in a row", (language) => {
    const englishGroups = new Set(englishOf(language).flatMap((text) => groupsOf(3, text)));
    expect(
      texts(language).flatMap(([, text]) => groupsOf(3, text).filter((group) => englishGroups.has(group))),
    ).toEqual([]);
  });

  it.each(others)("%s shares no sentence with another language", (language) => {
    const sentences = texts(language).filter(([, text]) => words(text).length > 4);
    for (const other of BUILT_IN_LANGUAGES.filter((tag) => tag !== language)) {
      const theirs = new Map(texts(other));
      const same = sentences.filter(([path, text]) => theirs.get(path) === text);
      expect(same, other).toEqual([]);
    }
  });
});

describe("the script of a language", () => {
  it.each(BUILT_IN_LANGUAGES)("%s uses only letters of its script", (language) => {
    const script = scriptOf(language);
    const loanWords = new Set(readGlossary(language).loanWords?.split(" "));
    for (const [path, text] of texts(language)) {
      const own = text.replace(/\p{L}+/gu, (word) => (loanWords.has(word) ? "" : word));
      const foreign = [...own].filter((character) => /\p{L}/u.test(character) && !script.test(character));
      expect(foreign.join(""), path).toBe("");
    }
  });

  // Letters that distinguish languages of one script.
  it.each(BUILT_IN_LANGUAGES.filter((language) => readGlossary(language).letters !== undefined))(
    "%s uses its own letters",
    (language) => {
      const { has = "", lacks = "" } = readGlossary(language).letters ?? {};
      const all = texts(language)
        .map(([, text]) => text)
        .join("\n")
        .toLowerCase();
      for (const letter of has) expect(all, letter).toContain(letter);
      for (const letter of lacks) expect(all, letter).not.toContain(letter);
    },
  );
});

describe("punctuation", () => {
  it.each(BUILT_IN_LANGUAGES)("%s is calm and typographic, without isolated marks", (language) => {
    for (const [path, text] of texts(language)) {
      expect(text, path).not.toMatch(/[!！¡]/);
      expect(text, path).not.toMatch(/["'`]|\.\.\.|--/);
      if (language !== "fr") expect(text, path).not.toMatch(/\S[ \u00a0][.,:;?]/);
    }
  });

  it("fr has a no-break space before : ; ?", () => {
    for (const [path, text] of texts("fr")) {
      expect(text, path).not.toMatch(/[^\u00a0]:/);
      expect(text, path).not.toMatch(/[^\u202f][;?]/);
    }
  });

  it.each(["ja", "zh"] as const)("%s uses full-width marks", (language) => {
    for (const [path, text] of texts(language)) expect(text, path).not.toMatch(/[,.:;?()[\]]/);
  });

  it("ar uses Arabic marks", () => {
    for (const [path, text] of texts("ar")) expect(text, path).not.toMatch(/[,;?]/);
  });

  it("es, th do not use English sentence marks", () => {
    for (const [path, text] of texts("es")) expect(/\?/.test(text), path).toBe(/¿/.test(text));
    for (const [path, text] of texts("th")) expect(text, path).not.toMatch(/[.,;?]/);
  });
});
