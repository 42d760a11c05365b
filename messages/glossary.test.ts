// Checks every text of a language against its glossary: one word for each term, one form of address, its own quotation
// marks.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readGlossary, TERMS } from "./glossary";
import { locales } from "./locales";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Returns every text of the language by file and key. */
function textsOf(tag: string): Map<string, string> {
  const files = readdirSync(`${folder}${tag}`, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".json") && !["language.json", "glossary.json"].includes(file),
  );
  const flat = new Map<string, string>();
  const visit = (value: unknown, path: string) => {
    if (typeof value === "string") flat.set(path, value);
    else for (const [key, child] of Object.entries(value as object)) visit(child, `${path}.${key}`);
  };
  for (const file of files) visit(JSON.parse(readFileSync(`${folder}${tag}/${file}`, "utf8")), file);
  return flat;
}

const english = textsOf("en");
const englishTerms = readGlossary("en").terms;

/** Removes the tags and replaces values with a gap. */
const said = (text: string, tag = "en"): string => text.replace(/<[^>]*>/g, "").toLocaleLowerCase(tag);
const saidIn = (texts: ReadonlyMap<string, string>, tag: string): Map<string, string> =>
  new Map([...texts].map(([key, text]) => [key, said(text, tag)]));
const contains = (text: string, forms: readonly string[], tag: string): boolean =>
  forms.some((form) => text.includes(form.toLocaleLowerCase(tag)));

/** The English texts that contain a term; they apply to every language. */
const englishHaving = new Map(
  TERMS.map((term) => {
    const words = (englishTerms[term] ?? []).map((form) => new RegExp(`(?<![\\p{L}-])${form}`, "iu"));
    return [term, [...saidIn(english, "en")].filter(([, text]) => words.some((word) => word.test(text)))] as const;
  }),
);

/** An apostrophe is the same character as a closing mark; a straight mark is what a name must not contain. */
const QUOTES = /[“”„‟‚‛«»‹›「」『』《》]|(?<![\p{L}\p{N}])[‘’]/gu;

/** Texts that no one reads: the words by which the palette finds an action, with those that users may type. */
const UNREAD = /^console\/frame\.json\.acts\.by\.words\./;
/** Names of roles, in which a manager is not an administrator. */
const ROLE_NAMES = /^console\/directory\.json\.by\.roleName\./;

const table = readFileSync(`${folder}../docs/languages.md`, "utf8");

describe.each(locales)("the glossary of $tag", ({ tag, endonym, dir }) => {
  const { address, terms, never, neverInConsole = [], quotes } = readGlossary(tag);
  const texts = textsOf(tag);
  const spoken = saidIn(texts, tag);

  it("has one word for each term, and the texts use it", () => {
    const wrong = TERMS.flatMap((term) => {
      const having = (englishHaving.get(term) ?? []).filter(([key]) => texts.has(key));
      const using =
        tag === "en" ? having : having.filter(([key]) => contains(spoken.get(key) ?? "", terms[term] ?? [], tag));
      // Not all: a sentence may use a pronoun instead.
      if (using.length / having.length > 0.75) return [];
      const missing = having.filter((each) => !using.includes(each)).map(([key]) => `${key}: ${texts.get(key)}`);
      return [[term, missing]];
    });
    expect(wrong).toEqual([]);
  });

  it("lists expressions that no text contains", () => {
    const wrong = [...texts]
      .filter(([key]) => !UNREAD.test(key) && !(tag === "en" && ROLE_NAMES.test(key)))
      .flatMap(([key, text]) =>
        [...never, ...(key.startsWith("console/") ? neverInConsole : [])]
          .filter((pattern) => new RegExp(pattern, "u").test(text))
          .map((pattern) => [key, text, pattern]),
      );
    expect(wrong).toEqual([]);
  });

  it("uses different words for cancelling and for revoking, removing and deleting, which can be in one dialog", () => {
    const labelOf = (key: string) => texts.get(`console/${key}`);
    const confirming = ["apps", "directory"].flatMap((file) =>
      ["revoke", "remove", "delete", "deactivate"].map((verb) => labelOf(`${file}.json.${verb}`)),
    );
    expect(confirming).not.toContain(undefined);
    expect(confirming).not.toContain(labelOf("frame.json.frame.cancel"));
  });

  it("is described in docs/languages.md", () => {
    const script = new Intl.Locale(tag).maximize().script + (dir === "rtl" ? ", right to left" : "");
    const plurals = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted().join(" ");
    expect(table).toContain(`\n| ${tag} | ${endonym} | ${script} | ${address} | ${plurals} |\n`);
  });

  it("lists its quotation marks", () => {
    const hasForeign = (text: string) => [...text.matchAll(QUOTES)].some(([mark]) => !quotes.includes(mark));
    expect([...texts].filter(([, text]) => hasForeign(text))).toEqual([]);
  });
});
