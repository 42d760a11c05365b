/** Converts zod's issues to paths and reasons. Values are never repeated, because they may be secrets. */
import type { z } from "zod";
import { issue, type PlainReasonId, type Reason, readReason } from "./reason";

export interface InputIssue {
  /** The path, as in `organizations[0].users[1].password`; empty for the whole input. */
  path: string;
  reason: Reason;
}

/** The maximum number of issues: more are not useful, and a response must not be much larger than its request. */
const MAX_ISSUES = 100;

/** Returns the first issue at each path. */
export function inputIssues(error: z.ZodError): InputIssue[] {
  const found = new Map<string, InputIssue>();
  for (const { path, message } of placesOf(error.issues)) {
    const place = formatPath(path);
    if (!found.has(place)) found.set(place, { path: place, reason: readReason(message) });
    if (found.size === MAX_ISSUES) break;
  }
  return [...found.values()];
}

interface Place {
  path: readonly PropertyKey[];
  message: string;
}

function* placesOf(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[] = []): Generator<Place> {
  for (const issue of issues) {
    const { message } = issue;
    const path = [...above, ...issue.path];
    const alternative = issue.code === "invalid_union" ? issue.errors.findLast(isMeant) : undefined;
    if (alternative) yield* placesOf(alternative, path);
    else if (issue.code !== "unrecognized_keys") yield { path, message };
    else for (const key of issue.keys) yield { path: [...path, key], message };
  }
}

/** Whether the input was probably meant for this alternative: not one of another type or with another fixed value. */
const isMeant = (issues: readonly z.core.$ZodIssue[]): boolean =>
  !issues.some(({ code, path }) => path.length === 0 && (code === "invalid_type" || code === "invalid_value"));

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

/** Returns reasons for zod's own checks; our field schemas have their own. */
export function wordIssue(raw: z.core.$ZodRawIssue): string | undefined {
  switch (raw.code) {
    case "invalid_type":
      return raw.input === undefined ? issue("required") : issue(TYPES[raw.expected] ?? "not_valid");
    case "invalid_value": {
      const [value, ...others] = raw.values.map(String);
      return others.length === 0
        ? issue("exactly", { value: value ?? "" })
        : issue("one_of", { values: raw.values.map(String).join(", ") });
    }
    case "too_big":
      return issue(TOO_BIG[raw.origin] ?? "most", { n: Number(raw.maximum) });
    case "too_small":
      // Avoids "At least 1 characters".
      if (Number(raw.minimum) === 1 && (raw.origin === "string" || raw.origin === "array")) return issue("empty");
      return issue(SMALLEST[raw.origin] ?? "least", { n: Number(raw.minimum) });
    default:
      return undefined;
  }
}

const TYPES: Readonly<Record<string, PlainReasonId>> = {
  array: "array",
  boolean: "boolean",
  int: "whole_number",
  number: "number",
  object: "object",
  record: "object",
  string: "string",
};
const TOO_BIG: Readonly<Record<string, "entries" | "too_long" | "most">> = {
  array: "entries",
  string: "too_long",
  number: "most",
  int: "most",
};
const SMALLEST: Readonly<Record<string, "least_entries" | "too_short" | "least">> = {
  array: "least_entries",
  string: "too_short",
  number: "least",
  int: "least",
};
