import { describe, expect, it } from "vitest";
import { editDistance } from "./edit-distance";

describe("the edit distance", () => {
  it.each([
    ["", "", 0],
    ["", "PORT", 4],
    ["PORT", "PORT", 0],
    ["PORT", "PROT", 1], // swapped neighbours
    ["kitten", "sitting", 3],
    ["TRUSTED_PROXY", "TRUSTED_PROXIES", 3],
    ["ca", "abc", 3], // a swapped pair is not edited again
  ])("of %s and %s is %i, both ways", (one, other, steps) => {
    expect([editDistance(one, other), editDistance(other, one)]).toEqual([steps, steps]);
  });
});
