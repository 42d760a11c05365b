import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isStale, parseMaxAge } from "./max-age";

describe("max_age (OIDC Core §3.1.2.1)", () => {
  it.each([
    [undefined, undefined],
    ["0", 0],
    ["1", 1],
    ["10000", 10000],
    ["9999999999", 9999999999],
  ])("reads %j", (raw, seconds) => {
    expect(parseMaxAge(raw)).toBe(seconds);
  });

  it.each(["-1", "+1", "1e99", "1.5", "abc", " 1", "1\n", "0x10", "99999999999", "NaN", "Infinity", "١"])(
    "rejects %j: invalid_request",
    (raw) => {
      expect(parseMaxAge(raw)).toMatchObject({ error: "invalid_request" });
    },
  );

  it.each([
    [undefined, 1e12, false],
    [0, 0, true],
    [1, 0, false],
    [1, 1000, false],
    [1, 1001, true],
    [10000, 2000, false],
    [1, -5000, false],
  ])("max_age %s, authenticated %i ms ago: stale %s", (maxAge, ago, stale) => {
    expect(isStale(5e12 - ago, maxAge, 5e12)).toBe(stale);
  });

  it("remains stale once it is (property)", () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(), fc.nat(), (maxAge, elapsed, more) => {
        if (isStale(0, maxAge, elapsed)) expect(isStale(0, maxAge, elapsed + more)).toBe(true);
      }),
    );
  });
});
