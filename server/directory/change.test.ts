import { describe, expect, it } from "vitest";
import { applyBootstrap } from "../bootstrap/apply";
import { bareContext } from "../testing/bare-context";
import { connectTestDatabase, databaseKinds, testDatabaseUrl } from "../testing/database";
import { findClient } from "./app/app";
import { invalidateWithOthers } from "./cache";
import { changeDirectory } from "./change";

describe.each(databaseKinds)("changes of the directory (%s)", (kind) => {
  it("pass their timeout to the database", async () => {
    const ctx = await bareContext(kind);
    const endless = changeDirectory(
      ctx,
      async (ctx) => {
        for (;;) {
          await ctx.tx.organization.findFirst();
          await new Promise(setImmediate); // better-sqlite3 is synchronous, so timers would never run
        }
      },
      { timeout: 100 },
    );
    await expect(endless).rejects.toThrow("timeout for this transaction was 100 ms");
  });
});

describe("a change by one of several processes on one database", () => {
  it("is visible to the others at once, before their cache entries expire", async () => {
    const url = await testDatabaseUrl("postgresql");
    const writer = await bareContext("postgresql", await connectTestDatabase(url));
    const reader = await bareContext("postgresql", await connectTestDatabase(url));
    for (const ctx of [writer, reader]) await invalidateWithOthers(ctx);
    const oidc = { clientId: "web", clientSecret: "0123456789abcdef0123456789abcdef0123" };
    const apps = [{ id: "a", name: "A", oidc }];
    await applyBootstrap(writer, { organizations: [{ id: "o", name: "O", projects: [{ id: "p", name: "P", apps }] }] });
    expect(await findClient(reader, "web")).toBeDefined();
    await changeDirectory(writer, (ctx) => ctx.tx.app.update({ where: { id: "a" }, data: { state: "inactive" } }));
    // The reader's clock does not advance, so its cache entries never expire.
    expect(await findClient(reader, "web")).toBeUndefined();
  });
});
