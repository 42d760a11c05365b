/**
 * Parses JSON (RFC 8259) and reports where it is wrong. JSON.parse does not always give a line, and silently uses the
 * last of two members with the same name: a second `"users"` would make the first one vanish.
 */

export interface JsonProblem {
  /** From 1. */
  line: number;
  /** Characters from 1. */
  column: number;
  reason: string;
}

/** No real configuration is nested more deeply, and very deep nesting would exhaust the stack. */
const DEEPEST = 64;

// Parts of a string, RFC 8259 §7.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they must be escaped, so these are exactly the others.
const PLAIN = /[^"\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Unreadable extends Error {
  constructor(
    readonly offset: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** The value, or where and why the text is not JSON. Skips a byte order mark. */
export function parseJson(source: string): { value: unknown } | { problem: JsonProblem } {
  const text = source.startsWith("\ufeff") ? source.slice(1) : source;
  try {
    return { value: read(text) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const lines = text.slice(0, error.offset).split("\n");
    const column = [...(lines.at(-1) ?? "")].length + 1;
    return { problem: { line: lines.length, column, reason: error.reason } };
  }
}

/** A recursive descent parser; strings and numbers are found by regular expressions and decoded by JSON.parse. */
function read(text: string): unknown {
  let at = 0;
  const fail = (reason: string, offset = at): never => {
    throw new Unreadable(offset, offset >= text.length ? "the text ends too early" : reason);
  };
  const skip = () => {
    while (/[ \t\n\r]/.test(text.charAt(at))) at++;
  };
  const take = (character: string): boolean => {
    skip();
    if (text.charAt(at) !== character) return false;
    at++;
    return true;
  };

  const literal = (pattern: RegExp, reason: string): unknown => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return fail(reason);
    at += match[0].length;
    return JSON.parse(match[0]);
  };

  const skipTo = (pattern: RegExp, from: number): number | undefined => {
    pattern.lastIndex = from;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  };

  // Run by run: one pattern for the whole string would remember every character of it, and megabytes overflow that.
  const string = (): string => {
    let end = at + 1;
    while (text.charAt(end) !== '"') {
      const next = skipTo(PLAIN, end) ?? skipTo(ESCAPE, end);
      if (next === undefined) return fail("a string is not closed or holds a bad character");
      end = next;
    }
    const written = text.slice(at, end + 1);
    at = end + 1;
    return JSON.parse(written) as string;
  };

  const object = (depth: number): unknown => {
    const members = new Map<string, unknown>();
    if (take("}")) return {};
    do {
      skip();
      const start = at;
      if (text.charAt(at) !== '"') return fail(`a member name in double quotes was expected`);
      const name = string();
      if (members.has(name)) return fail(`"${name}" stands here for the second time`, start);
      if (!take(":")) return fail(`":" was expected`);
      members.set(name, value(depth + 1));
    } while (take(","));
    return take("}") ? Object.fromEntries(members) : fail(`"," or "}" was expected`);
  };

  const array = (depth: number): unknown => {
    const elements: unknown[] = [];
    if (take("]")) return elements;
    do elements.push(value(depth + 1));
    while (take(","));
    return take("]") ? elements : fail(`"," or "]" was expected`);
  };

  const value = (depth: number): unknown => {
    if (depth > DEEPEST) return fail("it is nested too deeply");
    if (take("{")) return object(depth);
    if (take("[")) return array(depth);
    if (text.charAt(at) === '"') return string();
    return literal(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y, "a value was expected");
  };

  const result = value(0);
  skip();
  return at === text.length ? result : fail("the text should end here");
}
