// Every language of the interface uses the same values as English, and no text is left in English. A key that a
// language lacks is not an error: the English text is shown until the languages are updated together
// (scripts/languages.mjs). mail.json has its own test (server/texts/built-in.test.ts), the console too
// (console.test.ts).
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readGlossary, scriptOf } from "./glossary";
import { locales } from "./locales";
import { loginMessages } from "./login";

/** Files that do not contain texts of the pages. */
const OTHERS = ["language.json", "mail.json", "glossary.json"];

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(`${folder}en`).filter((file) => /\.json$/.test(file) && !OTHERS.includes(file));
const translations = locales
  .filter(({ tag }) => tag !== "en")
  .flatMap(({ tag }) => files.map((file) => [tag, file] as const));

function texts(tag: string, file: string): Map<string, string> {
  const flat = new Map<string, string>();
  const visit = (value: unknown, path: string) => {
    if (typeof value === "string") flat.set(path, value);
    else for (const [key, child] of Object.entries(value as object)) visit(child, path ? `${path}.${key}` : key);
  };
  visit(JSON.parse(readFileSync(`${folder}${tag}/${file}`, "utf8")), "");
  return flat;
}

interface Needs {
  /** The values as `name:kind`, and the tags as `<tag>`. */
  values: string[];
  /** The cases of each plural, in order. */
  plurals: string[][];
}

/**
 * Returns the values, tags and plurals of a text: ICU MessageFormat read from its braces, including texts inside plural
 * cases.
 */
function needsOf(text: string, needs: Needs = { values: [], plurals: [] }): Needs {
  for (const [, tag] of withoutBraced(text).matchAll(/<(\w+)>/g)) needs.values.push(`<${tag}>`);
  for (const inside of braced(text)) {
    const [, name, kind, rest = ""] = /^\s*(\w+)\s*(?:,\s*(\w+)\s*,?([\s\S]*))?$/.exec(inside) ?? [];
    needs.values.push(`${name}:${kind ?? "text"}`);
    if (kind !== "plural") continue;
    needs.plurals.push([...withoutBraced(rest).matchAll(/[=\w]+/g)].map(String));
    for (const said of braced(rest)) needsOf(said, needs);
  }
  return needs;
}

/** Returns the contents of the outermost braces, in order. */
function braced(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{" && depth++ === 0) start = at + 1;
    if (text[at] === "}" && --depth === 0) found.push(text.slice(start, at));
  }
  return found;
}

const withoutBraced = (text: string) => braced(text).reduce((rest, inside) => rest.replace(`{${inside}}`, " "), text);
const valuesOf = (text: string) => [...new Set(needsOf(text).values)].sort();

describe("The languages", () => {
  it("have one folder each, and every folder is a language", () => {
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .filter(({ name }) => readdirSync(folder + name).some((file) => /\.json$/.test(file) && !OTHERS.includes(file)));
    expect(folders.map(({ name }) => name).sort()).toEqual(locales.map(({ tag }) => tag).sort());
    expect(Object.keys(loginMessages).sort()).toEqual(locales.map(({ tag }) => tag).sort());
  });

  it.each(locales)(
    "$tag is a canonical BCP 47 tag with its own name for itself and its direction",
    ({ tag, endonym, dir }) => {
      expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
      // Intl returns "Indonesia", which is also the name of the country.
      const name = tag === "id" ? "Bahasa Indonesia" : new Intl.DisplayNames(tag, { type: "language" }).of(tag);
      expect(endonym).toBe(name);
      const { script = "" } = new Intl.Locale(tag).maximize();
      expect(dir).toBe(["Arab", "Hebr"].includes(script) ? "rtl" : "ltr");
    },
  );
});

describe.each(translations)("%s/%s", (tag, file) => {
  const english = texts("en", file);
  const translated = texts(tag, file);

  it("has no key that English lacks", () => {
    expect([...translated.keys()].filter((key) => !english.has(key))).toEqual([]);
  });

  it("uses the same values", () => {
    for (const [key, text] of translated)
      expect({ key, needs: valuesOf(text) }).toEqual({ key, needs: valuesOf(english.get(key) ?? "") });
  });

  it("has every plural form of the language and no other (CLDR)", () => {
    const wanted = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();
    for (const [key, text] of translated)
      for (const cases of needsOf(text).plurals)
        expect({ key, cases: cases.filter((name) => !name.startsWith("=")).sort() }).toEqual({ key, cases: wanted });
  });

  it("closes the tags it opens", () => {
    for (const [key, text] of translated) {
      const count = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
      expect({ key, closed: count(/<\/(\w+)>/g) }).toEqual({ key, closed: count(/<(\w+)>/g) });
    }
  });

  it("is written in the letters of the language", () => {
    const mostly = new RegExp(scriptOf(tag), "gu");
    const all = [...translated.values()].join(" ").replace(/<[^>]*>|\{\s*\w+(,\s*\w+)?|[=\w]+(?= ?\{)|\}/g, " ");
    const letters = all.match(/\p{Letter}/gu)?.length ?? 0;
    expect((all.match(mostly)?.length ?? 0) / letters).toBeGreaterThan(0.75);
  });

  it("is translated", () => {
    const same = [...english].filter(([key, text]) => translated.get(key) === text).map(([key]) => key);
    expect(same).toEqual(readGlossary(tag).sameAsEnglish.keys);
  });
});

describe("The wording", () => {
  it.each(locales)("of $tag has no exclamation marks and no empty texts", ({ tag }) => {
    for (const file of files)
      for (const [key, text] of texts(tag, file)) {
        expect(text.trim(), key).toBe(text);
        expect(text, key).not.toBe("");
        expect(text, key).not.toMatch(/!|\b(oops|ups|sorry|leider)\b/i);
      }
  });

  it("is used: every text of the public pages occurs on one", () => {
    const sources = ["components/login", "components/ui", "server/service", "server/web"].flatMap((path) => {
      const base = `${folder}../${path}/`;
      return readdirSync(base, { recursive: true, encoding: "utf8" })
        .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
        .map((name) => readFileSync(base + name, "utf8"));
    });
    const source = sources.join("\n");
    const unused = [...texts("en", "login.json").keys()].filter(
      (key) => !source.includes(`"${key}"`) && !source.includes(`"${key.replace(/\.(title|text)$/, "")}"`),
    );
    expect(unused).toEqual([]);
  });
});
