import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonFlaws } from "./json-flaws";

function flawOf(json: string): string | undefined {
  const work = jsonFlaws(json);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

describe("JSON objects with a repeated name (RFC 8259 §4)", () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"\\u0061":3}',
    '[{"x":{"a":{},"b":[],"a":"a"}}]',
    '{"":0,"":0}',
    '{"a":[1,2],"a":[]}',
    '{"\\"":1,"\\"":2}',
    '{"__proto__":1,"__proto__":2}',
  ])("are found in %s", (json) => {
    expect(() => JSON.parse(json)).not.toThrow();
    expect(flawOf(json)).toBe("repeated-name");
  });

  it.each([
    '{"a":"a","b":"a"}',
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '["a","a"]',
    '{"a":["b","b"],"b":"\\\\","c":"\\",\\"a\\":"}',
    '"a"',
    '{"a":"{","b":"}","A":1}',
    '{ "a" : 1 , "b" : [ { } , { "a" : "b" , "b" : "a" } ] }',
  ])("are not found in %s", (json) => expect(flawOf(json)).toBeUndefined());

  it("are not found in what JavaScript writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, isWide) => {
        expect(flawOf(JSON.stringify(value, null, isWide ? 2 : 0))).toBeUndefined();
      }),
    );
  });
});

describe("excessively nested JSON (rule API-7)", () => {
  it.each([
    ["[", "]"],
    ['{"a":', "}"],
  ])("is rejected from level 65 on: %s", (opening, closing) => {
    const nested = (levels: number) => `${opening.repeat(levels - 1)}[]${closing.repeat(levels - 1)}`;
    expect(() => JSON.parse(nested(65))).not.toThrow();
    expect(flawOf(nested(64))).toBeUndefined();
    expect(flawOf(nested(65))).toBe("too-deep");
  });

  it.each(['{"a', '{"a\\', '"', '{"\\u00":1', "]]]]", '{"a":1}}'])("does not fail on invalid JSON: %s", (text) => {
    expect(() => flawOf(text)).not.toThrow();
  });
});
