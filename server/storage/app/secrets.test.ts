import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { migrationsFolder } from "../../root";
import { connectTestDatabase, databaseKinds, emptyDatabaseUrl, temporaryFolder } from "../../testing/database";
import { migrate } from "../engine/migrate";
import { findActiveApp } from "./app";

const MIGRATION = "20261121023336_app_secrets_keys";

it.each(databaseKinds)("keeps the one secret an app had as the first of several, on %s", async (kind) => {
  const url = await emptyDatabaseUrl(kind);
  const before = temporaryFolder();
  fs.cpSync(path.join(migrationsFolder, kind), path.join(before, kind), {
    recursive: true,
    filter: (file) => !/^\d{14}_/.test(path.basename(file)) || path.basename(file) < MIGRATION,
  });
  await migrate(url, before);
  const at = kind === "sqlite" ? "1" : "now()";
  const old = await connectTestDatabase(url);
  for (const sql of [
    `INSERT INTO "Organization" ("id", "name", "state", "createdAt") VALUES ('o', 'O', 'active', ${at})`,
    `INSERT INTO "Project" ("id", "organizationId", "name", "state", "createdAt") VALUES ('p', 'o', 'P', 'active', ${at})`,
    ...["with", "without"].map(
      (id) =>
        `INSERT INTO "App" ("id", "projectId", "name", "state", "kind", "clientId", "secretDigest", "settings", "createdAt", "changedAt")
         VALUES ('${id}', 'p', 'A', 'active', 'oidc', '${id}', ${id === "with" ? "'digest'" : "NULL"}, '{}', ${at}, ${at})`,
    ),
  ]) {
    await old.prisma.$executeRawUnsafe(sql);
  }
  await old.close();
  expect(await migrate(url, migrationsFolder)).toContain(MIGRATION);
  const db = await connectTestDatabase(url);
  expect((await findActiveApp(db, "with", 0))?.secrets).toEqual([
    { id: "with", digest: "digest", usedAt: null, expiresAt: null },
  ]);
  expect((await findActiveApp(db, "without", 0))?.secrets).toEqual([]);
});
