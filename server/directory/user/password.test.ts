import { beforeEach, describe, expect, it } from "vitest";
import { appliedContext, type BareContext, countAllRows } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { changePassword } from "./password";
import { checkPassword } from "./password-policy";

const file = {
  organizations: [
    {
      id: "acme",
      name: "ACME",
      users: [
        { id: "ada", userName: "ada", email: { email: "ada@acme.test", isEmailVerified: true } },
        { id: "bob", userName: "bob", email: { email: "bob@acme.test" } },
      ],
      machines: [{ id: "ci", userName: "ci" }],
    },
  ],
};
const origin = { actor: "ada", requestId: "r1" };

describe.each(databaseKinds)("changing a password (rule MESSAGE-3, %s)", (kind) => {
  let ctx: BareContext;
  beforeEach(async () => {
    ctx = await appliedContext(kind, file);
    ctx.advance(60_000);
  });

  it("writes the hash, the end of earlier sessions, the event and the message together", async () => {
    const details = await changePassword({ ...ctx, origin }, { userId: "ada", newHash: "$argon2id$new" });
    expect(details).toMatchObject({
      sequence: "2",
      resourceOwner: "acme",
      changeDate: new Date(ctx.clock()).toISOString(),
    });
    const at = new Date(ctx.clock());
    expect(await ctx.db.prisma.user.findUnique({ where: { id: "ada" } })).toMatchObject({
      passwordHash: "$argon2id$new",
      passwordChangedAt: at,
      validFrom: at,
      changedAt: at,
    });
    expect(await ctx.db.prisma.event.findMany({ where: { type: "user.password.changed" } })).toMatchObject([
      { aggregateId: "ada", sequence: 2, actor: "ada", requestId: "r1", payload: {} },
    ]);
    expect(await ctx.db.prisma.outboxMessage.findMany()).toMatchObject([
      { type: "password_change", organizationId: "acme", userId: "ada", recipient: "ada@acme.test", attempts: 0 },
    ]);
  });

  it("notifies no one if no address is verified", async () => {
    await changePassword({ ...ctx, origin }, { userId: "bob", newHash: "$argon2id$new" });
    expect(await ctx.db.prisma.outboxMessage.count()).toBe(0);
    expect(await ctx.db.prisma.user.findUnique({ where: { id: "bob" } })).toMatchObject({
      passwordHash: "$argon2id$new",
    });
  });

  it("changes nothing for a machine or an unknown user", async () => {
    const before = await countAllRows(ctx);
    expect(await changePassword({ ...ctx, origin }, { userId: "ci", newHash: "x" })).toBeUndefined();
    expect(await changePassword({ ...ctx, origin }, { userId: "none", newHash: "x" })).toBeUndefined();
    expect(await countAllRows(ctx)).toEqual(before);
  });
});

describe("the password check (NIST SP 800-63B §3.1.1.2)", () => {
  it.each([
    ["14 letters", "a".repeat(14), { code: "too_short", limit: 15 }],
    ["15 letters", "a".repeat(15), undefined],
    ["7 emoji, 14 UTF-16 units", "😀".repeat(7), { code: "too_short", limit: 15 }],
    ["15 emoji", "😀".repeat(15), undefined],
    ["letters and accents apart, which become one character", "e\u0301".repeat(14), { code: "too_short", limit: 15 }],
    ["spaces, which count", "a b c d e f g h", undefined],
    ["1000 characters", "a".repeat(1000), undefined],
    ["1001 characters", "a".repeat(1001), { code: "too_long", limit: 1000 }],
    ["a lone surrogate", `${"a".repeat(15)}\ud800`, { code: "malformed" }],
  ])("returns the expected problem for %s", (_, password, problem) => expect(checkPassword(password)).toEqual(problem));

  it("requires at least 8 characters for passwords that operators set", () => {
    expect(checkPassword("1234567", 8)).toEqual({ code: "too_short", limit: 8 });
    expect(checkPassword("12345678", 8)).toBeUndefined();
  });
});
