/**
 * Reads JSON of any size in parts: containers that the caller opens are read member by member, all other values whole.
 * A file of gigabytes needs the memory of its largest part, and a mistake has its line.
 */

export type JsonPath = readonly (string | number)[];

/** A value in the file. */
export interface JsonPart {
  path: JsonPath;
  value: unknown;
  /** Where the value begins, counted from 1. */
  line: number;
}

export interface ReadingOptions {
  /** Whether the members of a container are read one by one. */
  opens(path: JsonPath, isArray: boolean): boolean;
  /** Whether the file may contain several values, as in NDJSON; the paths then begin with their number. */
  isSequence?: boolean;
}

/** Thrown at the first mistake. */
export class UnreadableExport extends Error {}

const ENDS_EARLY = "the file ends early, it may be truncated";

/** Characters of one part. */
const MAX_PART = 16 * 1024 * 1024;

/** @throws UnreadableExport */
export async function* readJsonParts(
  chunks: AsyncIterable<string>,
  { opens, isSequence = false }: ReadingOptions,
): AsyncGenerator<JsonPart> {
  const input = new Input(chunks[Symbol.asyncIterator]());
  if (!isSequence) yield* readParts(input, [], opens);
  for (let index = 0; isSequence && (await input.peek()) !== undefined; index++) {
    yield* readParts(input, [index], opens);
  }
  if ((await input.peek()) !== undefined) input.fail("there is more text after the end of the JSON value");
}

async function* readParts(input: Input, path: JsonPath, opens: ReadingOptions["opens"]): AsyncGenerator<JsonPart> {
  const first = await input.peek();
  const isArray = first === "[";
  if ((first !== "{" && !isArray) || !opens(path, isArray)) {
    const line = input.line();
    yield { path, line, value: input.parse(await input.value()) };
    return;
  }
  input.skip();
  const close = isArray ? "]" : "}";
  const names = new Set<string>();
  if ((await input.peek()) === close) return input.skip();
  for (let index = 0; ; index++) {
    const step = isArray ? index : await readName(input, names);
    yield* readParts(input, [...path, step], opens);
    const next = await input.peek();
    if (next !== "," && next !== close) input.expected(`"," or "${close}"`, next);
    input.skip();
    if (next === close) return;
  }
}

async function readName(input: Input, names: Set<string>): Promise<string> {
  const quote = await input.peek();
  if (quote !== '"') input.expected("a name in quotes", quote);
  const name = input.parse(await input.value()) as string;
  if (names.has(name)) input.fail(`"${name}" appears twice in one object`);
  names.add(name);
  const colon = await input.peek();
  if (colon !== ":") input.expected('":"', colon);
  input.skip();
  return name;
}

/** The text of a file from the current position on. */
class Input {
  private text = "";
  private at = 0;
  private lines = 1;

  constructor(private readonly chunks: AsyncIterator<string>) {}

  /** Returns the next character that is not white space, or undefined at the end. */
  async peek(): Promise<string | undefined> {
    for (;;) {
      while (this.at < this.text.length && " \n\r\t\ufeff".includes(this.text[this.at] ?? "")) this.at++;
      if (this.at < this.text.length) return this.text[this.at];
      if (!(await this.more())) return undefined;
    }
  }

  skip(): void {
    this.at++;
  }

  line(): number {
    return this.lines + linesIn(this.text, this.at);
  }

  fail(why: string): never {
    throw new UnreadableExport(`line ${this.line()}: ${why}`);
  }

  expected(what: string, found: string | undefined): never {
    this.fail(found === undefined ? ENDS_EARLY : `expected ${what}`);
  }

  parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return this.fail("is not JSON");
    }
  }

  /** Returns the text of the value at the current position, after `peek`. */
  async value(): Promise<string> {
    if ((await this.peek()) === undefined) this.fail(ENDS_EARLY);
    const isNested = /["{[]/.test(this.text[this.at] ?? "");
    let [length, depth, inText] = [0, 0, false];
    scan: for (;;) {
      while (this.at + length >= this.text.length) {
        if (await this.more()) continue;
        if (isNested) this.fail(ENDS_EARLY);
        break scan;
      }
      const letter = this.text[this.at + length];
      if (!isNested && /[\s,\]}]/.test(letter ?? "")) break;
      length++;
      if (letter === "\\" && inText) length++;
      else if (letter === '"') inText = !inText;
      else if (!inText && (letter === "{" || letter === "[")) depth++;
      else if (!inText && (letter === "}" || letter === "]")) depth--;
      if (isNested && depth === 0 && !inText) break;
      if (length > MAX_PART) this.fail(`one value is longer than ${MAX_PART} characters`);
    }
    const text = this.text.slice(this.at, this.at + length);
    this.lines += linesIn(this.text, this.at + length);
    this.text = this.text.slice(this.at + length);
    this.at = 0;
    return text;
  }

  private async more(): Promise<boolean> {
    const { done, value } = await this.chunks.next();
    if (done) return false;
    this.lines += linesIn(this.text, this.at);
    this.text = this.text.slice(this.at) + value;
    this.at = 0;
    return true;
  }
}

function linesIn(text: string, until: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < until; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
