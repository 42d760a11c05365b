import { expect, it } from "vitest";
import { attemptFilters, attemptQuery, isLatest, type SignInAttempt } from "./attempt";

const attempt = (reason: SignInAttempt["reason"], userId?: string): SignInAttempt => {
  const creationDate = "2030-01-01T00:00:00.000Z";
  return { id: "1", creationDate, lastDate: creationDate, count: 1, reason, userId };
};

it("offers a repair for the latest attempt of a kind, until the user has signed in", () => {
  const wrong = attempt("wrong_password", "u-1");
  expect(isLatest(wrong, [])).toBe(true);
  expect(isLatest(wrong, [attempt("wrong_password", "u-2"), attempt("signed_in", "u-2")])).toBe(true);
  expect(isLatest(wrong, [attempt("throttled", "u-1")])).toBe(true);
  expect(isLatest(wrong, [wrong])).toBe(false);
  expect(isLatest(wrong, [attempt("signed_in", "u-1")])).toBe(false);
});

it("searches for the options of the form, and ignores other values in the address", () => {
  const filters = attemptFilters({
    q: " ada ",
    reason: "made_up",
    from: "2030-02-01",
    to: "tomorrow",
    page: "x",
    zone: "Europe/Berlin",
  });
  expect(filters).toEqual({ q: "ada", reason: "made_up", from: "2030-02-01", to: "tomorrow", zone: "Europe/Berlin" });
  expect(attemptQuery(filters)).toEqual({
    loginName: "ada",
    reason: undefined,
    clientId: undefined,
    from: "2030-01-31T23:00:00.000Z",
  });
});
