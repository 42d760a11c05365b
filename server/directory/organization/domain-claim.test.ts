import { describe, expect, it } from "vitest";
import type { Context } from "../../context";
import { type BareContext, bareContext } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { changeDirectory } from "../change";
import { createMachine, createPerson } from "../user/create";
import { findUserForSignIn } from "../user/user";
import { addDomain, setPrimaryDomain, verifyDomain } from "./domain";
import { previewDomainClaim } from "./domain-claim";
import { addOrganization } from "./organization";

const SYSTEM = { actor: "system" };
const TEMPORARY = /^[0-9a-f-]{36}@temporary\.id\.example\.com$/;

/** Creates two organizations; users of the second have user names under the domain that the first is going to prove. */
async function organizations(kind: (typeof databaseKinds)[number]): Promise<BareContext> {
  const ctx = await bareContext(kind);
  await changeDirectory(ctx, async (ctx) => {
    for (const id of ["acme", "other"]) {
      await addOrganization({ ...ctx, origin: SYSTEM }, { id, name: id.toUpperCase() });
      await addDomain({ ...ctx, origin: SYSTEM }, id, `${id}.example`, true);
      await setPrimaryDomain({ ...ctx, origin: SYSTEM }, id, `${id}.example`);
    }
  });
  const person = (organizationId: string, id: string, userName: string, more: object = {}) =>
    createPerson({ ...ctx, origin: SYSTEM }, { id, userName, organizationId, ...more });
  await person("acme", "own", "own@corp.test");
  await person("other", "eve", "Eve@CORP.test", { email: "eve@home.test", isEmailVerified: true });
  await person("other", "max", "max@corp.test", { email: "max@home.test", isEmailVerified: false });
  await person("other", "mute", "mute@corp.test");
  await person("other", "sub", "x@sub.corp.test", { email: "x@home.test" });
  await person("other", "like", "x@corpXtest", { email: "y@home.test" });
  await person("other", "bare", "corp.test");
  await createMachine({ ...ctx, origin: SYSTEM }, { id: "bot", userName: "bot@corp.test", organizationId: "other" });
  await changeDirectory(ctx, async (ctx) => {
    await addDomain({ ...ctx, origin: SYSTEM }, "acme", "corp.test", false);
  });
  return ctx;
}

const userNames = async (ctx: Context) =>
  Object.fromEntries((await ctx.db.prisma.user.findMany()).map(({ id, userName }) => [id, userName]));
const verify = (ctx: Context) =>
  changeDirectory(ctx, (ctx) => verifyDomain({ ...ctx, origin: SYSTEM }, "acme", "corp.test"));

describe.each(databaseKinds)("claiming a domain (rule ID-5), on %s", (kind) => {
  it("previews the affected users without changing anything", async () => {
    const ctx = await organizations(kind);
    const before = await userNames(ctx);
    const preview = await previewDomainClaim(ctx, { organizationId: "acme", domain: "Corp.TEST" });
    expect(preview.total).toBe(4);
    expect(preview.users).toEqual([
      {
        userId: "eve",
        userName: "Eve@CORP.test",
        organizationId: "other",
        organizationName: "OTHER",
        email: "eve@home.test",
      },
      {
        userId: "max",
        userName: "max@corp.test",
        organizationId: "other",
        organizationName: "OTHER",
        email: "max@home.test",
      },
      { userId: "mute", userName: "mute@corp.test", organizationId: "other", organizationName: "OTHER", email: null },
      {
        userId: "sub",
        userName: "x@sub.corp.test",
        organizationId: "other",
        organizationName: "OTHER",
        email: "x@home.test",
      },
    ]);
    expect(await userNames(ctx)).toEqual(before);
    expect(await ctx.db.prisma.outboxMessage.count()).toBe(0);
    expect(await previewDomainClaim(ctx, { organizationId: "acme", domain: "%" })).toEqual({ total: 0, users: [] });
  });

  it("renames users of other organizations and notifies them at their last address, verified or not", async () => {
    const ctx = await organizations(kind);
    const before = await userNames(ctx);
    await verify(ctx);
    const after = await userNames(ctx);
    for (const id of ["eve", "max", "mute", "sub"]) expect(after[id]).toMatch(TEMPORARY);
    for (const id of ["own", "like", "bare", "bot"]) expect(after[id]).toBe(before[id]);
    const messages = await ctx.db.prisma.outboxMessage.findMany({ orderBy: { userId: "asc" } });
    expect(messages).toMatchObject([
      { userId: "eve", recipient: "eve@home.test", type: "domainclaimed", organizationId: "other" },
      { userId: "max", recipient: "max@home.test", type: "domainclaimed", organizationId: "other" },
      { userId: "sub", recipient: "x@home.test", type: "domainclaimed", organizationId: "other" },
    ]);
    expect(messages[0]?.payload).toEqual({ domain: "corp.test", temporaryUserName: after.eve });
    const events = await ctx.db.prisma.event.findMany({ where: { type: "user.domain.claimed" } });
    expect(events.map(({ aggregateId }) => aggregateId).sort()).toEqual(["eve", "max", "mute", "sub"]);
    expect((await previewDomainClaim(ctx, { organizationId: "acme", domain: "corp.test" })).total).toBe(0);
  });

  it("lets renamed users sign in with the temporary name and the verified address, but not with the old name", async () => {
    const ctx = await organizations(kind);
    await verify(ctx);
    const { eve = "" } = await userNames(ctx);
    expect((await findUserForSignIn(ctx, eve))?.id).toBe("eve");
    expect((await findUserForSignIn(ctx, "eve@home.test"))?.id).toBe("eve");
    expect(await findUserForSignIn(ctx, "eve@corp.test")).toBeUndefined();
    expect(await findUserForSignIn(ctx, "max@home.test")).toBeUndefined();
  });

  it("leaves names in a subdomain to the organization that has proven it, and names that the service gave", async () => {
    const ctx = await organizations(kind);
    await changeDirectory(ctx, async (ctx) => {
      await addDomain({ ...ctx, origin: SYSTEM }, "other", "sub.corp.test", true);
      await addDomain({ ...ctx, origin: SYSTEM }, "acme", "example.com", false);
    });
    await createPerson(
      { ...ctx, origin: SYSTEM },
      { id: "deep", userName: "x@deep.sub.corp.test", organizationId: "other" },
    );
    await verify(ctx);
    const before = await userNames(ctx);
    expect([before.sub, before.deep, before.eve]).toEqual([
      "x@sub.corp.test",
      "x@deep.sub.corp.test",
      expect.stringMatching(TEMPORARY),
    ]);
    await changeDirectory(ctx, (ctx) => verifyDomain({ ...ctx, origin: SYSTEM }, "acme", "example.com"));
    expect(await userNames(ctx)).toEqual(before);
  });

  it("lets a name below the domain mean the person of its owner, not one of others with that address", async () => {
    const ctx = await organizations(kind);
    await verify(ctx);
    await createPerson(
      { ...ctx, origin: SYSTEM },
      { id: "boss", userName: "boss@hr.corp.test", organizationId: "acme" },
    );
    await createPerson(
      { ...ctx, origin: SYSTEM },
      { id: "thief", userName: "thief", organizationId: "other", email: "boss@hr.corp.test", isEmailVerified: true },
    );
    await ctx.db.prisma.user.update({ where: { id: "thief" }, data: { isEmailTrusted: true } });
    expect((await findUserForSignIn(ctx, "boss@hr.corp.test"))?.id).toBe("boss");
  });

  it("also happens when a domain is added as verified", async () => {
    const ctx = await organizations(kind);
    await changeDirectory(ctx, (ctx) => addDomain({ ...ctx, origin: SYSTEM }, "acme", "sub.corp.test", true));
    expect((await userNames(ctx)).sub).toMatch(TEMPORARY);
  });

  it("is rolled back completely if the transaction fails", async () => {
    const ctx = await organizations(kind);
    const before = await userNames(ctx);
    const failing = changeDirectory(ctx, async (ctx) => {
      await verifyDomain({ ...ctx, origin: SYSTEM }, "acme", "corp.test");
      throw new Error("afterwards");
    });
    await expect(failing).rejects.toThrow("afterwards");
    expect(await userNames(ctx)).toEqual(before);
    expect(await ctx.db.prisma.outboxMessage.count()).toBe(0);
  });
});
