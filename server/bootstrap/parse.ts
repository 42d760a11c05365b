/** Checks a bootstrap file without a database: first its members, then contradictions among them. */

import { inputIssues, wordIssue } from "../protocol/input-issues";
import { findContradictions } from "./check";
import type { Mistake } from "./mistakes";
import { type BootstrapFile, bootstrapFile } from "./schema";

/** The file, or all mistakes in it. */
export function parseBootstrap(content: unknown): BootstrapFile | Mistake[] {
  const parsed = bootstrapFile.safeParse(content, { error: wordIssue });
  if (!parsed.success) return inputIssues(parsed.error);
  const contradictions = findContradictions(parsed.data);
  return contradictions.length > 0 ? contradictions : parsed.data;
}
