/**
 * Parses JSON (RFC 8259) and reports the position of a mistake. JSON.parse does not always report a line, and silently
 * uses the last of two members with the same name: a second `"users"` would replace the first one.
 */

export interface JsonProblem {
  /** From 1. */
  line: number;
  /** Characters from 1. */
  column: number;
  reason: string;
}

/** Real configurations are not nested more deeply, and very deep nesting would exhaust the stack. */
const MAX_DEPTH = 64;

// RFC 8259 §6 and §7. No pattern may match text of unlimited length: it would remember each character, and megabytes
// overflow the memory for that.
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERAL = /-?(?:0|[1-9]\d{0,999})(?:\.\d{1,1000})?(?:[eE][+-]?\d{1,10})?|true|false|null/y;

/** Returns the end of the literal characters of a string: all except quotation marks, backslashes and controls. */
function endOfPlain(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '"' && text.charAt(at) !== "\\" && text.charCodeAt(at) > 0x1f) at++;
  return at;
}

class Unreadable extends Error {
  constructor(
    readonly offset: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Returns the value, or the position and reason of the first mistake. Skips a byte order mark. */
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

/** A recursive descent parser; strings and numbers are located here and decoded by JSON.parse. */
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

  const literal = (): unknown => {
    LITERAL.lastIndex = at;
    const match = LITERAL.exec(text);
    if (!match) return fail("a value was expected");
    at += match[0].length;
    if (/[0-9]/.test(text.charAt(at))) return fail("a number has leading zeros or too many digits");
    return JSON.parse(match[0]);
  };

  const string = (): string => {
    let end = endOfPlain(text, at + 1);
    while (text.charAt(end) !== '"') {
      ESCAPE.lastIndex = end;
      if (!ESCAPE.test(text)) return fail("a string is not closed or holds a bad character");
      end = endOfPlain(text, ESCAPE.lastIndex);
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
    if (depth > MAX_DEPTH) return fail("it is nested too deeply");
    if (take("{")) return object(depth);
    if (take("[")) return array(depth);
    if (text.charAt(at) === '"') return string();
    return literal();
  };

  const result = value(0);
  skip();
  return at === text.length ? result : fail("the text should end here");
}
