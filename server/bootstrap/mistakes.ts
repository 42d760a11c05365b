/**
 * Mistakes in a bootstrap file, each one line: the JSON path, then the reason. Values are never repeated: they may be
 * passwords. A mistake is thrown where it is found inside the transaction, so that everything before it is undone.
 */

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
