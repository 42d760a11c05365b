/**
 * Mistakes in a bootstrap file, one line each: the JSON path, then the reason. Values are never repeated, as they may
 * be passwords. Inside the transaction a mistake is thrown, so that everything is rolled back.
 */

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

/** Throws a mistake, which rolls back everything. */
export function fail(path: string, reason: string): never {
  throw new BootstrapMistakes([{ path, reason }]);
}
