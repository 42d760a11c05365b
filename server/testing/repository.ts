/** The sources of the repository, for tests and tools that read them. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Sources } from "./imports.ts";

/** The project's root with a trailing slash. */
export const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

const TOOLS_AND_OUTPUT =
  /^(node_modules|dist|data|examples|generated|test-results|playwright-report|\.git|\.next|\.dev)$/;

/**
 * Returns every TypeScript file and script by its path from the project's root, except generated files and examples.
 */
export function repositorySources(folder = ""): Sources {
  const entries = readdirSync(projectFolder + folder, { withFileTypes: true }).filter(
    ({ name }) => !TOOLS_AND_OUTPUT.test(name),
  );
  const sources = entries.flatMap((entry): (readonly [string, string])[] => {
    const path = folder + entry.name;
    if (entry.isDirectory()) return [...repositorySources(`${path}/`)];
    return /\.(ts|tsx|mjs)$/.test(path) ? [[path, readFileSync(projectFolder + path, "utf8")]] : [];
  });
  return new Map(sources);
}
