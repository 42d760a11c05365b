/**
 * Mistakes in a bootstrap file, one line each: the JSON path, then the reason. Values are never repeated, as they may
 * be passwords. Inside the transaction a mistake is thrown, so that everything is rolled back.
 */
import { type ApiError, isApiError, type Problem } from "../protocol/api-error";
import { isReason, type Reason, sentenceOf } from "../protocol/reason";

/** The reason, the error of a directory change, or an English text that says why a file cannot be read. */
type Why = Reason | Pick<Problem, "id" | "message" | "reason"> | string;

export interface Mistake {
  /** A path such as `organizations[0].users[1].password`; empty for the file itself. */
  path: string;
  reason: Why;
  /** The name of the file, if it was read from one. */
  file?: string;
}

/** The reasons why a bootstrap file was not applied: the message has a line for each mistake. */
export class BootstrapMistakes extends Error {
  constructor(readonly mistakes: readonly Mistake[]) {
    super(mistakes.map(describeMistake).join("\n"));
    this.name = "BootstrapMistakes";
  }
}

export function describeMistake({ path, reason, file }: Mistake): string {
  return [file, path, englishOf(reason)].filter((part) => part).join(": ");
}

function englishOf(why: Why): string {
  if (typeof why === "string") return why;
  return isReason(why) ? sentenceOf(why) : why.message;
}

/** Converts the mistake to a part of the error for a whole file. */
export function mistakeProblem({ path, reason: why }: Mistake): Problem {
  const message = `${path} ${englishOf(why)}`.trim();
  const problem: Problem = { id: "apply.mistake", message, field: path || undefined };
  if (typeof why === "string") return problem;
  return isReason(why) ? { ...problem, reason: why } : { ...problem, reason: why.reason, within: why.id };
}

/** The names in the bootstrap file of fields of the management API. */
const FIELDS: Readonly<Record<string, string>> = { userId: "id", appId: "id" };

/**
 * Returns the outcome of a directory change; throws if it is an error.
 * @param paths the paths of fields that are not at `path` itself
 */
export function orFail<T>(outcome: T | ApiError, path: string, paths: Readonly<Record<string, string>> = {}): T {
  if (!isApiError(outcome)) return outcome;
  const { field } = outcome;
  failAt(field === undefined ? path : (paths[field] ?? `${path}.${FIELDS[field] ?? field}`), outcome);
}

/** Throws a mistake, which rolls back the transaction. */
export function failAt(path: string, reason: Why): never {
  throw new BootstrapMistakes([{ path, reason }]);
}
