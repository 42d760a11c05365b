import { expect, it } from "vitest";
import { readDeliveryAttempts, withDeliveryAttempt } from "./delivery-attempts";

it("keeps the attempts in their order, the latest 200, with the beginning of their answers", () => {
  expect(readDeliveryAttempts(null)).toEqual([]);
  let stored: string | null = null;
  for (let at = 1; at <= 201; at++) stored = withDeliveryAttempt(stored, { at, answer: `451 try ${at}` });
  stored = withDeliveryAttempt(stored, { at: 202, answer: "x".repeat(5_000) });
  const attempts = readDeliveryAttempts(stored);
  expect(attempts).toHaveLength(200);
  expect(attempts[0]).toEqual({ at: 3, answer: "451 try 3" });
  expect(attempts.at(-1)).toEqual({ at: 202, answer: "x".repeat(300) });
});
