import { describe, expect, it } from "vitest";
import { everyCell } from "./cells";

describe("a table of cells", () => {
  const cells = [["one", 1] as const, ["two", 2] as const, ["three", 3] as const];

  it("names every cell that is wrong in one line, with why", async () => {
    const outcome = everyCell(cells, async (cell) => expect({ cell }).toEqual({ cell: 2 }));
    await expect(outcome).rejects.toThrow(/^2 wrong: one \(expected .*\); three \(expected .*\)$/);
    await everyCell(cells, (cell) => expect(cell).toBeGreaterThan(0));
  });

  it("proves nothing without a cell", async () => {
    await expect(everyCell([], () => undefined)).rejects.toThrow("without cells");
  });
});
