// Which texts the scripts of each page say is read from the sources: from the files under app/console the imports lead
// to the modules that run in the browser, and there every key stands in quotes, or begins a template.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { consoleLocales, consoleMessages } from "../../messages/console";
import { importsOf } from "../../server/testing/imports";
import { type ConsolePage, PAGES } from "./pages";
import { textsAround, textsOf } from "./script-texts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources: ReadonlyMap<string, string> = new Map(
  ["app/console", "components", "messages"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => [`${folder}/${name}`, readFileSync(`${root}${folder}/${name}`, "utf8")] as const),
  ),
);

/** All keys, in order: `frame.copy`. */
function keysOf(texts: object, path = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [path + key] : keysOf(value, `${path}${key}.`),
  );
}
const keys = new Set(keysOf(consoleMessages.en ?? {}));

/** The modules behind a file that run in the browser: those that say `use client`, and what they import. */
function scriptsBehind(file: string, isScript = false, seen = new Set<string>()): Set<string> {
  const scripts = new Set<string>();
  const runs = isScript || /^(?:\/\/.*\n|\s)*"use client"/.test(sources.get(file) ?? "");
  if (seen.has(file + runs)) return scripts;
  seen.add(file + runs);
  if (runs) scripts.add(file);
  for (const { file: imported, typeOnly } of importsOf(file, sources)) {
    if (typeOnly || !imported || !sources.has(imported)) continue;
    for (const script of scriptsBehind(imported, runs, seen)) scripts.add(script);
  }
  return scripts;
}

/** What the scripts behind some files say; `a.by.b` for all beneath it, where the end is a value. */
function said(files: readonly string[]): string[] {
  const scripts = new Set(files.flatMap((file) => [...scriptsBehind(file)]));
  const text = [...scripts].map((script) => sources.get(script)).join("\n");
  const whole = [...text.matchAll(/"([\w.]+)"/g)].map(([, key = ""]) => key).filter((key) => keys.has(key));
  const begun = [...text.matchAll(/`(\w+(?:\.\w+)*)\.\$\{/g)]
    .map(([, prefix = ""]) => prefix)
    .filter((prefix) => [...keys].some((key) => key.startsWith(`${prefix}.`)));
  const isBeneath = (key: string) => begun.some((prefix) => key.startsWith(`${prefix}.`));
  return [...new Set([...begun, ...whole].filter((key) => !isBeneath(key)))].sort();
}

/** A list in JSON, in lines as long as Biome's. */
function list(indent: string, name: string, values: readonly string[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  const line = `${indent}"${name}": [${quoted.join(", ")}]`;
  const lines = `${indent}"${name}": [\n${indent}  ${quoted.join(`,\n${indent}  `)}\n${indent}]`;
  return line.length < 120 ? line : lines;
}

/** All but the one for addresses that no page has: it shows the console's "not found", which has its texts around it. */
const pageFiles = [...sources.keys()].filter((path) => path.endsWith("/page.tsx") && !path.includes("[...missing]"));
const filesOf = (page: ConsolePage) =>
  pageFiles.filter((path) => sources.get(path)?.includes(`pageOf("${page}"`) ?? false);

describe("the texts that travel with a page of the console", () => {
  it("are those its scripts say, no more and none less (npx vitest -u writes the lists anew)", async () => {
    for (const { page } of PAGES) expect(filesOf(page), page).not.toEqual([]);
    expect(PAGES.flatMap(({ page }) => filesOf(page)).sort()).toEqual([...pageFiles].sort());
    const around = list("  ", "around", said(["app/console/layout.tsx", "app/console/error.tsx"]));
    const ofPages = PAGES.map(({ page }) => list("    ", page, said(filesOf(page)))).join(",\n");
    await expect(`{\n${around},\n  "pages": {\n${ofPages}\n  }\n}\n`).toMatchFileSnapshot("script-texts.json");
  });

  it("are what the lists name, whole branches too", () => {
    const english = consoleMessages.en as NonNullable<typeof consoleMessages.en>;
    expect(textsAround(english)).toMatchObject({ pages: english.pages, broken: { title: english.broken.title } });
    const texts = textsOf("texts", english);
    expect(texts).toMatchObject({ texts: { by: { field: english.texts.by.field } } });
    expect(texts).not.toHaveProperty("directory");
  });

  it.each(consoleLocales)("are few in %s", (locale) => {
    const all = consoleMessages[locale] as NonNullable<(typeof consoleMessages)[string]>;
    // In characters: what a script takes three bytes for, compression takes back.
    const characters = (texts: object) => JSON.stringify(texts).length;
    expect(characters(all)).toBeGreaterThan(40_000);
    expect(characters(textsAround(all))).toBeLessThan(3_000);
    for (const { page } of PAGES) {
      const most = /(?:texts|words)$/.test(page) ? 24_000 : page === "apps" ? 14_000 : 12_000;
      expect(characters(textsOf(page, all)), page).toBeLessThan(most);
    }
  });
});
