/**
 * One name for one thing: what `server`, `components` and `shared` export under one name is declared in one file, so that whoever
 * reads a name anywhere, or is offered it by an editor, knows what it is. Read from the sources themselves, as Biome's
 * format puts every exported declaration at the start of a line. What others export again, default exports (named by
 * whoever imports them), tests and generated files do not count; nor do names taken apart (`export const { a } = …`).
 */
import type { Sources } from "./imports";

/** A browser loads no value of the server (see layers.ts), so it has a copy, which must read the same. */
export const TWINS: readonly string[] = ["MAX_PICTURE_BYTES", "codePoints", "parseUrl"];

/** Alike on purpose, and why. */
export const ALIKE: Readonly<Record<string, string>> = {
  QueryCompiler: "each stands in for what Prisma's compiler of one database exports",
  authorize: "of tests: asks the endpoint of that name",
  userinfo: "of tests: asks the endpoint of that name",
};

const COUNTED = /^(?:server|components|shared)\/(?!.*\.test\.tsx?$).*\.tsx?$/;
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const enum|const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** The exported names that several files declare, each with those files. */
export function sharedNames(sources: Sources): Map<string, string[]> {
  const files = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    if (!COUNTED.test(path)) continue;
    for (const [, name = ""] of text.matchAll(DECLARATION)) files.set(name, (files.get(name) ?? new Set()).add(path));
  }
  return new Map([...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, [...paths]]));
}

/** Every name that means two things, every copy that differs, and every exception that nothing needs, as a line each. */
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

/** A declaration as it is written: a statement of one line, or as far as the brace that closes it. */
function declared(text: string, name: string): string {
  const start = [...text.matchAll(DECLARATION)].find((found) => found[1] === name)?.index ?? text.length;
  return /^.*;$|^[\s\S]*?^\}/m.exec(text.slice(start))?.[0] ?? "";
}
