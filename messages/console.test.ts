// Every language of the console uses the same values as English and leaves no text in English, and every text is used.
// A key that a language lacks is not an error (scripts/languages.mjs).
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { consoleLocales, consoleMessages } from "./console";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the texts of the language's own files; in `consoleMessages`, missing ones are English. */
function ownTexts(tag: string): Map<string, string> {
  const files = readdirSync(`${root}messages/${tag}/console`);
  const areas = files.map((file) => {
    const area = file.replace(/\.json$/, "");
    const content = JSON.parse(readFileSync(`${root}messages/${tag}/console/${file}`, "utf8")) as object;
    return area === "frame" ? content : { [area]: content };
  });
  return flatten(Object.assign({}, ...areas));
}

const texts = (tag: string) => flatten(consoleMessages[tag]);

function flatten(messages: unknown): Map<string, string> {
  const flat = new Map<string, string>();
  const visit = (value: unknown, path: string) => {
    if (typeof value === "string") flat.set(path, value);
    else for (const [key, child] of Object.entries(value as object)) visit(child, path ? `${path}.${key}` : key);
  };
  visit(messages, "");
  return flat;
}

/** Lists each placeholder once, because languages have different numbers of plural forms. */
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]|<(\w+)>/g)].map(([match]) => match))].sort();

/** A word or two may be identical in another language: App, Name, Client ID. */
const isSentence = (text: string) =>
  text
    .replace(/\{\w+(, number)?\}/g, "")
    .trim()
    .split(/\s+/).length > 2;

const english = texts("en");

/** Names of products, which are the same in most languages. */
const isProductName = (key: string) => key.includes("by.providerKind.");

describe.each(consoleLocales.filter((tag) => tag !== "en"))("the console in %s", (tag) => {
  const translated = ownTexts(tag);

  it("has no key that English lacks", () => {
    expect([...translated.keys()].filter((key) => !english.has(key))).toEqual([]);
  });

  it("uses the same values", () => {
    const needs = (text = "") => placeholders(text).join(" ");
    expect([...translated].filter(([key, text]) => needs(text) !== needs(english.get(key)))).toEqual([]);
  });

  it("is translated", () => {
    const same = [...english].filter(
      ([key, text]) => isSentence(text) && !isProductName(key) && translated.get(key) === text,
    );
    expect(same.map(([key]) => key)).toEqual([]);
  });
});

describe("The wording of the console", () => {
  const files = ["app/console", "components/console"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(`${root}${folder}/${name}`, "utf8")),
  );
  const source = files.join("\n");

  it("has no exclamation marks and no empty texts", () => {
    const isWrong = (text: string) => text.trim() !== text || /^$|!|\b(oops|ups|sorry|leider)\b/i.test(text);
    const all = consoleLocales.flatMap((tag) => [...texts(tag)].map(([key, text]) => [tag, key, text] as const));
    const wrong = all.filter(([, , text]) => isWrong(text));
    expect(wrong).toEqual([]);
  });

  it("is used completely, and contains all texts of the pages", () => {
    const byValue = /^(states|types|pages)\.|\.by\./; // keys that contain a value: <area>.by.<what>.<value>
    const keys = [...english.keys()].filter((key) => !byValue.test(key));
    const hints = [...source.matchAll(/\bwithHint\(t, "([\w.]+)"\)/g)].flatMap(([, key]) => [`${key}`, `${key}Hint`]);
    const said = [...source.matchAll(/\bt(?:\.rich)?\(\s*"([\w.]+)"/g)].map(([, key]) => key ?? "").concat(hints);
    expect(keys.filter((key) => !source.includes(`"${key}"`) && !hints.includes(key))).toEqual([]);
    expect(said.filter((key) => !english.has(key))).toEqual([]);
  });
});

it("French has a no-break space before : ; ? and inside guillemets, so that no line starts with the mark", () => {
  const breaks = [...ownTexts("fr")].filter(([, text]) => /\p{L} [:;?!](\s|$)|« | »/u.test(text));
  expect(breaks).toEqual([]);
});
