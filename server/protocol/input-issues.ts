/**
 * What zod found wrong with some input, one line each: the path, then a readable reason. Values are never repeated,
 * because they may be secrets.
 */
import type { z } from "zod";

export interface InputIssue {
  /** As in `organizations[0].users[1].password`; empty for the whole input. */
  path: string;
  reason: string;
}

/** More tell nobody more, and an answer must not be larger than its request by much. */
const MAX_ISSUES = 100;

/** The first issue found at each path. */
export function inputIssues(error: z.ZodError): InputIssue[] {
  const found = new Map<string, InputIssue>();
  for (const { path, message } of placesOf(error)) {
    const place = formatPath(path);
    if (!found.has(place)) found.set(place, { path: place, reason: message });
    if (found.size === MAX_ISSUES) break;
  }
  return [...found.values()];
}

function* placesOf(error: z.ZodError): Generator<{ path: readonly PropertyKey[]; message: string }> {
  for (const issue of error.issues) {
    const { path, message } = issue;
    if (issue.code !== "unrecognized_keys") yield { path, message };
    else for (const key of issue.keys) yield { path: [...path, key], message };
  }
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      const name = String(step);
      if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}

/** Wording for zod's own checks; our field schemas bring their own. */
export function wordIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${NOUNS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.map(String).join(" or ")}`;
    case "too_big":
      return `at most ${issue.maximum} entries`;
    default:
      return undefined;
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  string: "a string",
};
