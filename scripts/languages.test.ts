import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locales } from "../messages/locales";
import { gapsIn, generateCatalogues } from "./languages.mjs";

const source = fileURLToPath(new URL("../messages", import.meta.url));
let messages: string;
beforeEach(() => {
  messages = mkdtempSync(join(tmpdir(), "messages-"));
  for (const tag of ["ar", "en"]) cpSync(join(source, tag), join(messages, tag), { recursive: true });
});
afterEach(() => rmSync(messages, { recursive: true }));

const generated = (name: string) => readFileSync(join(messages, "generated", name), "utf8");

describe("a language is one folder", () => {
  it("is in every catalogue as soon as its folder exists", () => {
    cpSync(join(messages, "en"), join(messages, "zh-Hant"), { recursive: true });
    writeFileSync(join(messages, "zh-Hant", "language.json"), JSON.stringify({ endonym: "繁體中文", dir: "ltr" }));
    generateCatalogues(messages);
    expect(generated("locales.ts")).toContain('"endonym": "繁體中文"');
    expect(generated("login.ts")).toContain('import zh_Hant from "../zh-Hant/login.json"');
    expect(generated("login.ts")).toContain('"zh-Hant": zh_Hant');
    expect(generated("mail.ts")).toContain('"zh-Hant": zh_Hant');
    expect(generated("console.ts")).toContain('import zh_Hant_apps from "../zh-Hant/console/apps.json"');
    expect(generated("console.ts")).toContain('"zh-Hant": { apps: zh_Hant_apps, ');
  });

  it("gets the English text of each key that it lacks, and the key is listed", () => {
    const path = join(messages, "ar", "login.json");
    const { signIn, ...rest } = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...rest, signIn: { ...signIn, throttled: undefined } }));
    rmSync(join(messages, "ar", "console", "apps.json"));
    generateCatalogues(messages);
    expect(generated("login.ts")).toContain('import ar from "./ar/login.json"');
    expect(generated("login.ts")).toContain('import en from "../en/login.json"');
    const complete = JSON.parse(generated("ar/login.json"));
    expect(complete.signIn).toEqual({
      ...signIn,
      throttled:
        "{minutes, plural, =1 {Too many tries. Try again in one minute.} other {Too many tries. Try again in # minutes.}}",
    });
    expect(generated("gaps.ts")).toMatch(/"login": \[\n\s+"signIn\.throttled"/);
    expect(gapsIn(messages).ar?.["console/apps"]).toContain("add");
    expect(JSON.parse(generated("ar/console/apps.json")).add).toBe("\u2066Add an app\u2069");
  });

  it("must have a canonical tag, its own name and its direction", () => {
    mkdirSync(join(messages, "pt-br"));
    expect(() => generateCatalogues(messages)).toThrow("messages/pt-br: not a language tag in canonical form");
    rmSync(join(messages, "pt-br"), { recursive: true });
    mkdirSync(join(messages, "el"));
    expect(() => generateCatalogues(messages)).toThrow("messages/el: language.json is missing");
    writeFileSync(join(messages, "el", "language.json"), JSON.stringify({ endonym: "ελληνικά", dir: "left" }));
    expect(() => generateCatalogues(messages)).toThrow("dir ltr or rtl");
  });

  it("must have the direction of its script and a unique name", () => {
    for (const { tag, dir } of locales) {
      const { script } = new Intl.Locale(tag).maximize();
      expect({ tag, dir }).toEqual({ tag, dir: script === "Arab" || script === "Hebr" ? "rtl" : "ltr" });
    }
    expect(new Set(locales.map(({ endonym }) => endonym)).size).toBe(locales.length);
  });
});
