/**
 * Checks that an exported name of `server`, `components` and `shared` is declared in one file, so that a name in the
 * code or in the list of an editor has one meaning. It reads the sources: Biome's format starts every exported
 * declaration on a new line. Re-exports, default exports, which importers name, tests, generated files and
 * destructured exports (`export const { a } = …`) do not count.
 */
import type { Sources } from "./imports";

/** Copies for browsers, which load no value of the server (see layers.ts). They must be identical. */
const TWINS: readonly string[] = ["MAX_PICTURE_BYTES", "codePoints", "parseUrl"];

/** Names that are equal on purpose, with the reason. */
const ALIKE: Readonly<Record<string, string>> = {
  QueryCompiler: "each stands in for what Prisma's compiler of one database exports",
  authorize: "of tests: asks the endpoint of that name",
  userinfo: "of tests: asks the endpoint of that name",
};

const COUNTED = /^(?:server|components|shared)\/(?!.*\.test\.tsx?$).*\.tsx?$/;
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const enum|const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Returns the exported names that several files declare, with those files. */
export function sharedNames(sources: Sources): Map<string, string[]> {
  const files = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    if (!COUNTED.test(path)) continue;
    for (const [, name = ""] of text.matchAll(DECLARATION)) files.set(name, (files.get(name) ?? new Set()).add(path));
  }
  return new Map([...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, [...paths]]));
}

/** Returns one line for each name with two meanings, each copy that differs, and each unneeded exception. */
export function nameViolations(sources: Sources, { twins = TWINS, alike = ALIKE } = {}): string[] {
  const shared = sharedNames(sources);
  const isKnown = (name: string) => twins.includes(name) || Object.hasOwn(alike, name);
  return [
    ...[...shared]
      .filter(([name]) => !isKnown(name))
      .map(
        ([name, paths]) => `${name}: declared in ${paths.join(" and ")}; import it, or say in its name what differs`,
      ),
    ...twins
      .filter((name) => new Set(shared.get(name)?.map((path) => declared(sources.get(path) ?? "", name))).size > 1)
      .map((name) => `${name}: its copies in ${shared.get(name)?.join(" and ")} differ`),
    ...[...twins, ...Object.keys(alike)]
      .filter((name) => !shared.has(name))
      .map((name) => `${name}: is an exception, but no two files declare it`),
  ];
}

/** Returns the text of a declaration: a statement of one line, or everything up to its closing brace. */
function declared(text: string, name: string): string {
  const start = [...text.matchAll(DECLARATION)].find((found) => found[1] === name)?.index ?? text.length;
  return /^.*;$|^[\s\S]*?^\}/m.exec(text.slice(start))?.[0] ?? "";
}
