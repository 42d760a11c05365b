import { describe, expect, it } from "vitest";
import { databaseKinds, testDatabase } from "../../testing/database";
import type { Database } from "../database";
import { countFailedMessages } from "../maintenance/attention";
import { asBound, type StatementCall } from "../portable-sql";
import { leaseOutboxMessage } from "./outbox";

describe.each(databaseKinds)("leasing from a long queue, on %s", (kind) => {
  it("walks along the index: no lease sorts or reads all that is due", async () => {
    const db = await testDatabase(kind);
    const due = new Date(0);
    const data = Array.from({ length: 3_000 }, (_, n) => ({
      id: `m${n}`,
      type: "password_change",
      organizationId: "acme",
      userId: `u${n % 900}`,
      recipient: "a@b.test",
      payload: {},
      createdAt: new Date(n),
      nextAttemptAt: due,
      attempts: 0,
      state: n % 2 ? "queued" : "sent",
    }));
    await db.prisma.outboxMessage.createMany({ data });
    if (kind === "postgresql") await db.run(`ANALYZE "OutboxMessage"`, []);
    let look = "";
    const spied: Database = {
      ...db,
      one: <Row>(...asked: StatementCall<Row>) => {
        const bound = asBound(...asked);
        look ||= bound.sql;
        return db.one(bound);
      },
    };
    const now = Date.UTC(2030, 0, 1);
    expect(await leaseOutboxMessage(spied, { leaseId: "l", now, until: now + 1 })).toMatchObject({ attempts: 1 });
    const explain = kind === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
    const plan = JSON.stringify(await db.all(`${explain} ${look}`, [new Date(now)]));
    expect(plan).toMatch(/OutboxMessage_(\w+_)?state_nextAttemptAt_idx/);
    expect(plan).toMatch(/OutboxMessage_(\w+_)?userId_state_createdAt_idx/);
    // On PostgreSQL the months are merged, each in the order of its index; the empty partition does not use one.
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE|Seq Scan on \\"OutboxMessage_(?!default)|-> +Sort |Hash/);
  });

  it("counts recent failures by channel without reading the messages that did not fail", async () => {
    const db = await testDatabase(kind);
    const at = (n: number) => new Date(n);
    const data = Array.from({ length: 3_000 }, (_, n) => ({
      ...{ id: `m${n}`, type: "init", organizationId: "acme", recipient: "a@b.test", payload: {}, attempts: 1 },
      ...{ createdAt: at(n), nextAttemptAt: at(n), channel: "webhook", state: n % 100 ? "sent" : "failed" },
    }));
    await db.prisma.outboxMessage.createMany({ data });
    if (kind === "postgresql") await db.run(`ANALYZE "OutboxMessage"`, []);
    const asked: ReturnType<typeof asBound>[] = [];
    const spied: Database = {
      ...db,
      all: <Row>(...call: StatementCall<Row>) => {
        const bound = asBound(...call);
        asked.push(bound);
        return db.all(bound);
      },
    };
    expect(await countFailedMessages(spied, undefined, 1_000)).toEqual({ email: 0, sms: 0, webhook: 20 });
    const [{ sql, values } = { sql: "", values: [] }] = asked;
    const explain = kind === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
    const plan = JSON.stringify(await db.all(`${explain} ${sql}`, values));
    expect(plan).toMatch(/OutboxMessage_(\w+_)?state_createdAt_idx/);
    expect(plan).not.toMatch(/SCAN|Seq Scan on \\"OutboxMessage_(?!default)/);
  });
});
