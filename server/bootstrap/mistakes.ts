/**
 * Mistakes in a bootstrap file, each one line: the JSON path, then the reason. Values are never repeated: they may be
 * passwords. A mistake is thrown where it is found inside the transaction, so that everything before it is undone.
 */
import type { z } from "zod";

export interface Mistake {
  /** As in `organizations[0].users[1].password`; empty for the file itself. */
  path: string;
  reason: string;
  /** Where it was read from a file: its name. */
  file?: string;
}

/** Why a bootstrap file was not applied; the message has a line for each mistake. */
export class BootstrapMistakes extends Error {
  constructor(readonly mistakes: readonly Mistake[]) {
    super(mistakes.map(describeMistake).join("\n"));
    this.name = "BootstrapMistakes";
  }
}

export function describeMistake({ path, reason, file }: Mistake): string {
  return [file, path, reason].filter((part) => part).join(": ");
}

/** Stops and undoes everything. */
export function fail(path: string, reason: string): never {
  throw new BootstrapMistakes([{ path, reason }]);
}

/** What the schema found wrong, one line for each place: the first reason is the one to begin with. */
export function toMistakes(error: z.ZodError): Mistake[] {
  const found = error.issues.flatMap((issue) => {
    const path = formatPath(issue.path);
    if (issue.code !== "unrecognized_keys") return [{ path, reason: issue.message }];
    return issue.keys.map((key) => ({ path: formatPath([...issue.path, key]), reason: issue.message }));
  });
  const places = new Set<string>();
  return found.filter(({ path }) => !places.has(path) && places.add(path));
}

export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      const name = String(step);
      if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}

/** The words for what zod itself finds; the fields of ours bring their own. */
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
