import { describe, expect, it } from "vitest";
import { GIVE_UP_AFTER, LEAST_ATTEMPTS, nextAttempt } from "./retry";

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
