import { describe, expect, it } from "vitest";
import { type ReadingOptions, readJsonParts } from "./json-parts";

async function* inChunks(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function partsOf(text: string, options: ReadingOptions, size = 7): Promise<[string, unknown, number][]> {
  const parts: [string, unknown, number][] = [];
  for await (const { path, value, line } of readJsonParts(inChunks(text, size), options)) {
    parts.push([path.join("."), value, line]);
  }
  return parts;
}

const opens: ReadingOptions["opens"] = (path) => path.length === 0 || (path.length === 1 && path[0] === "users");

describe("the reader of JSON in parts", () => {
  it.each([1, 2, 7, 1_000])("yields members of opened containers one by one, in chunks of %d", async (size) => {
    const text = `{ "realm": "a\\"}",\n "users": [{"n": [1, "]"]},\n\n {"n":{}} ], "empty": [], "count": -1.5e3 }\n`;
    expect(await partsOf(text, { opens }, size)).toEqual([
      ["realm", 'a"}', 1],
      ["users.0", { n: [1, "]"] }, 2],
      ["users.1", { n: {} }, 4],
      ["empty", [], 4],
      ["count", -1500, 4],
    ]);
  });

  it("yields the values of NDJSON, and the elements of an array in their place", async () => {
    const each: ReadingOptions = { isSequence: true, opens: (path, isArray) => path.length === 1 && isArray };
    expect(await partsOf('{"a":1}\n{"a":2}\n[{"a":3},{"a":4}]\n', each)).toEqual([
      ["0", { a: 1 }, 1],
      ["1", { a: 2 }, 2],
      ["2.0", { a: 3 }, 3],
      ["2.1", { a: 4 }, 3],
    ]);
    expect(await partsOf("", each)).toEqual([]);
  });

  it.each([
    ['{"users": [{"a": 1},\n{"a": 2', "line 2: the file ends early, it may be truncated"],
    ['{"users": [{"a": 1},\n', "line 2: the file ends early, it may be truncated"],
    ['{"users": [{"a": 1}', "line 1: the file ends early, it may be truncated"],
    ['{"users": ', "line 1: the file ends early, it may be truncated"],
    ["", "line 1: the file ends early, it may be truncated"],
    ['{"a": 1}\n{"b": 2}', "line 2: there is more text after the end of the JSON value"],
    ['{"a": 1,\n "a": 2}', 'line 2: "a" appears twice in one object'],
    ['{"a": 1,}', "line 1: expected a name in quotes"],
    ['{"a" 1}', 'line 1: expected ":"'],
    ['{"a": 1 "b": 2}', 'line 1: expected "," or "}"'],
    ['{"a": nothing}', "line 1: is not JSON"],
    ['{"users": [{"a": [1,}]}', "line 1: is not JSON"],
  ])("refuses %j with the place", async (text, message) => {
    for (const size of [1, 1_000]) await expect(partsOf(text, { opens }, size)).rejects.toThrow(message);
  });

  it("bounds the memory of one value", async () => {
    async function* endless() {
      yield '{"a": "';
      for (;;) yield "x".repeat(65_536);
    }
    const read = async () => {
      for await (const _ of readJsonParts(endless(), { opens }));
    };
    await expect(read()).rejects.toThrow("one value is longer than");
  });
});
