import { describe, expect, it } from "vitest";
import { delayAfter, GIVE_UP_AFTER, LEAST_ATTEMPTS, nextAttempt } from "./retry";

describe("pauses between attempts", () => {
  it.each([
    [1, 5_000],
    [2, 15_000],
    [3, 45_000],
    [20, 600_000],
  ])("attempt %i: at most %i ms, at least half of it", (attempt, most) => {
    expect(delayAfter(attempt, 1)).toBe(most);
    expect(delayAfter(attempt, 0)).toBe(most / 2);
  });
});

describe("a message that could not be sent", () => {
  const at = (attempts: number, age: number) => nextAttempt({ createdAt: 1_000, attempts }, 1_000 + age);

  it("is retried for a day, and for the minimum number of attempts, regardless of its age", () => {
    expect(at(1, 0)).toBeGreaterThanOrEqual(1_000 + 2_500);
    expect(at(LEAST_ATTEMPTS, GIVE_UP_AFTER - 600_001)).toBeGreaterThan(0);
    expect(at(LEAST_ATTEMPTS - 1, 2 * GIVE_UP_AFTER)).toBeGreaterThan(0);
  });

  it("is given up afterwards", () => {
    expect(at(LEAST_ATTEMPTS, GIVE_UP_AFTER)).toBeUndefined();
  });
});
