import { describe, expect, it } from "vitest";
import { backoff } from "./backoff";

describe("pauses between attempts", () => {
  it.each([
    [1, 5_000],
    [2, 15_000],
    [3, 45_000],
    [20, 600_000],
  ])("attempt %i: at most %i ms, at least half of it", (attempt, most) => {
    const mails = { first: 5_000, most: 600_000, factor: 3 };
    expect(backoff(mails, attempt, 1)).toBe(most);
    expect(backoff(mails, attempt, 0)).toBe(most / 2);
  });
});
