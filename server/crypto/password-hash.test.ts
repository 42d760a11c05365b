import { describe, expect, it } from "vitest";
import { hashesAtOnce } from "./password-hash";

describe("passwords hashed at once by a process", () => {
  it.each([
    ["as many as there are cores", 2, 1, 4, 2],
    ["their part of the cores, where several serve", 16, 16, 4, 1],
    ["never none", 2, 8, 4, 1],
    ["not on the threads that are left for signing and for dear hashes", 8, 1, 4, 2],
    ["even with a pool of one thread", 8, 1, 1, 1],
  ])("are %s", (_, cores, processes, pool, expected) => {
    expect(hashesAtOnce(cores, processes, pool)).toBe(expected);
  });
});
