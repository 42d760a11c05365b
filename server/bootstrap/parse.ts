/** Checks a bootstrap file without a database: first its members, then contradictions among them. */

import { inputIssues, wordIssue } from "../protocol/input-issues";
import { findContradictions } from "./contradictions";
import type { Mistake } from "./mistakes";
import { type BootstrapFile, bootstrapFile } from "./schema";

/**
 * The maximum number of characters of one text, above the limit of every member. Patterns check the texts, and those
 * that remember every character overflow the memory from three million characters on.
 */
const MAX_TEXT = 1_000_000;

/** Returns the file, or all mistakes in it. */
export function parseBootstrap(content: unknown): BootstrapFile | Mistake[] {
  const longTexts = [...textsBeyondBounds(content, [])];
  if (longTexts.length > 0) return longTexts;
  const parsed = bootstrapFile.safeParse(content, { error: wordIssue });
  if (!parsed.success) return inputIssues(parsed.error);
  const contradictions = findContradictions(parsed.data);
  return contradictions.length > 0 ? contradictions : parsed.data;
}

/** Finds texts over the limit. @param path of the value in the file */
function* textsBeyondBounds(value: unknown, path: readonly string[]): Generator<Mistake> {
  const isTooLong = (text: string) => text.length > MAX_TEXT;
  const mistake = (at: readonly string[]) => ({
    path: at.join(""),
    reason: `must have at most ${MAX_TEXT} characters`,
  });
  if (typeof value === "string" && isTooLong(value)) yield mistake(path);
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : path.length === 0 ? name : `.${name}`;
    if (isTooLong(name)) yield mistake(path);
    else yield* textsBeyondBounds(member, [...path, step]);
  }
}
