import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./strict-json";

describe("JSON of the bootstrap file (RFC 8259)", () => {
  it("returns the same values as JSON.parse", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat({ max: 3 }), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  it("refuses what JSON.parse refuses", () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom("", "{", "]", ",", '"', "\\", "x", "0"),
        (json, at, put) => {
          const cut = at % (json.length + 1);
          const text = json.slice(0, cut) + put + json.slice(cut + 1);
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          const result = parseJson(text);
          if (!valid) expect(result).toHaveProperty("problem");
          else if ("value" in result) expect(result.value).toEqual(JSON.parse(text));
          else expect(result.problem.reason).toContain("for the second time");
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("skips a byte order mark", () => {
    expect(parseJson("\ufeff[1]")).toEqual({ value: [1] });
  });

  it("reads strings of many megabytes", () => {
    for (const part of ["x", "\\u0301", 'a\\"']) {
      const text = `{"a":"${part.repeat(9_000_000 / part.length)}"}`;
      expect(JSON.stringify(parseJson(text)) === JSON.stringify({ value: JSON.parse(text) })).toBe(true);
    }
  });

  it("refuses numbers of many megabytes", () => {
    const problem = { line: 1, column: 1_001, reason: "a number has leading zeros or too many digits" };
    expect(parseJson("1".repeat(9_000_000))).toEqual({ problem });
    expect(parseJson(`1${"0".repeat(300)}`)).toEqual({ value: 1e300 });
  });

  it("makes __proto__ a member like any other", () => {
    const result = parseJson('{"__proto__": {"polluted": true}}') as { value: object };
    expect(Object.keys(result.value)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it.each([
    ["", 1, 1, "the text ends too early"],
    ['{\n  "a": 1,\n}', 3, 1, "a member name in double quotes was expected"],
    ['{"a": 1 "b": 2}', 1, 9, '"," or "}" was expected'],
    ['{"a" 1}', 1, 6, '":" was expected'],
    ["[1, 2", 1, 6, "the text ends too early"],
    ["[1 2]", 1, 4, '"," or "]" was expected'],
    ["{'a': 1}", 1, 2, "a member name in double quotes was expected"],
    ['{"ä😀": tru}', 1, 8, "a value was expected"],
    ["// a comment\n{}", 1, 1, "a value was expected"],
    ["{} {}", 1, 4, "the text should end here"],
    ['"a\nb"', 1, 1, "a string is not closed or holds a bad character"],
    ['{"a": 1,\n "a": 2}', 2, 2, '"a" stands here for the second time'],
    ["[".repeat(70), 1, 66, "it is nested too deeply"],
  ])("reports where %j is invalid", (text, line, column, reason) => {
    expect(parseJson(text)).toEqual({ problem: { line, column, reason } });
  });
});
