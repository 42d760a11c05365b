/** Tables of cells in one test: each cell is checked, and the failure lists all wrong ones, not only the first. */
import { expect } from "vitest";

/**
 * Runs `check` for every cell in turn. Fails if an expectation fails in any of them, or if there are no cells, with a
 * message of one line, which the end of `npm test` repeats.
 * @param cells the name under which a failure is reported, and the value to check
 */
export async function everyCell<T>(
  cells: Iterable<readonly [name: string, cell: T]>,
  check: (cell: T) => unknown,
): Promise<void> {
  const all = [...cells];
  const wrong: string[] = [];
  for (const [name, cell] of all) {
    try {
      await check(cell);
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
      wrong.push(`${name} (${reason})`);
    }
  }
  if (all.length === 0) expect.fail("a table without cells proves nothing");
  expectNone(wrong);
}

/** Fails with all wrong values in one line. */
export function expectNone(wrong: readonly string[]): void {
  if (wrong.length > 0) expect.fail(`${wrong.length} wrong: ${wrong.join("; ")}`);
}
