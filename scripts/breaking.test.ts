import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { migrationsFolder } from "../server/root";
import { breakingChanges } from "./breaking.mjs";

describe("a migration, for processes of the previous release", () => {
  it.each([
    ['ALTER TABLE "App" DROP COLUMN "secretDigest";', 'drops the column "secretDigest"'],
    ['ALTER TABLE "App" ADD COLUMN "a" TEXT,\nDROP COLUMN     "b",\nADD COLUMN "c" TEXT;', 'drops the column "b"'],
    ['DROP TABLE "Throttle";', 'drops the table "Throttle"'],
    ['ALTER TABLE "App" RENAME COLUMN "a" TO "b";', 'renames "a"'],
    ['ALTER TABLE "App" RENAME TO "Client";', 'renames "Client"'],
    ['ALTER TABLE "App" ALTER COLUMN "kind" SET DATA TYPE INTEGER;', 'changes the type of "kind"'],
    ['ALTER TABLE "App" ALTER COLUMN "kind" SET NOT NULL;', 'demands a value in "kind"'],
    ['ALTER TABLE "App" ADD COLUMN "a" TEXT NOT NULL;', 'demands a value in the new column "a"'],
  ])("breaks them: %s", (sql, problem) => expect(breakingChanges(sql)).toEqual([problem]));

  it.each([
    'CREATE TABLE "New" ("id" TEXT NOT NULL, CONSTRAINT "New_pkey" PRIMARY KEY ("id"));',
    `ALTER TABLE "App" ADD COLUMN "a" TEXT, ADD COLUMN "b" BOOLEAN NOT NULL DEFAULT false;`,
    'DROP INDEX "App_name_idx";\n-- DROP TABLE "App";\nCREATE INDEX "App_name_idx" ON "App"("name");',
    'ALTER TABLE "App" ALTER COLUMN "a" DROP NOT NULL;',
  ])("leaves them alone: %s", (sql) => expect(breakingChanges(sql)).toEqual([]));

  it("breaks none of them since the rule exists", () => {
    const folder = join(migrationsFolder, "postgresql", "migrations");
    const names = readdirSync(folder).filter((name) => name > "20261123" && /^\d/.test(name));
    const said = names.flatMap((name) =>
      breakingChanges(readFileSync(join(folder, name, "migration.sql"), "utf8")).map((what) => `${name} ${what}`),
    );
    expect(names.length).toBeGreaterThan(0);
    expect(said).toEqual([]);
  });
});
