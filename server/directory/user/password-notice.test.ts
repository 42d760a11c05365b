import { describe, expect, it } from "vitest";
import { appliedContext } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { setPolicy } from "../policy/policies";
import { changePassword } from "./password";

const SYSTEM = { actor: "system" };

describe.each(databaseKinds)("the notice of a changed password, on %s", (kind) => {
  it("follows the notification policy: on by default, the organization's before the instance's", async () => {
    const ctx = await appliedContext(kind, exampleBootstrap);
    const { id } = await findInstance(ctx);
    const told = async (userId = "u-ada") => {
      const before = await ctx.db.prisma.outboxMessage.count();
      await changePassword({ ...ctx, origin: SYSTEM }, { userId, newHash: "$argon2id$not-checked-here" });
      return (await ctx.db.prisma.outboxMessage.count()) - before;
    };
    const set = (ownerId: string, passwordChange?: boolean) =>
      changeDirectory(ctx, (ctx) => setPolicy({ ...ctx, origin: SYSTEM }, ownerId, "notification", { passwordChange }));
    expect(await told()).toBe(1);
    expect(await told("u-bob")).toBe(0); // no verified address
    await set(id, false);
    expect(await told()).toBe(0);
    await set("acme", true);
    expect(await told()).toBe(1);
    await set(id, true);
    await set("acme", false);
    expect(await told()).toBe(0);
  });
});
