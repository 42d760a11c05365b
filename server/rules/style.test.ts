/** Comments and documents follow docs/style.md. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectFolder, repositorySources } from "../testing/repository";

const MAX_COLUMNS = 120;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/.*/g;
/** What quotes other text: it may have any words. */
const QUOTED = /"[^"\n]*"|“[^”\n]*”|`[^`\n]*`/g;
/** How a docstring must not start: an editor shows its first sentence alone. */
const FRAGMENT = /^(?:Of|As|The same)\b/;

const style = readFileSync(`${projectFolder}docs/style.md`, "utf8");
const words = [...style.slice(style.indexOf("## Words")).matchAll(/^\| ([a-z ]+) \| /gm)]
  .map(([, word = ""]) => word)
  .filter((word) => word !== "not");
const AVOIDED = new RegExp(`\\b(?:${words.join("|")})\\b`, "i");

/** The mistakes in a text, each with the words around it. */
function mistakesIn(text: string): string[] {
  return text
    .replace(QUOTED, '""')
    .split("\n")
    .flatMap((line) => (AVOIDED.test(line) ? [line.trim()] : []));
}

const TEST = /\.test\.tsx?$|^e2e\/|^server\/testing\//;
/** A test or a group of tests: the title, after the rows of a table if there is one. */
const TITLE =
  /^\s*(?:it|test|describe)(?:\.\w+)*(?:<[^(]*>)?(?:\((?:[^()"`]|\([^()]*\))*\))?\(\s*(["`])((?:(?!\1)[^\\]|\\.)*)\1/gm;

/** The titles of tests with words to avoid. */
function titleMistakes(source: string): string[] {
  return [...source.matchAll(TITLE)]
    .map(([, , title = ""]) => title)
    .filter((title) => AVOIDED.test(title.replace(/\$\{[^}]*\}/g, "").replace(QUOTED, "")));
}

/** The mistakes in the comments of a source file. */
function commentMistakes(source: string): string[] {
  const comments = source.match(COMMENT) ?? [];
  const long = source
    .split("\n")
    .filter((line) => line.length > MAX_COLUMNS && /^\s*(?:\/\/|\/?\*)/.test(line) && !/https?:\/\/\S{60}/.test(line));
  const fragments = comments.filter((comment) => FRAGMENT.test(comment.replace(/^\/\*\*[\s*]*/, "")));
  return [...comments.flatMap(mistakesIn), ...long.map((line) => `too long: ${line.trim()}`), ...fragments];
}

const DOCSTRING = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//g;
/** Without the type of an object, `{{ … }}`: what it describes is taken apart and needs no name. */
const PARAMETER = /@param\s+(?:\{[^{}]*\}\s+)?\[?([\w$.]+)/g;

/** The `@param` names of a source file that the signature after the docstring does not have. */
function staleParameters(source: string): string[] {
  return [...source.matchAll(DOCSTRING)].flatMap((docstring) => {
    const signature = parametersAfter(source.slice(docstring.index + docstring[0].length));
    const has = (name: string | undefined) => name !== undefined && new RegExp(`\\b${name}\\b`).test(signature);
    // The first part may be made up for what is taken apart: `@param options.name` of `({ name })`.
    return [...docstring[0].matchAll(PARAMETER)]
      .map(([, name = ""]) => name)
      .filter((name) => {
        const [parameter, member] = name.split(".");
        return !has(parameter) && !has(member);
      });
  });
}

/** The first list of parameters in a text, with its brackets. */
function parametersAfter(text: string): string {
  let depth = 0;
  for (let index = text.indexOf("("); index < text.length; index++) {
    if ("([{".includes(text.charAt(index))) depth++;
    if (")]}".includes(text.charAt(index)) && --depth === 0) return text.slice(text.indexOf("("), index + 1);
  }
  return "";
}

describe("the style guide", () => {
  it("lists the words that comments and documents avoid", () => {
    expect(words.length).toBeGreaterThan(5);
    expect(commentMistakes("/** Whoever asks. */")).toEqual(["/** Whoever asks. */"]);
    expect(commentMistakes("/** Of a user. */")).toEqual(["/** Of a user. */"]);
    expect(commentMistakes(`// ${"x".repeat(MAX_COLUMNS)}`)).toHaveLength(1);
    expect(commentMistakes('const nobody = "whoever"; // The word "whoever" and `anew` are quoted.')).toEqual([]);
  });

  it("is followed by comments", () => {
    const sources = [...repositorySources()].filter(([path]) => path !== "server/rules/style.test.ts");
    const mistakes = sources.flatMap(([path, source]) => commentMistakes(source).map((line) => `${path}: ${line}`));
    expect(mistakes).toEqual([]);
  });

  it("is followed by test titles", () => {
    expect(titleMistakes('it("tells nobody", () => {});\n  it("says “nobody”", () => {});')).toEqual(["tells nobody"]);
    const tests = [...repositorySources()].filter(([path]) => TEST.test(path) && path !== "server/rules/style.test.ts");
    const mistakes = tests.flatMap(([path, source]) => titleMistakes(source).map((title) => `${path}: ${title}`));
    expect(mistakes).toEqual([]);
  });

  it("is followed by the names of parameters in docstrings", () => {
    const declared = "(ctx: Context, { before }: Around): void {}";
    expect(staleParameters(`/** @param ctx x @param around.before y */ function f${declared}`)).toEqual([]);
    expect(staleParameters(`/** @param around x */ function f${declared}`)).toEqual(["around"]);
    const sources = [...repositorySources()].filter(([path]) => path !== "server/rules/style.test.ts");
    const stale = sources.flatMap(([path, source]) => staleParameters(source).map((name) => `${path}: ${name}`));
    expect(stale).toEqual([]);
  });

  it("is followed by documents", () => {
    const documents = ["", "docs/", "docs/guide/", "docs/decisions/"].flatMap((folder) =>
      readdirSync(projectFolder + folder)
        .filter((name) => name.endsWith(".md"))
        .map((name) => folder + name),
    );
    const edited = documents.filter((path) => path !== "docs/style.md");
    const mistakes = edited.flatMap((path) =>
      mistakesIn(readFileSync(projectFolder + path, "utf8")).map((line) => `${path}: ${line}`),
    );
    expect(mistakes).toEqual([]);
  });
});
