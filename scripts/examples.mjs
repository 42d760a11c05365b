// The example applications of examples/ as a module of the console: an entry of examples.json each, with its files.
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
    // Where a file belongs outside of the project, its name is absolute.
    files: files.map((name) => ({ name, code: readFileSync(inProject("examples", entry.id, name), "utf8") })),
  }));
  const path = inProject("components/console/apps/generated/examples.ts");
  const text = `${HEAD}export const EXAMPLES: readonly Snippet[] = ${JSON.stringify(examples, null, 2)};\n`;
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
