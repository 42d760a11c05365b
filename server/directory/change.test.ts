import { describe, expect, it } from "vitest";
import { bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { changeDirectory } from "./change";

describe.each(databaseKinds)("frame of every change (%s)", (kind) => {
  it("hands the time it may take on to the database", async () => {
    const ctx = await bareContext(kind);
    const started = performance.now();
    const endless = changeDirectory(
      ctx,
      async (tx) => {
        for (;;) {
          await tx.organization.findFirst();
          await new Promise(setImmediate); // better-sqlite3 answers at once: no timer would ever get its turn
        }
      },
      { timeout: 100 },
    );
    await expect(endless).rejects.toThrow("timeout for this transaction was 100 ms");
    expect(performance.now() - started).toBeLessThan(8_000); // the default would be ten seconds
  });
});
