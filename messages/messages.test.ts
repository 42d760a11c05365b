// Every language of the interface says the same things: same keys, same values filled in, nothing left in English.
// Holds for every file of its folder, so a new language is checked by being there. mail.json exists in more languages
// and has its own test (server/texts/built-in.test.ts), console.json in fewer (console.test.ts).
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { locales } from "./locales";
import { loginMessages } from "./login";

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(`${folder}en`).filter((file) => !/^(mail|console)\.json$/.test(file));
const translations = locales
  .filter(({ tag }) => tag !== "en")
  .flatMap(({ tag }) => files.map((file) => [tag, file] as const));

/** Texts that are rightly the same in another language. */
const SAME: Readonly<Record<string, readonly string[]>> = { de: ["code.label", "secondFactor.passkey"] };

function texts(tag: string, file: string): Map<string, string> {
  const flat = new Map<string, string>();
  const visit = (value: unknown, path: string) => {
    if (typeof value === "string") flat.set(path, value);
    else for (const [key, child] of Object.entries(value as object)) visit(child, path ? `${path}.${key}` : key);
  };
  visit(JSON.parse(readFileSync(`${folder}${tag}/${file}`, "utf8")), "");
  return flat;
}

/** Values and tags a text needs, with the kind of each value: `{count, plural` and `<bdi>`. */
function placeholders(text: string): string[] {
  const values = [...text.matchAll(/\{\s*(\w+)\s*(?:,\s*(\w+))?/g)]
    .filter(([match]) => !/^\{\s*[A-Z]?\w* /.test(match) || match.includes(","))
    .map(([, name, kind]) => `${name}:${kind ?? "text"}`);
  const tags = [...text.matchAll(/<(\w+)>/g)].map(([, tag]) => `<${tag}>`);
  return [...new Set([...values, ...tags])].sort();
}

describe("the languages", () => {
  it("have a folder each, and no folder is forgotten", () => {
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .filter(({ name }) => readdirSync(folder + name).some((file) => !/^(mail|console)\.json$/.test(file)));
    expect(folders.map(({ name }) => name).sort()).toEqual(locales.map(({ tag }) => tag).sort());
    expect(Object.keys(loginMessages).sort()).toEqual(locales.map(({ tag }) => tag).sort());
  });

  it.each(locales)("$tag is a canonical BCP 47 tag with its own name for itself", ({ tag, endonym }) => {
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    expect(endonym).toBe(new Intl.DisplayNames(tag, { type: "language" }).of(tag));
  });
});

describe.each(translations)("%s/%s", (tag, file) => {
  const english = texts("en", file);
  const translated = texts(tag, file);

  it("has the keys of English and no others", () => {
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it("fills in the same values", () => {
    for (const [key, text] of english)
      expect({ key, needs: placeholders(translated.get(key) ?? "") }).toEqual({ key, needs: placeholders(text) });
  });

  it("is translated", () => {
    const same = [...english].filter(([key, text]) => translated.get(key) === text).map(([key]) => key);
    expect(same).toEqual(SAME[tag] ?? []);
  });
});

describe("the wording", () => {
  it.each(locales)("of $tag is calm: nothing shouts and nothing is empty", ({ tag }) => {
    for (const file of files)
      for (const [key, text] of texts(tag, file)) {
        expect(text.trim(), key).toBe(text);
        expect(text, key).not.toBe("");
        expect(text, key).not.toMatch(/!|\b(oops|ups|sorry|leider)\b/i);
      }
  });

  it("is used: every text of the public pages stands on one", () => {
    const sources = ["components/login", "components/ui", "server/http"].flatMap((path) => {
      const base = `${folder}../${path}/`;
      return readdirSync(base)
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
