import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasRepeatedName } from "./repeated-name";

describe("JSON objects with one name twice (RFC 8259 §4)", () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"\\u0061":3}',
    '[{"x":{"a":{},"b":[],"a":"a"}}]',
    '{"":0,"":0}',
    '{"a":[1,2],"a":[]}',
    '{"\\"":1,"\\"":2}',
    '{"__proto__":1,"__proto__":2}',
  ])("finds it in %s", (json) => {
    expect(() => JSON.parse(json)).not.toThrow();
    expect(hasRepeatedName(json)).toBe(true);
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
  ])("takes %s", (json) => expect(hasRepeatedName(json)).toBe(false));

  it("finds none in what JavaScript writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, isWide) => {
        expect(hasRepeatedName(JSON.stringify(value, null, isWide ? 2 : 0))).toBe(false);
      }),
    );
  });
});
