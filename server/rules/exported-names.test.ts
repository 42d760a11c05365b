/**
 * Checks that every exported name has one meaning in the whole repository. The rule is tested on small example
 * projects.
 */
import { describe, expect, it } from "vitest";
import { nameViolations, sharedNames } from "../testing/exported-names";
import { repositorySources } from "../testing/repository";

const project = (files: Record<string, string>, exceptions: Parameters<typeof nameViolations>[1] = {}) =>
  nameViolations(new Map(Object.entries(files)), { twins: [], alike: {}, ...exceptions });

describe("exported names", () => {
  it("are each declared in one file of the repository", () => {
    const sources = repositorySources();
    expect(sources.size).toBeGreaterThan(50);
    expect(nameViolations(sources)).toEqual([]);
  });

  it.each([
    ["constants", "export const LIMIT = 1;\n"],
    ["functions", "export async function list() {}\n"],
    ["generators", "export function* list() {}\n"],
    ["types", "export type Level = 1;\n"],
    ["types of others", "export type Page<Row> = Row[];\n"],
    ["interfaces", "export interface Level {\n  a: 1;\n}\n"],
    ["classes", "export class Level {}\n"],
  ])("of %s are refused in two files", (_, text) => {
    const name = /(\w+)(?:<Row>)?(?:\(\))? ?(?:=|\{)/.exec(text)?.[1];
    expect(project({ "server/a.ts": text, "components/b.tsx": text })).toEqual([
      `${name}: declared in server/a.ts and components/b.tsx; import it, or say in its name what differs`,
    ]);
  });

  it("may occur in re-exports, in tests, in other folders, or as default exports", () => {
    const files = {
      "server/a.ts": "export interface Level {\n  a: 1;\n}\nexport default function Page() {}\n",
      "server/b.ts": 'import type { Level } from "./a";\nexport type { Level };\nexport default function Page() {}\n',
      "server/c.ts": 'export { type Level } from "./a";\nconst Level = 1;\n',
      "server/a.test.ts": "export interface Level {\n  b: 1;\n}\n",
      "app/level.ts": "export type Level = 1;\n",
      "server/overloaded.ts": "export function one(a: 1): 1;\nexport function one(a: 2): 2;\n",
    };
    expect(project(files)).toEqual([]);
  });

  it("of a browser's copy are allowed while both read the same", () => {
    const files = (one: string, other: string) => ({
      "server/a.ts": `export function one() {\n  return ${one};\n}\nexport const MAX = 1 * 2;\n`,
      "components/a.ts": `// Copied.\nexport const MAX = 1 * 2;\nexport function one() {\n  return ${other};\n}\n`,
    });
    const twins = ["one", "MAX"];
    expect(project(files("1", "1"), { twins })).toEqual([]);
    expect(project(files("1", "2"), { twins })).toEqual(["one: its copies in server/a.ts and components/a.ts differ"]);
  });

  it("are listed as duplicates on purpose only while they are duplicates", () => {
    const files = { "server/a.ts": "export const one = 1;\n", "server/b.ts": "export const one = 2;\n" };
    expect(project(files, { alike: { one: "for a reason" } })).toEqual([]);
    expect(project({}, { twins: ["two"], alike: { one: "for a reason" } })).toEqual([
      "two: is an exception, but no two files declare it",
      "one: is an exception, but no two files declare it",
    ]);
    expect([...sharedNames(new Map(Object.entries(files))).keys()]).toEqual(["one"]);
  });
});
