/**
 * Mistakes in a bootstrap file, one line each: the JSON path, then the reason. Values are never repeated, as they may
 * be passwords. Inside the transaction a mistake is thrown, so that everything is rolled back.
 */
import { type ApiError, isApiError } from "../protocol/api-error";

export interface Mistake {
  /** As in `organizations[0].users[1].password`; empty for the file itself. */
  path: string;
  reason: string;
  /** The name of the file, if it was read from one. */
  file?: string;
}

/** Why a bootstrap file was not applied: the message has a line for each mistake. */
export class BootstrapMistakes extends Error {
  constructor(readonly mistakes: readonly Mistake[]) {
    super(mistakes.map(describeMistake).join("\n"));
    this.name = "BootstrapMistakes";
  }
}

export function describeMistake({ path, reason, file }: Mistake): string {
  return [file, path, reason].filter((part) => part).join(": ");
}

/** How the bootstrap file calls the fields of the management API. */
const FIELDS: Readonly<Record<string, string>> = { userId: "id", appId: "id" };

/**
 * The outcome of a change of the directory; throws its refusal.
 * @param paths where fields stand that are not at `path` itself
 */
export function orFail<T>(outcome: T | ApiError, path: string, paths: Readonly<Record<string, string>> = {}): T {
  if (!isApiError(outcome)) return outcome;
  const { field } = outcome;
  fail(field === undefined ? path : (paths[field] ?? `${path}.${FIELDS[field] ?? field}`), outcome.message);
}

/** Throws a mistake, which rolls back everything. */
export function fail(path: string, reason: string): never {
  throw new BootstrapMistakes([{ path, reason }]);
}
