import { describe, expect, it } from "vitest";
import { hashesAtOnce } from "./password-hash";

describe("the number of passwords that a process hashes at once", () => {
  it.each([
    ["the number of cores", 2, 1, 4, 2],
    ["the process's share of the cores if several processes serve", 16, 16, 4, 1],
    ["never zero", 2, 8, 4, 1],
    ["limited by the threads that are left for signing and for expensive hashes", 8, 1, 4, 2],
    ["one even with a pool of one thread", 8, 1, 1, 1],
  ])("is %s", (_, cores, processes, pool, expected) => {
    expect(hashesAtOnce(cores, processes, pool)).toBe(expected);
  });
});
