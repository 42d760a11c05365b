/**
 * Finds the imports of files. It is small on purpose: Biome's format starts every import and re-export on a new line,
 * so no parser is needed.
 */
import { posix } from "node:path";

export interface Import {
  /** The specifier as written: a relative path, a package, or `node:fs`. */
  specifier: string;
  /** The path of the imported file if it is in this repository. */
  file?: string;
  /** `import type` and `export type`: gone at run time. */
  typeOnly: boolean;
}

/** Path (from the project root, with slashes) → source text. */
export type Sources = ReadonlyMap<string, string>;

const STATIC = /^(?:import|export)\s+(type\s+)?(?:[^"'`;]*?\bfrom\s+)?["']([^"'\n]+)["']/gm;
/**
 * The first line of a file that declares something: imports are before it, and similar text after it is not an import.
 */
const DECLARATION = /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:const|let|function|class|interface|enum|type\s+\w)/m;
const DYNAMIC = /\bimport\(\s*["'`]([^"'`\n]+)["'`]\s*\)/g;

/** Returns the imports of one file, relative ones resolved against `sources`. */
export function importsOf(path: string, sources: Sources): Import[] {
  const text = sources.get(path) ?? "";
  const found = [
    ...[...headOf(text).matchAll(STATIC)].map((match) => ({
      specifier: match[2] ?? "",
      typeOnly: match[1] !== undefined,
    })),
    ...[...withoutComments(text).matchAll(DYNAMIC)].map((match) => ({ specifier: match[1] ?? "", typeOnly: false })),
  ];
  return found.map((found) => ({ ...found, file: resolve(path, found.specifier, sources) }));
}

const headOf = (text: string): string => text.slice(0, DECLARATION.exec(text)?.index ?? text.length);

function resolve(from: string, specifier: string, sources: Sources): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ""));
  const candidates = [target, `${target}.ts`, `${target}.tsx`, `${target}.mjs`, `${target}/index.ts`];
  // An unresolved path still shows the folder that it refers to.
  return candidates.find((candidate) => sources.has(candidate)) ?? target;
}

/** Returns source text without comments. A `//` inside a string is kept, because a comment must follow white space. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

/**
 * Returns every cycle of imports as the list of its files, the first repeated at the end. Type imports count as well.
 */
export function cycles(sources: Sources): string[][] {
  return cyclesOf([...sources.keys()], (file) =>
    importsOf(file, sources).flatMap(({ file: imported }) => (imported && sources.has(imported) ? imported : [])),
  );
}

/** Returns the cycles of a dependency relation, each as the list of its members, the first repeated at the end. */
export function cyclesOf(all: readonly string[], needs: (one: string) => readonly string[]): string[][] {
  const found: string[][] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (one: string): void => {
    const start = path.indexOf(one);
    if (start >= 0) found.push([...path.slice(start), one]);
    if (start >= 0 || finished.has(one)) return;
    path.push(one);
    for (const other of needs(one)) visit(other);
    path.pop();
    finished.add(one);
  };
  for (const one of all) visit(one);
  return found;
}

/** Returns everything that runs when `entry` is loaded: our files and packages, each with the file that imports it. */
export function reachable(entry: string, sources: Sources): Map<string, string> {
  const reached = new Map<string, string>();
  const visit = (file: string): void => {
    for (const { specifier, file: imported, typeOnly } of importsOf(file, sources)) {
      const name = imported ?? specifier;
      if (typeOnly || reached.has(name)) continue;
      reached.set(name, file);
      if (imported) visit(imported);
    }
  };
  visit(entry);
  return reached;
}
