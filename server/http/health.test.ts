import { describe, expect, it } from "vitest";
import { databaseKinds } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { testService } from "../testing/test-context";

describe.each(databaseKinds)("readiness (rule SERVE-2, %s)", (kind) => {
  it("does not depend on PostgreSQL once a node has worked with it, so that an outage removes no node", async () => {
    const service = await testService(kind, exampleBootstrap);
    const ask = async (query = "") => {
      const response = await service.fetch(`/readyz${query}`);
      return { status: response.status, body: await response.json() };
    };
    const { db } = service.ctx;
    const usual = { ...db };
    const away = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
    const cut = () => Object.assign(db, { ping: away, one: away, lookUp: away, all: away, run: away });
    const isShared = kind === "postgresql";

    cut();
    expect(await ask()).toMatchObject({ status: 503, body: { status: "unavailable" } }); // it never worked
    Object.assign(db, usual);
    expect(await ask()).toMatchObject({ status: 200, body: { status: "ok" } });

    cut();
    service.advance(3_600_000); // the last successful write is too old
    const during = isShared ? { status: 200, body: { status: "degraded" } } : { status: 503 };
    expect(await ask()).toMatchObject(during);
    expect((await ask()).body).toMatchObject({
      checks: { draining: "ok", database: "no answer", writes: "no answer" },
    });
    expect((await ask("?all")).status).toBe(503);

    Object.assign(db, usual);
    await db.run(`UPDATE "_prisma_migrations" SET "finished_at" = NULL WHERE "migration_name" LIKE '%_init'`, []);
    db.ping = away;
    expect(await ask()).toMatchObject({ status: 503, body: { checks: { migrations: "failed" } } });
    await db.run(`UPDATE "_prisma_migrations" SET "finished_at" = "started_at" WHERE "finished_at" IS NULL`, []);
    await service.close();
  });

  it("needs a write that takes space, as a full disk still accepts updates of existing rows", async () => {
    const service = await testService(kind, exampleBootstrap);
    const { db } = service.ctx;
    const writes = async () => ((await (await service.fetch("/readyz?all")).json()) as { checks: object }).checks;
    const full =
      kind === "sqlite"
        ? `CREATE TRIGGER "full" BEFORE INSERT ON "WriteProbe" WHEN length(NEW."content") > 4096
           BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END`
        : `ALTER TABLE "WriteProbe" ADD CONSTRAINT "full" CHECK (length("content") <= 4096)`;
    await db.run(full, []);
    expect(await writes()).toMatchObject({ database: "ok", writes: "failed" });
    await db.run(kind === "sqlite" ? `DROP TRIGGER "full"` : `ALTER TABLE "WriteProbe" DROP CONSTRAINT "full"`, []);
    expect(await writes()).toMatchObject({ writes: "ok" });
    expect(await db.all(`SELECT "id" FROM "WriteProbe" WHERE "id" = 'room'`, [])).toEqual([]);
    await service.close();
  });

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

    // A newer version has migrated the database already; this one continues until it is replaced.
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
