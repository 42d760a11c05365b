// Generates the modules of the console with the example applications of examples/: the entries of examples.json, and
// their files, which browsers load when they show them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { inProject } from "./environment.mjs";

const HEAD = "// Made by scripts/examples.mjs from examples/; not to be edited.\n";

/** Writes the modules that changed. */
export function generateExamples() {
  const list = JSON.parse(readFileSync(inProject("examples/examples.json"), "utf8"));
  const entries = list.map(({ files: _, ...entry }) => entry);
  // The name of a file outside the project is absolute.
  const read = (id, name) => ({ name, code: readFileSync(inProject("examples", id, name), "utf8") });
  const files = list.map(({ id, files }) => [id, files.map((name) => read(id, name))]);
  write("examples", "EXAMPLES", "Snippet", "readonly Snippet[]", entries);
  const type = "Readonly<Record<string, readonly SnippetFile[]>>";
  write("example-files", "EXAMPLE_FILES", "SnippetFile", type, Object.fromEntries(files));
}

function write(module, name, imported, type, value) {
  const folder = inProject("components/console/apps/generated");
  const path = `${folder}/${module}.ts`;
  const declaration = `export const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`;
  const text = `${HEAD}import type { ${imported} } from "../snippet";\n\n${declaration}`;
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
}
