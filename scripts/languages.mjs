// The catalogues of texts (messages/generated), made from the folders of messages/: a language is one folder, and nothing
// else names it. Static imports, so that every bundler and the type checker follow them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const HEAD = "// Made by scripts/languages.mjs from the folders of messages/; not to be edited.\n";

/**
 * Writes the catalogues if they differ. Throws if a folder is no language: its name must be the language's tag (BCP 47,
 * canonical), and its language.json must have the language's own name and its direction of writing.
 * @param {string} messages the folder of the languages
 */
export function generateCatalogues(messages) {
  const tags = readdirSync(messages, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "generated")
    .map(({ name }) => name)
    .sort();
  const languages = tags.map((tag) => ({ tag, ...readLanguage(messages, tag) }));
  const areas = readdirSync(join(messages, "en", "console"))
    .map((file) => file.replace(/\.json$/, ""))
    .sort();
  mkdirSync(join(messages, "generated"), { recursive: true });
  const write = (name, text) => {
    const path = join(messages, "generated", name);
    if (!existsSync(path) || readFileSync(path, "utf8") !== HEAD + text) writeFileSync(path, HEAD + text);
  };
  write("locales.ts", `export const locales = ${JSON.stringify(languages, null, 2)} as const;\n`);
  for (const catalogue of ["login", "mail"]) write(`${catalogue}.ts`, oneFileEach(catalogue, tags));
  write("console.ts", consoleCatalogue(tags, areas));
  // Refusals separately, as the service needs them but none of the console's other texts, which are as large as all its
  // code.
  write("refusals.ts", oneFileEach("console/refusals", tags));
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

function oneFileEach(catalogue, tags) {
  const imports = tags.map((tag) => `import ${nameOf(tag)} from "../${tag}/${catalogue}.json";\n`);
  const entries = tags.map((tag) => `  ${JSON.stringify(tag)}: ${nameOf(tag)},\n`);
  return `${imports.join("")}\nexport const catalogue = {\n${entries.join("")}};\n`;
}

/** The texts that all pages share, and for each area of the console its file, under its name. */
function consoleCatalogue(tags, areas) {
  const imports = tags.flatMap((tag) =>
    areas.map((area) => `import ${nameOf(tag, area)} from "../${tag}/console/${area}.json";\n`),
  );
  const parts = (tag) =>
    areas.map((area) => (area === "frame" ? `...${nameOf(tag, area)}` : `${area}: ${nameOf(tag, area)}`));
  const entries = tags.map((tag) => `  ${JSON.stringify(tag)}: { ${parts(tag).join(", ")} },\n`);
  return `${imports.join("")}\nexport const catalogue = {\n${entries.join("")}};\n`;
}
