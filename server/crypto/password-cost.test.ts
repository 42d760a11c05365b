import { describe, expect, it } from "vitest";
import { checkImportedHash } from "../directory/user/imported-hash";
import { costOf, isDear, isOf, isWithin, OWN_COST, STORED_LIMIT } from "./password-cost";

const hashOf = (m: number, t: number, p: number) =>
  `$argon2id$v=19$m=${m},t=${t},p=${p}$${"a".repeat(22)}$${"b".repeat(43)}`;
const isImported = (m: number, t: number, p: number) => checkImportedHash(hashOf(m, t, p)) === undefined;

describe("limits on the cost of imported password hashes", () => {
  it.each([
    ["our own", 19_456, 2, 1],
    ["OWASP's with more memory", 47_104, 1, 1],
    ["OWASP's with less memory", 7_168, 5, 1],
    ["RFC 9106's second choice", 65_536, 3, 4],
    ["PHP's default", 65_536, 4, 1],
    ["Django's default", 102_400, 2, 8],
    ["twenty passes over little", 12_288, 20, 1],
    ["the defaults of older libraries", 4_096, 3, 1],
    ["the least of argon2", 32, 1, 4],
  ])("accept %s", (_, m, t, p) => expect(isImported(m, t, p)).toBe(true));

  it.each([
    ["memory, passes and lanes", 262_144, 20, 16],
    ["memory", 102_401, 1, 1],
    ["lanes", 19_456, 2, 9],
    ["passes", 7_168, 21, 1],
    ["passes over more than a little", 13_312, 20, 1],
    ["passes over all the memory there may be", 65_536, 5, 1],
    ["less memory than argon2 needs", 31, 1, 4],
    ["no pass", 19_456, 0, 1],
    ["no lane", 19_456, 2, 0],
  ])("reject %s", (_, m, t, p) => expect(isImported(m, t, p)).toBe(false));

  it("are reported in the error", () => {
    expect(checkImportedHash(hashOf(65_536, 20, 1))).toMatchObject({ id: "hash_cost", values: { work: 262_144 } });
    expect(checkImportedHash("$2b$10$abcdefghijklmnopqrstuv")).toMatchObject({ id: "hash_unknown" });
  });

  it("tell expensive hashes and our own hashes apart", () => {
    const cost = (m: number, t: number, p: number) => costOf(hashOf(m, t, p)) ?? { memory: 0, passes: 0, lanes: 0 };
    expect([cost(19_456, 2, 1), cost(7_168, 5, 1), cost(19_456, 3, 1), cost(9_000, 2, 2)].map(isDear)).toEqual([
      ...[false, false, true, true],
    ]);
    expect([cost(19_456, 2, 1), cost(7_168, 5, 1)].map((each) => isOf(each, OWN_COST))).toEqual([true, false]);
    expect(isWithin(cost(262_144, 4, 16), STORED_LIMIT)).toBe(true);
    expect(isWithin(cost(262_144, 5, 16), STORED_LIMIT)).toBe(false);
  });
});
