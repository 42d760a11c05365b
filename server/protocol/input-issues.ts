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

/** The first issue found at each path. */
export function inputIssues(error: z.ZodError): InputIssue[] {
  const found = error.issues.flatMap((issue) => {
    const path = formatPath(issue.path);
    if (issue.code !== "unrecognized_keys") return [{ path, reason: issue.message }];
    return issue.keys.map((key) => ({ path: formatPath([...issue.path, key]), reason: issue.message }));
  });
  const places = new Set<string>();
  return found.filter(({ path }) => !places.has(path) && places.add(path));
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
