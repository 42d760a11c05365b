import { describe, expect, it } from "vitest";
import { everyCell } from "./cells";

describe("a table of cells", () => {
  const cells = [["one", 1] as const, ["two", 2] as const, ["three", 3] as const];

  it("names every wrong cell in one line, with the reason", async () => {
    const outcome = everyCell(cells, async (cell) => expect({ cell }).toEqual({ cell: 2 }));
    await expect(outcome).rejects.toThrow(/^2 wrong: one \(expected .*\); three \(expected .*\)$/);
    await everyCell(cells, (cell) => expect(cell).toBeGreaterThan(0));
  });

  it("fails without a cell", async () => {
    await expect(everyCell([], () => undefined)).rejects.toThrow("without cells");
  });
});
