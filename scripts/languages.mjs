// Generates the message catalogues in messages/generated from the folders of messages/. A folder is all that a language
// consists of. The imports are static, so that every bundler and the type checker follow them. As a program (`npm run
// languages`), this file lists the keys that each language lacks.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HEAD = "// Made by scripts/languages.mjs from the folders of messages/; not to be edited.\n";

/**
 * Writes the catalogues whose content changed. A key that a language lacks gets the English text in a completed copy of
 * its file, and is listed in gaps.ts, so that pages can mark the text with its language. Throws if a folder is not a
 * language: its name must be a canonical language tag (BCP 47), and its language.json must have the language's own name
 * and its direction of writing.
 * @param {string} messages the folder of the languages
 */
export function generateCatalogues(messages) {
  const tags = tagsIn(messages);
  const languages = tags.map((tag) => ({ tag, ...readLanguage(messages, tag) }));
  const areas = areasIn(messages);
  const write = (name, text) => {
    const path = join(messages, "generated", name);
    if (existsSync(path) && readFileSync(path, "utf8") === text) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const writeModule = (name, text) => write(name, HEAD + text);
  const gaps = gapsIn(messages);
  /** The path to import the complete file of a language from. */
  const fileOf = (tag, file) => {
    if (!gaps[tag]?.[file]) return `../${tag}/${file}.json`;
    const isConsole = file.startsWith("console/");
    const fill = (text) => forOtherLanguage(text, isConsole && languages.find((one) => one.tag === tag)?.dir === "rtl");
    const complete = completed(readFile(messages, "en", file), readFile(messages, tag, file), fill);
    write(`${tag}/${file}.json`, `${JSON.stringify(complete, null, 2)}\n`);
    return `./${tag}/${file}.json`;
  };
  writeModule("locales.ts", `export const locales = ${JSON.stringify(languages, null, 2)} as const;\n`);
  writeModule("gaps.ts", gapsModule(gaps));
  for (const file of ["login", "mail"]) writeModule(`${file}.ts`, oneFileEach(file, tags, fileOf));
  writeModule("console.ts", consoleCatalogue(tags, areas, fileOf));
  // The service needs the refusals but no other text of the console: those are as large as all its code.
  writeModule("refusals.ts", oneFileEach("console/refusals", tags, fileOf));
}

const tagsIn = (messages) =>
  readdirSync(messages, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "generated")
    .map(({ name }) => name)
    .sort();

const areasIn = (messages) =>
  readdirSync(join(messages, "en", "console"))
    .map((file) => file.replace(/\.json$/, ""))
    .sort();

/** Returns the names of the files of a language, without their extension. */
const filesIn = (messages) => ["login", "mail", ...areasIn(messages).map((area) => `console/${area}`)];

/** Returns the texts of a file; none if the language lacks the file. */
function readFile(messages, tag, file) {
  const path = join(messages, tag, `${file}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/**
 * Returns the keys that languages lack.
 * @param {string} messages the folder of the languages
 * @returns {Record<string, Record<string, string[]>>} by tag and file (`login`, `console/apps`), without complete
 *   files
 */
export function gapsIn(messages) {
  const english = filesIn(messages).map((file) => [file, keysOf(readFile(messages, "en", file))]);
  const byLanguage = tagsIn(messages).map((tag) => {
    const lacking = english.map(([file, keys]) => {
      const own = new Set(keysOf(readFile(messages, tag, file)));
      return [file, keys.filter((key) => !own.has(key))];
    });
    return [tag, Object.fromEntries(lacking.filter(([, keys]) => keys.length > 0))];
  });
  return Object.fromEntries(byLanguage.filter(([, files]) => Object.keys(files).length > 0));
}

const keysOf = (node, above = "") =>
  Object.entries(node).flatMap(([name, inner]) =>
    typeof inner === "string" ? [above + name] : keysOf(inner, `${above}${name}.`),
  );

/** Returns the texts of a language in the order of English, with `fill(English text)` for each missing one. */
function completed(english, own, fill) {
  const entries = Object.entries(english).map(([name, inner]) => {
    if (typeof inner === "string") return [name, typeof own?.[name] === "string" ? own[name] : fill(inner)];
    return [name, completed(inner, own?.[name], fill)];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns an English text for use in another language. The category "one" becomes the number 1, because the plural
 * rules of the other language apply to it, and some languages have no such category (CLDR).
 * @param isolated whether to isolate it for right-to-left text (UAX #9), if nothing else does
 */
function forOtherLanguage(text, isolated) {
  const portable = text.replace(/(\{\w+, plural,[^{]*)\bone(?=\s*\{)/g, "$1=1");
  return isolated ? `\u2066${portable}\u2069` : portable;
}

/** Returns the module with the gaps of pages and emails. A console page cannot mark a text inside its scripts. */
function gapsModule(gaps) {
  const marked = Object.entries(gaps).map(([tag, { login = [], mail = [] }]) => [tag, { login, mail }]);
  const type = 'Readonly<Record<string, Readonly<Record<"login" | "mail", readonly string[]>>>>';
  return `export const gaps: ${type} = ${JSON.stringify(Object.fromEntries(marked), null, 2)};\n`;
}

function readLanguage(messages, tag) {
  const path = join(messages, tag, "language.json");
  if (!isCanonical(tag)) throw new Error(`messages/${tag}: not a language tag in canonical form`);
  if (!existsSync(path)) throw new Error(`messages/${tag}: language.json is missing`);
  const { endonym, dir } = JSON.parse(readFileSync(path, "utf8"));
  if (typeof endonym !== "string" || !["ltr", "rtl"].includes(dir)) {
    throw new Error(`messages/${tag}/language.json: endonym must be a text, and dir ltr or rtl`);
  }
  return { endonym, dir };
}

function isCanonical(tag) {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

const nameOf = (...words) => words.join("_").replace(/\W/g, "_");

function oneFileEach(file, tags, fileOf) {
  const imports = tags.map((tag) => `import ${nameOf(tag)} from "${fileOf(tag, file)}";\n`);
  const entries = tags.map((tag) => `  ${JSON.stringify(tag)}: ${nameOf(tag)},\n`);
  return `${imports.join("")}\nexport const catalogue = {\n${entries.join("")}};\n`;
}

/** Returns the module with the texts that all pages share, and the file of each area of the console under its name. */
function consoleCatalogue(tags, areas, fileOf) {
  const imports = tags.flatMap((tag) =>
    areas.map((area) => `import ${nameOf(tag, area)} from "${fileOf(tag, `console/${area}`)}";\n`),
  );
  const parts = (tag) =>
    areas.map((area) => (area === "frame" ? `...${nameOf(tag, area)}` : `${area}: ${nameOf(tag, area)}`));
  const entries = tags.map((tag) => `  ${JSON.stringify(tag)}: { ${parts(tag).join(", ")} },\n`);
  return `${imports.join("")}\nexport const catalogue = {\n${entries.join("")}};\n`;
}

/** Prints the keys that the languages lack, one line for each file. */
function report(messages) {
  const lines = Object.entries(gapsIn(messages)).flatMap(([tag, files]) =>
    Object.entries(files).map(([file, keys]) => `${tag}/${file}.json lacks ${keys.length}: ${keys.join(", ")}`),
  );
  return lines.length > 0 ? lines.join("\n") : "Every language has every key.";
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(report(fileURLToPath(new URL("../messages", import.meta.url))));
}
