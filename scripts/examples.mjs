// Generates the module of the console with the example applications of examples/: the entries of examples.json with
// their files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inProject } from "./environment.mjs";

const HEAD = `// Made by scripts/examples.mjs from examples/; not to be edited.
import type { Snippet } from "../snippet";

`;

/** Writes the module if it changed. */
export function generateExamples() {
  const list = JSON.parse(readFileSync(inProject("examples/examples.json"), "utf8"));
  const examples = list.map(({ files, ...entry }) => ({
    ...entry,
    // The name of a file outside the project is absolute.
    files: files.map((name) => ({ name, code: readFileSync(inProject("examples", entry.id, name), "utf8") })),
  }));
  const path = inProject("components/console/apps/generated/examples.ts");
  const text = `${HEAD}export const EXAMPLES: readonly Snippet[] = ${JSON.stringify(examples, null, 2)};\n`;
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
