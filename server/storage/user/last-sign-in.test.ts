import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { migrationsFolder } from "../../root";
import { connectTestDatabase, databaseKinds, emptyDatabaseUrl, temporaryFolder } from "../../testing/database";
import { migrate } from "../engine/migrate";
import { findShownUser } from "./list";

const MIGRATION = "20261128194531_last_sign_in";

describe.each(databaseKinds)("the upgrade that moves the last sign-in to a table of its own, on %s", (kind) => {
  it("keeps when people last signed in, and sees what the previous release writes beside it", async () => {
    const url = await emptyDatabaseUrl(kind);
    const before = temporaryFolder();
    fs.cpSync(path.join(migrationsFolder, kind), path.join(before, kind), {
      recursive: true,
      filter: (file) => !/^\d{14}_/.test(path.basename(file)) || path.basename(file) < MIGRATION,
    });
    await migrate(url, before);
    const old = await connectTestDatabase(url);
    const at = new Date("2026-11-01T00:00:00.000Z");
    await old.run(`INSERT INTO "Organization" ("id", "name", "state", "createdAt") VALUES ('o', 'o', 'active', $1)`, [
      at,
    ]);
    for (const [id, last] of [
      ["ada", "2026-11-02T00:00:00.000Z"],
      ["bob", ""],
    ] as const) {
      await old.run(
        `INSERT INTO "User" ("id", "organizationId", "kind", "state", "userName", "loginNameKey", "userNameKey",
          "isEmailVerified", "isPhoneVerified", "passwordChangeRequired", "validFrom", "createdAt", "changedAt", "lastSignIn")
         VALUES ($1, 'o', 'human', 'active', $1, $1, $1, FALSE, FALSE, FALSE, $2, $2, $2, $3)`,
        [id, at, last],
      );
      await old.run(
        `INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
         VALUES ('user', $1, 'o', 1, $2, $2)`,
        [id, at],
      );
    }
    expect(await migrate(url, migrationsFolder)).toContain(MIGRATION);
    const lastOf = async (id: string) => (await findShownUser(old, id))?.lastSignIn;
    expect([await lastOf("ada"), await lastOf("bob")]).toEqual(["2026-11-02T00:00:00.000Z", ""]);
    if (kind === "sqlite") return; // one process serves: no other release writes to it
    const later = "2026-12-01T00:00:00.000Z";
    await old.run(`UPDATE "User" SET "lastSignIn" = $1`, [later]);
    expect([await lastOf("ada"), await lastOf("bob")]).toEqual([later, later]);
  });
});
