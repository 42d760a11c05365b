/**
 * Selects test files: the tests of rules, which need no database, program or page and take seconds together, and the
 * tests that a change is likely to break. Both are derived from the imports, so there is no list to maintain.
 */
import { posix } from "node:path";
import { importsOf, type Sources } from "./imports.ts";

const TEST = /^(bench|components|drills|messages|scripts|server)\/.*\.test\.tsx?$/;
/** The imports of files that open a database, start a program, or render pages and messages in all languages. */
const HEAVY = /^(?:pg|better-sqlite3|prisma|@prisma\/.*|(?:node:)?child_process|react-dom\/server)$/;
/**
 * Tests of the whole service: a sign-in, a code exchange, and a call of the management API, which a broken rule breaks
 * first.
 */
const SMOKE = [
  "server/login/enumeration.test.ts",
  "server/oidc/grants/authorization-code.test.ts",
  "server/api/operation/odd-input.test.ts",
];

/** Whether a file is imported by all tests of the service. */
const isFurniture = (path: string): boolean => path.startsWith("server/testing/");

export interface TestFiles {
  /** Tests whose imports reach neither a database, nor a program, nor the rendering of pages. */
  rules: string[];
  /** The other tests: of the service, its databases, or other programs. */
  service: string[];
}

/** Returns every test file of the project in the order of their paths. */
export function testFiles(sources: Sources): TestFiles {
  const { reached } = graph(sources);
  const tests = [...sources.keys()].filter((path) => TEST.test(path)).sort();
  const isHeavy = (path: string) => [...reached(path)].some((name) => HEAVY.test(name));
  return { rules: tests.filter((path) => !isHeavy(path)), service: tests.filter(isHeavy) };
}

/**
 * Returns the tests for a change: those of the rules that reach a changed file; of the service, where a hundred files
 * reach almost everything, those beside a changed file or with an import of it, and a few of the whole service.
 * @param changed paths from the project's root, including deleted files
 */
export function testsFor(changed: readonly string[], sources: Sources): TestFiles {
  const { direct, reached } = graph(sources);
  const { rules, service } = testFiles(sources);
  const isChanged = (path: string) => changed.includes(path);
  const folders = new Set(changed.map((path) => posix.dirname(path)));
  const sourceOnly = changed.filter((path) => sources.has(path) || /\.(ts|tsx|mjs)$/.test(path));
  const near = rules.filter((path) => isChanged(path) || [...reached(path)].some(isChanged));
  return {
    // Files that are not sources (texts, style sheets, migrations) are read by tests without an import.
    rules: sourceOnly.length === changed.length ? near : rules,
    service: service.filter((path) => {
      if (isChanged(path) || SMOKE.includes(path)) return changed.length > 0;
      return folders.has(posix.dirname(path)) || direct(path).some((name) => isChanged(name) && !isFurniture(name));
    }),
  };
}

/** Returns the imports of files at run time: our files by path, packages by name. */
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
