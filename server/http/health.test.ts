import { describe, expect, it } from "vitest";
import { databaseKinds } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { testService } from "../testing/test-context";

describe.each(databaseKinds)("readiness (rule SERVE-2, %s)", (kind) => {
  it("needs a database that can be written", async () => {
    const service = await testService(kind, exampleBootstrap);
    const { run } = service.ctx.db;
    const writes = async () => ((await (await service.fetch("/readyz")).json()) as { checks: object }).checks;
    service.ctx.db.run = () => Promise.reject(new Error("database or disk is full"));
    expect(await writes()).toMatchObject({ database: "ok", writes: "failed" });
    service.ctx.db.run = run;
    expect(await writes()).toMatchObject({ database: "ok", writes: "ok" });
    await service.close();
  });

  it("needs database, migrations and signing key", async () => {
    const service = await testService(kind, exampleBootstrap);
    const readiness = async () => {
      const response = await service.fetch("/readyz");
      return { status: response.status, ...((await response.json()) as { checks: object }) };
    };
    const checks = { draining: "ok", database: "ok", writes: "ok", migrations: "ok", signingKey: "ok" };
    expect(await readiness()).toMatchObject({ status: "ok", checks });
    const { db } = service.ctx;

    // The next version has migrated the database already; this one serves on until it is replaced.
    await db.run(
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at")
       VALUES ('next', 'c', '99990101000000_next', CURRENT_TIMESTAMP)`,
      [],
    );
    expect(await readiness()).toMatchObject({ checks });

    await db.run(`UPDATE "_prisma_migrations" SET "finished_at" = NULL WHERE "migration_name" LIKE '%_init'`, []);
    expect(await readiness()).toMatchObject({ status: "unavailable", checks: { ...checks, migrations: "failed" } });
    await service.close();
  });
});
