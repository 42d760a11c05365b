import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

describe("authoring migrations", () => {
  let copy: string;
  beforeAll(() => {
    copy = fs.mkdtempSync(`${os.tmpdir()}/authoring-`);
    for (const name of ["prisma", "scripts"]) {
      fs.cpSync(root + name, `${copy}/${name}`, { recursive: true, verbatimSymlinks: true });
    }
    fs.symlinkSync(`${root}node_modules`, `${copy}/node_modules`);
  });
  afterAll(() => fs.rmSync(copy, { recursive: true }));

  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`${copy}/scripts/migration.mjs`, ...args]);
    return { status, stdout: String(stdout), stderr: String(stderr) };
  };
  const migrations = (kind: string) =>
    fs.readdirSync(`${copy}/prisma/${kind}/migrations`).filter((name) => name.endsWith("_add_note"));

  it("reports whether migrations and models agree, and writes what is missing for both databases", () => {
    const models = `${copy}/prisma/models.prisma`;
    fs.writeFileSync(models, fs.readFileSync(models, "utf8").replace("model UsedAssertion {", "$&\n  note String?"));
    const drift = run();
    expect(drift.status).toBe(1);
    expect(drift.stdout.match(/^ALTER TABLE "UsedAssertion" ADD COLUMN .*"note" TEXT;$/gm)).toHaveLength(2);
    expect(migrations("sqlite")).toEqual([]);

    const written = run("add_note");
    expect(written.status).toBe(0);
    const [name] = migrations("sqlite");
    expect(migrations("postgresql")).toEqual([name]);
    expect(written.stdout).toContain(`wrote prisma/sqlite/migrations/${name}/migration.sql`);

    expect(run()).toEqual({
      status: 0,
      stdout: "sqlite: migrations and models agree\npostgresql: migrations and models agree\n",
      stderr: "",
    });
  });

  it.each(["Add", "add note", "../x", "-h"])("refuses the name %j", (name) => {
    const { status, stderr } = run(name);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^A migration's name is lower case letters/);
  });
});
