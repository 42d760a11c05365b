import { describe, expect, it } from "vitest";
import { type BareContext, bareContext, countAllRows } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { aggregateTypeOf, pickPayload } from "./catalogue";
import { difference } from "./difference";
import { findDetails, record, recordIn, UNCHANGED } from "./record";

const origin = { actor: "u-ada", requestId: "r-1" };
const object = { id: "p1", organizationId: "acme" };
const project = { type: "project.changed", object } as const;

const events = (ctx: BareContext) =>
  ctx.db.prisma.event.findMany({ where: { aggregateId: "p1" }, orderBy: { position: "asc" } });

describe.each(databaseKinds)("recording state, event and message together (%s)", (kind) => {
  it("writes the event with its payload and returns the details", async () => {
    const ctx = await bareContext(kind);
    const details = await record(
      { ...ctx, origin },
      {
        ...project,
        state: async () => ({ payload: { name: { from: "a", to: "b" } } }),
      },
    );
    expect(details).toEqual({
      sequence: "1",
      creationDate: "2030-01-02T03:04:05.678Z",
      changeDate: "2030-01-02T03:04:05.678Z",
      resourceOwner: "acme",
    });
    expect(await events(ctx)).toMatchObject([
      {
        aggregateType: "project",
        sequence: 1,
        type: "project.changed",
        actor: "u-ada",
        requestId: "r-1",
        payload: { name: { from: "a", to: "b" } },
        createdAt: new Date("2030-01-02T03:04:05.678Z"),
      },
    ]);
  });

  it("counts per aggregate and keeps the time of the first event", async () => {
    const ctx = await bareContext(kind);
    await record({ ...ctx, origin }, { ...project, state: async () => ({}) });
    ctx.advance(60_000);
    await record({ ...ctx, origin }, { ...project, object: { ...object, id: "p2" }, state: async () => ({}) });
    const second = await record({ ...ctx, origin }, { ...project, state: async () => ({}) });
    expect(second).toEqual({
      sequence: "2",
      creationDate: "2030-01-02T03:04:05.678Z",
      changeDate: "2030-01-02T03:05:05.678Z",
      resourceOwner: "acme",
    });
    expect(await findDetails(ctx, "project", "p1")).toEqual(second);
    expect(await findDetails(ctx, "project", "p3")).toBeUndefined();
  });

  it("gives 50 parallel changes of one aggregate the numbers 1 to 50, without gaps and repetitions", async () => {
    const ctx = await bareContext(kind);
    const all = await Promise.all(
      Array.from({ length: 50 }, () => record({ ...ctx, origin }, { ...project, state: async () => ({}) })),
    );
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    expect(all.map(({ sequence }) => Number(sequence)).sort((a, b) => a - b)).toEqual(numbers);
    expect((await events(ctx)).map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(numbers);
  });

  it("writes nothing when the state cannot be written", async () => {
    const ctx = await bareContext(kind);
    const before = await countAllRows(ctx);
    const change = record(
      { ...ctx, origin },
      {
        ...project,
        async state({ tx }, now) {
          const at = new Date(now);
          await tx.organization.create({ data: { id: "acme", name: "ACME", state: "active", createdAt: at } });
          throw new Error("no");
        },
      },
    );
    await expect(change).rejects.toThrow("no");
    expect(await countAllRows(ctx)).toEqual(before);
  });

  it("rolls back the event and the message of an earlier change when a later one of the same transaction fails", async () => {
    const ctx = await bareContext(kind);
    const before = await countAllRows(ctx);
    const message = { type: "password_change", organizationId: "acme", recipient: "ada@acme.test" };
    const change = ctx.db.transaction(async (tx) => {
      await recordIn({ ...ctx, tx, origin }, { ...project, state: async () => ({ messages: [message] }) });
      await recordIn({ ...ctx, tx, origin }, { ...project, state: () => Promise.reject(new Error("no")) });
    });
    await expect(change).rejects.toThrow("no");
    expect(await countAllRows(ctx)).toEqual(before);
  });

  it("queues the messages of a change, due at once", async () => {
    const ctx = await bareContext(kind);
    const message = { type: "password_change", organizationId: "acme", userId: "u-ada", recipient: "ada@acme.test" };
    await record(
      { ...ctx, origin },
      {
        ...project,
        state: async () => ({ messages: [{ ...message, expiresAt: ctx.clock() + 1_000 }] }),
      },
    );
    const at = new Date(ctx.clock());
    expect(await ctx.db.prisma.outboxMessage.findMany()).toMatchObject([
      {
        ...message,
        createdAt: at,
        nextAttemptAt: at,
        attempts: 0,
        state: "queued",
        expiresAt: new Date(ctx.clock() + 1_000),
      },
    ]);
  });

  it("writes no event and keeps the details if nothing changed", async () => {
    const ctx = await bareContext(kind);
    const first = await record({ ...ctx, origin }, { ...project, state: async () => ({}) });
    ctx.advance(60_000);
    expect(await record({ ...ctx, origin }, { ...project, state: async () => UNCHANGED })).toEqual(first);
    expect(await events(ctx)).toHaveLength(1);
  });
});

describe("the event catalogue", () => {
  it("takes the aggregate's type from the first part of the name", () => {
    expect(aggregateTypeOf("user.password.changed")).toBe("user");
    expect(aggregateTypeOf("message_text.set")).toBe("message_text");
  });

  it("drops all fields that are not listed", () => {
    const row = { userName: "ada", passwordHash: "$argon2id$…", secretDigest: "abc", password: "hunter2" };
    expect(pickPayload("user.added", row)).toEqual({ userName: "ada" });
    expect(pickPayload("user.password.changed", row as object)).toEqual({});
  });
});

describe("the difference of two objects", () => {
  it("contains the fields that differ, with old and new value", () => {
    expect(difference({ name: "a", group: "g" }, { name: "b", group: "g" })).toEqual({
      data: { name: "b" },
      payload: { name: { from: "a", to: "b" } },
    });
  });

  it("ignores undefined fields, clears null fields, and compares objects regardless of their order", () => {
    expect(
      difference({ name: "a", claims: { x: 1, y: 2 } }, { name: undefined, claims: { y: 2, x: 1 } }),
    ).toBeUndefined();
    expect(difference({ name: "a" }, { name: null })?.data).toEqual({ name: null });
    expect(difference({ name: null }, { name: null })).toBeUndefined();
    expect(difference<{ name?: string | null }>({}, { name: null })).toBeUndefined();
  });
});
