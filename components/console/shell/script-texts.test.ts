// Determines from the sources which texts the scripts of each page use: imports lead from the files under app/console
// to the modules that run in the browser, where every key is a quoted string or the start of a template.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { consoleLocales, consoleMessages } from "../../../messages/console";
import { importsOf } from "../../../server/testing/imports";
import { type ConsolePage, PAGES } from "../../../shared/pages";
import { textsAround, textsOf } from "./script-texts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const sources: ReadonlyMap<string, string> = new Map(
  ["app/console", "components", "messages"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => [`${folder}/${name}`, readFileSync(`${root}${folder}/${name}`, "utf8")] as const),
  ),
);

/** Returns all keys in order, for example `frame.copy`. */
function keysOf(texts: object, path = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [path + key] : keysOf(value, `${path}${key}.`),
  );
}
const keys = new Set(keysOf(consoleMessages.en ?? {}));

/** Returns the modules behind a file that run in the browser: those with `use client`, and their imports. */
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

/**
 * Returns the keys that the scripts behind some files use; `a.by.b` for all keys below it if the last part is dynamic.
 */
function said(files: readonly string[]): string[] {
  const scripts = new Set(files.flatMap((file) => [...scriptsBehind(file)]));
  const text = [...scripts].map((script) => sources.get(script)).join("\n");
  const quoted = [...text.matchAll(/"([\w.]+)"/g)].map(([, key = ""]) => key);
  const hints = [...text.matchAll(/\bwithHint\(t, "([\w.]+)"\)/g)].map(([, key]) => `${key}Hint`);
  const whole = [...quoted, ...hints].filter((key) => keys.has(key));
  const begun = [...text.matchAll(/`(\w+(?:\.\w+)*)\.\$\{/g)]
    .map(([, prefix = ""]) => prefix)
    .filter((prefix) => [...keys].some((key) => key.startsWith(`${prefix}.`)));
  const isBeneath = (key: string) => begun.some((prefix) => key.startsWith(`${prefix}.`));
  return [...new Set([...begun, ...whole].filter((key) => !isBeneath(key)))].sort();
}

const pathOf = (key: string) => key.slice(0, Math.max(0, key.lastIndexOf(".")));

/** Formats the names of keys by their paths in JSON, with the line width of Biome. */
function grouped(indent: string, name: string, keys: readonly string[]): string {
  const groups = [...new Set(keys.map(pathOf))].map((path) => {
    const within = keys.filter((key) => pathOf(key) === path);
    const names = within.map((key) => JSON.stringify(key.slice(key.lastIndexOf(".") + 1)));
    const line = `${indent}  "${path}": [${names.join(", ")}]`;
    const lines = `${indent}  "${path}": [\n${indent}    ${names.join(`,\n${indent}    `)}\n${indent}  ]`;
    return line.length < 120 ? line : lines;
  });
  return `${indent}"${name}": {${groups.length > 0 ? `\n${groups.join(",\n")}\n${indent}` : ""}}`;
}

/**
 * All pages except the catch-all for unknown addresses, which shows the console's "not found" and has its texts around
 * it.
 */
const pageFiles = [...sources.keys()].filter((path) => path.endsWith("/page.tsx") && !path.includes("[...missing]"));
const filesOf = (page: ConsolePage) =>
  pageFiles.filter((path) => sources.get(path)?.includes(`pageOf("${page}"`) ?? false);

describe("The texts that are sent with a page of the console", () => {
  it("are exactly those that its scripts use (npx vitest -u updates the lists)", async () => {
    for (const { page } of PAGES) expect(filesOf(page), page).not.toEqual([]);
    expect(PAGES.flatMap(({ page }) => filesOf(page)).sort()).toEqual([...pageFiles].sort());
    const around = grouped("  ", "around", said(["app/console/layout.tsx", "app/console/error.tsx"]));
    const ofPages = PAGES.map(({ page }) => grouped("    ", page, said(filesOf(page)))).join(",\n");
    await expect(`{\n${around},\n  "pages": {\n${ofPages}\n  }\n}\n`).toMatchFileSnapshot("script-texts.json");
  });

  it("are those that the lists name, including whole branches", () => {
    const english = consoleMessages.en as NonNullable<typeof consoleMessages.en>;
    expect(textsAround(english)).toMatchObject({ pages: english.pages, broken: { title: english.broken.title } });
    const texts = textsOf("texts", english);
    expect(texts).toMatchObject({ texts: { by: { field: english.texts.by.field } } });
    expect(texts).not.toHaveProperty("directory");
  });

  it.each(consoleLocales)("are few in %s", (locale) => {
    const all = consoleMessages[locale] as NonNullable<(typeof consoleMessages)[string]>;
    // In characters: compression compensates for characters that take three bytes.
    const characters = (texts: object) => JSON.stringify(texts).length;
    expect(characters(all)).toBeGreaterThan(40_000);
    // Sent once, as the frame stays while pages change.
    expect(characters(textsAround(all))).toBeLessThan(4_500);
    for (const { page } of PAGES) {
      const most = /(?:texts|words)$/.test(page) ? 24_000 : page === "apps" ? 15_000 : 12_000;
      expect(characters(textsOf(page, all)), page).toBeLessThan(most);
    }
  });
});
