/**
 * Which test files run when: the tests of rules, which need no database, no program and no page and so take seconds
 * together, and the tests that a change is likely to break. Both are read from the imports, so no list has to be kept.
 */
import { posix } from "node:path";
import { importsOf, type Sources } from "./imports.ts";

const TEST = /^(bench|components|drills|messages|scripts|server)\/.*\.test\.tsx?$/;
/** What a file names that opens a database, starts a program, or draws pages and letters, all of them in each language. */
const HEAVY = /^(?:pg|better-sqlite3|prisma|@prisma\/.*|(?:node:)?child_process|react-dom\/server)$/;
/** A whole sign-in, a code for tokens, and a call of the management API: what a broken rule breaks first. */
const SMOKE = [
  "server/login/enumeration.test.ts",
  "server/oidc/grants/authorization-code.test.ts",
  "server/api/operation/odd-input.test.ts",
];

/** What all tests of the service import alike. */
const isFurniture = (path: string): boolean => path.startsWith("server/testing/");

export interface TestFiles {
  /** Their imports reach neither a database, nor a program, nor what draws pages. */
  rules: string[];
  /** The rest: on the service, its databases, or other programs. */
  service: string[];
}

/** Every test file of the project, in the order of their paths. */
export function testFiles(sources: Sources): TestFiles {
  const { reached } = graph(sources);
  const tests = [...sources.keys()].filter((path) => TEST.test(path)).sort();
  const isHeavy = (path: string) => [...reached(path)].some((name) => HEAVY.test(name));
  return { rules: tests.filter((path) => !isHeavy(path)), service: tests.filter(isHeavy) };
}

/**
 * The tests for a change: of the rules each one that reaches a changed file; of the service, where a hundred files reach
 * almost everything, those that stand beside a changed file or import it themselves, and a few that use the whole.
 * @param changed paths from the project's root, deleted files among them
 */
export function testsFor(changed: readonly string[], sources: Sources): TestFiles {
  const { direct, reached } = graph(sources);
  const { rules, service } = testFiles(sources);
  const isChanged = (path: string) => changed.includes(path);
  const folders = new Set(changed.map((path) => posix.dirname(path)));
  const sourceOnly = changed.filter((path) => sources.has(path) || /\.(ts|tsx|mjs)$/.test(path));
  const near = rules.filter((path) => isChanged(path) || [...reached(path)].some(isChanged));
  return {
    // What is no source (a text, a style sheet, a migration) is read by tests that do not import it.
    rules: sourceOnly.length === changed.length ? near : rules,
    service: service.filter((path) => {
      if (isChanged(path) || SMOKE.includes(path)) return changed.length > 0;
      return folders.has(posix.dirname(path)) || direct(path).some((name) => isChanged(name) && !isFurniture(name));
    }),
  };
}

/** What files import when they run: our files by path, packages by name. */
function graph(sources: Sources) {
  const known = new Map<string, string[]>();
  const direct = (path: string): string[] => {
    const found =
      known.get(path) ??
      importsOf(path, sources).flatMap(({ specifier, file, typeOnly }) => (typeOnly ? [] : [file ?? specifier]));
    known.set(path, found);
    return found;
  };
  const reached = (entry: string): Set<string> => {
    const all = new Set<string>();
    const visit = (path: string): void => {
      for (const name of direct(path)) {
        if (all.has(name)) continue;
        all.add(name);
        if (sources.has(name)) visit(name);
      }
    };
    visit(entry);
    return all;
  };
  return { direct, reached };
}
