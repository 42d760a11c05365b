import { beforeAll, describe, expect, it } from "vitest";
import { databaseKinds, testDatabase } from "../testing/database";
import type { Database } from "./database";
import { insertRows } from "./many-rows";

const NOW = new Date("2026-03-29T01:30:00.123Z");

describe.each(databaseKinds)("many rows at once, on %s", (kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await testDatabase(kind);
    await db.commit({
      inserts: [{ table: "Organization", row: { id: "o", name: "O", nameKey: "o", state: "active", createdAt: NOW } }],
    });
  });

  const user = (id: string, more: object = {}) => ({
    id,
    organizationId: "o",
    kind: "human",
    userName: id,
    loginNameKey: id,
    userNameKey: id,
    state: "active",
    validFrom: NOW,
    createdAt: NOW,
    changedAt: NOW,
    ...more,
  });
  const event = (sequence: number, payload: object) => ({
    aggregateType: "user",
    aggregateId: "x",
    sequence,
    type: "user.added",
    resourceOwner: "o",
    actor: "system",
    requestId: null,
    payload,
    createdAt: NOW,
  });

  it("are what they would be one by one", async () => {
    const odd = [
      { firstName: `"quoted", \\ and 'single'`, isEmailVerified: true, passwordChangedAt: NOW },
      { firstName: "Ünï 😀 \n\t {}", isEmailVerified: false, lastName: null },
      { firstName: undefined, claims: { level: 3, share: 0.1, deep: [{ "a.b": "1" }] } },
      { firstName: "[1]", lastName: "12" },
    ];
    await insertRows(
      db,
      db.prisma,
      "User",
      odd.map((more, index) => user(`many-${index}`, more)),
    );
    for (const [index, more] of odd.entries()) {
      await db.prisma.user.create({ data: user(`one-${index}`, more) as never });
    }
    const read = async (prefix: string) => {
      const rows = await db.prisma.user.findMany({ where: { id: { startsWith: prefix } }, orderBy: { id: "asc" } });
      return rows.map((row) => JSON.parse(JSON.stringify(row).replaceAll(prefix, "")));
    };
    expect(await read("many-")).toEqual(await read("one-"));
    expect(await read("many-")).toHaveLength(odd.length);
  });

  it("are numbered in their order, in however many statements", async () => {
    const events = Array.from({ length: 250 }, (_, index) => event(index + 1, { index, nothing: {} }));
    await insertRows(db, db.prisma, "Event", events);
    const stored = await db.prisma.event.findMany({ where: { aggregateId: "x" }, orderBy: { position: "asc" } });
    expect(stored.map(({ payload }) => payload)).toEqual(events.map(({ payload }) => payload));
    expect(stored.map(({ createdAt }) => createdAt)).toEqual(events.map(() => NOW));
  });

  it("keep halves of characters out, which no database takes", async () => {
    await insertRows(db, db.prisma, "User", [user("half", { firstName: "a\ud83d!" })]);
    expect(await db.prisma.user.findUnique({ where: { id: "half" } })).toMatchObject({ firstName: "a\ufffd!" });
  });
});
