import { expect, it } from "vitest";
import { inSteadyOrder } from "./key-order";

const key = (id: string, algorithm: "RS256" | "ES256" | "EdDSA", state: string, day: number) =>
  ({ id, algorithm, state, creationDate: `2026-03-0${day}T00:00:00Z` }) as Parameters<typeof inSteadyOrder>[0][number];

it("keeps the order of the algorithms when one of them is rotated, and lists the active key of each first", () => {
  const before = [
    key("rsa-1", "RS256", "STATE_ACTIVE", 1),
    key("rsa-2", "RS256", "STATE_INITIAL", 2),
    key("ec-1", "ES256", "STATE_ACTIVE", 1),
    key("ed-1", "EdDSA", "STATE_ACTIVE", 3),
  ];
  const after = [
    key("rsa-3", "RS256", "STATE_INITIAL", 4),
    key("rsa-1", "RS256", "STATE_INACTIVE", 1),
    key("rsa-2", "RS256", "STATE_ACTIVE", 2),
    key("rsa-0", "RS256", "STATE_INITIAL", 3),
    ...before.slice(2),
  ];
  expect(inSteadyOrder(before).map(({ id }) => id)).toEqual(["ed-1", "ec-1", "rsa-1", "rsa-2"]);
  expect(inSteadyOrder(after).map(({ id }) => id)).toEqual(["ed-1", "ec-1", "rsa-2", "rsa-3", "rsa-0", "rsa-1"]);
});
