/**
 * Every schema of the operations, and that of the bootstrap file, says why it refuses by a reason (protocol/reason.ts):
 * a sentence would reach people who read another language as "is not valid".
 */
import { describe, expect, it } from "vitest";
import { bootstrapFile } from "../../bootstrap/schema";
import { wordIssue } from "../../protocol/input-issues";
import { readReason } from "../../protocol/reason";
import { operations } from "../all";

interface Checked {
  error?: (issue: unknown) => unknown;
}

/** The messages of a schema and of everything in it that are no reasons. */
function sentencesIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  const { _zod } = value as { _zod?: { def: Checked & object } };
  if (!_zod)
    return Array.isArray(value) || isPlain(value) ? Object.values(value).flatMap((one) => sentencesIn(one, seen)) : [];
  const { error } = _zod.def;
  const own = ["custom", "unrecognized_keys"].flatMap((code) => {
    const told = error?.({ code, keys: [], input: "", path: [] });
    return typeof told === "string" && readReason(told).id === "not_valid" ? [told] : [];
  });
  return [...own, ...Object.values(_zod.def).flatMap((one) => sentencesIn(one, seen))];
}

const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype;

describe("the schemas", () => {
  it("refuse with reasons in every operation", () => {
    const wrong = operations.flatMap(({ id, body, query }) =>
      sentencesIn([body, query]).map((sentence) => `${id}: ${sentence}`),
    );
    expect(wrong).toEqual([]);
    expect(sentencesIn(bootstrapFile)).toEqual([]);
  });

  it("have a reason for the checks of zod", () => {
    const told = wordIssue({ code: "invalid_type", expected: "int", input: 1.5 } as never);
    expect(readReason(told ?? "").id).toBe("whole_number");
  });
});
