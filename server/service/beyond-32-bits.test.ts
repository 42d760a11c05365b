import { describe, expect, it } from "vitest";
import { removeOldEvents } from "../events/retention";
import { databaseKinds } from "../testing/database";
import { authorize } from "../testing/flow";
import { callerOf, tenantsBootstrap } from "../testing/tenants";
import { testService } from "../testing/test-context";

const LAST_OF_32_BITS = 2_147_483_647;
const YEAR = 366 * 86_400_000;

describe.each(databaseKinds)("the audit trail beyond 2,147,483,647 events on %s", (kind) => {
  it("continues: users sign in, are created, changed, found, counted and removed", async () => {
    const service = await testService(kind, tenantsBootstrap);
    const { db } = service.ctx;
    await (kind === "postgresql"
      ? db.all(`SELECT setval('"Event_position_seq"', ${LAST_OF_32_BITS - 1})::text AS "at"`, [])
      : db.run(`UPDATE "sqlite_sequence" SET "seq" = ${LAST_OF_32_BITS - 1}`, []));
    await db.run(`UPDATE "Aggregate" SET "sequence" = ${LAST_OF_32_BITS - 1} WHERE "type" = 'user'`, []);
    const people = await callerOf(service, "acme-people");
    for (let times = 0; times < 2; times++) {
      const answer = await authorize(service.browser(), {}, { loginName: "bob@acme.test" });
      expect(answer.get("code")).toEqual(expect.any(String));
    }
    for (const state of ["_deactivate", "_reactivate"]) {
      expect((await people("POST", `/management/v1/users/u-bob/${state}`, {})).status).toBe(200);
    }
    const { body } = await people("GET", "/management/v1/users/u-bob");
    expect(Number(body.user.details.sequence)).toBeGreaterThan(LAST_OF_32_BITS);
    const rows = await db.all<{ position: number }>(
      `SELECT "position" FROM "Event" ORDER BY "position" DESC LIMIT 3`,
      [],
    );
    expect(Number(rows[2]?.position)).toBeGreaterThan(LAST_OF_32_BITS);

    const { retention } = service.ctx.config;
    const config = { ...service.ctx.config, retention: { ...retention, events: YEAR } };
    service.advance(2 * YEAR);
    await removeOldEvents({ ...service.ctx, config });
    expect(Number((await db.one<{ n: number }>(`SELECT COUNT(*) AS "n" FROM "Event"`, []))?.n)).toBe(0);
    await service.close();
  });
});
