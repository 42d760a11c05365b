import { describe, expect, it } from "vitest";
import { type Message, record } from "../events/record";
import { messageTo, trialMessage } from "../message-types/message";
import { passwordChange } from "../message-types/password-change";
import { passwordReset } from "../message-types/passwordreset";
import { appliedContext, type BareContext } from "../testing/bare-context";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { deliverNext } from "./deliver";
import { findMessage, listMessages, retryMessage, retryMessages, sweepMessages } from "./mailbox";
import { type RenderedMessage, sealRendered } from "./rendered-message";
import { openMailRoutes } from "./routes";

const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };

async function queue(ctx: BareContext, ...messages: Message[]): Promise<void> {
  await record(
    { ...ctx, origin: { actor: "system" } },
    {
      type: "user.locked",
      object: { id: "u-ada", organizationId: "acme" },
      state: async () => ({ messages }),
    },
  );
  ctx.advance(1_000);
}

describe.each(ruleDatabases)("the mail page, on %s", (kind) => {
  async function withMails(count: number) {
    const ctx = await appliedContext(kind, exampleBootstrap);
    for (let i = 0; i < count; i++) await queue(ctx, ...messageTo(passwordChange, ada));
    return ctx;
  }

  it("lists newest first, page by page, by organization", async () => {
    const ctx = await withMails(5);
    await queue(ctx, ...messageTo(passwordChange, { ...ada, organizationId: "other" }));
    const all = await listMessages(ctx, { limit: 100 });
    expect(all).toHaveLength(6);
    expect(all[0]).toMatchObject({ organizationId: "other", state: "queued", attempts: 0, recipient: "ada@acme.test" });
    const first = await listMessages(ctx, { organizationId: "acme", limit: 3 });
    const second = await listMessages(ctx, { organizationId: "acme", limit: 3, after: first[2] });
    expect([...first, ...second]).toEqual(all.slice(1));
    expect(await listMessages(ctx, { limit: 2, after: first[2] })).toEqual(second);
    expect(await listMessages(ctx, { limit: 0 })).toHaveLength(1);
  });

  it("shows a kept message completely, and does not show a waiting one", async () => {
    const ctx = await withMails(0);
    const code = { code: "K7M4PX2Q", path: "/login/reset-password", expiresAt: ctx.clock() + 60_000 };
    await queue(ctx, ...passwordReset(ctx, ada, code));
    const [row] = await listMessages(ctx, { limit: 1 });
    expect((await findMessage(ctx, row?.id ?? ""))?.rendered).toBeUndefined();
    expect(await deliverNext(ctx, openMailRoutes(ctx))).toBe("kept");
    const message = await findMessage(ctx, row?.id ?? "");
    expect(message).toMatchObject({ state: "kept", subject: "Set a new password", recipient: "ada@acme.test" });
    expect(message?.rendered?.text).toContain("K7M4PX2Q");
    expect(message?.rendered).toMatchObject({ headers: { "Auto-Submitted": "auto-generated" } });
    expect(await findMessage(ctx, "unknown")).toBeUndefined();
  });

  it("sends a trial in the language and with the texts that were asked for", async () => {
    const ctx = await withMails(0);
    const texts = {
      type: "password_change",
      ownerId: "acme",
      language: "de",
      fields: { subject: "Neu {{.FirstName}}" },
    };
    const author = { ...ada, phone: null, isPhoneVerified: false };
    expect(trialMessage({ ...author, isEmailVerified: false }, { channel: "mail" }, texts)).toEqual([]);
    expect(trialMessage(author, { channel: "sms" }, texts)).toEqual([]);
    await queue(ctx, ...trialMessage(author, { channel: "mail" }, texts));
    expect(await deliverNext(ctx, openMailRoutes(ctx))).toBe("kept");
    const [row] = await listMessages(ctx, { limit: 1 });
    expect(row?.subject).toBe("[Test] Neu Ada");
  });

  it("retries a failed message on request, and no other", async () => {
    const ctx = await withMails(1);
    const [row] = await listMessages(ctx, { limit: 1 });
    const id = row?.id ?? "";
    expect(await retryMessage(ctx, id)).toBe(false);
    await ctx.db.prisma.outboxMessage.updateMany({ data: { state: "failed", settledAt: new Date(ctx.clock()) } });
    expect(await retryMessage(ctx, id)).toBe(true);
    expect(await deliverNext(ctx, openMailRoutes(ctx))).toBe("kept");
    expect(await retryMessage(ctx, id)).toBe(false);
  });

  it("finds messages by recipient prefix (ignoring case), state, type, user, organization and time", async () => {
    const ctx = await withMails(2);
    await queue(ctx, ...messageTo(passwordChange, { ...ada, organizationId: "other", email: "Eve+1@acme.test" }));
    const third = ctx.clock() - 1_000;
    await queue(ctx, ...passwordReset(ctx, ada, { code: "A", path: "/", expiresAt: ctx.clock() + 60_000 }));
    await deliverNext(ctx, openMailRoutes(ctx));
    const count = async (filter: object) => (await listMessages(ctx, { ...filter, limit: 10 })).length;
    const found = {
      recipient: [
        await count({ recipient: "EVE+" }),
        await count({ recipient: "ada" }),
        await count({ recipient: "%" }),
      ],
      state: [await count({ state: "kept" }), await count({ state: "failed" })],
      type: [await count({ type: "passwordreset" }), await count({ type: "init" })],
      person: [await count({ userId: "u-ada" }), await count({ userId: "u-eve" })],
      organization: [
        await count({ organizationId: "other" }),
        await count({ organizationId: "acme", recipient: "eve" }),
      ],
      time: [await count({ from: third }), await count({ to: third }), await count({ from: third, to: third })],
    };
    expect(found).toEqual({
      recipient: [1, 3, 0],
      state: [1, 0],
      type: [1, 0],
      person: [4, 0],
      organization: [1, 0],
      time: [2, 3, 1],
    });
  });

  it("retries all matching failed messages, but no expired ones", async () => {
    const ctx = await withMails(2);
    await queue(ctx, ...messageTo(passwordChange, { ...ada, email: "eve@acme.test" }));
    await queue(ctx, ...passwordReset(ctx, ada, { code: "A", path: "/", expiresAt: ctx.clock() + 2_000 }));
    await ctx.db.prisma.outboxMessage.updateMany({ data: { state: "failed", attempts: 3 } });
    ctx.advance(2_000);
    expect(await retryMessages(ctx, { recipient: "eve", organizationId: "other" })).toBe(0);
    expect(await retryMessages(ctx, { recipient: "eve" })).toBe(1);
    expect(await retryMessages(ctx, { organizationId: "acme" })).toBe(2);
    expect(await retryMessages(ctx, {})).toBe(0);
    expect(await listMessages(ctx, { state: "queued", limit: 10 })).toHaveLength(3);
  });

  it("stores settled messages in a third of the space, and reads those of earlier versions", async () => {
    const ctx = await withMails(1);
    await deliverNext(ctx, openMailRoutes(ctx));
    const [row] = await ctx.db.prisma.outboxMessage.findMany();
    const { rendered: letter } = (await findMessage(ctx, row?.id ?? "")) ?? {};
    expect(letter?.text).toContain("Ada");
    const earlier = sealRendered(ctx, letter as RenderedMessage);
    expect(row?.letter?.length).toBeLessThan(earlier.length / 3);
    await ctx.db.prisma.outboxMessage.updateMany({ data: { letter: earlier } });
    expect((await findMessage(ctx, row?.id ?? ""))?.rendered).toEqual(letter);
    await ctx.db.prisma.outboxMessage.updateMany({ data: { letter: row?.letter?.slice(0, -9) } });
    const damaged = await findMessage(ctx, row?.id ?? "");
    expect(damaged).toMatchObject({ state: "kept" });
    expect(damaged).not.toHaveProperty("rendered");
  });

  it("removes settled messages after MAIL_RETENTION, never queued ones", async () => {
    const ctx = await withMails(3);
    await deliverNext(ctx, openMailRoutes(ctx));
    ctx.config = { ...ctx.config, retention: { mails: 2 * 86_400_000 } };
    ctx.advance(2 * 86_400_000);
    await queue(ctx, ...messageTo(passwordChange, ada));
    await ctx.db.prisma.outboxMessage.updateMany({ where: { state: "kept" }, data: { createdAt: new Date(0) } });
    expect(await sweepMessages(ctx)).toBe(1);
    expect(await listMessages(ctx, { limit: 10 })).toHaveLength(3);
  });

  it("takes many old messages in several runs, and ends a run when the service stops", async () => {
    const ctx = await appliedContext(kind, exampleBootstrap);
    await queue(ctx, ...Array.from({ length: 42 }, () => messageTo(passwordChange, ada)).flat());
    await ctx.db.prisma.outboxMessage.updateMany({ data: { state: "sent", createdAt: new Date(0) } });
    const stopped = new AbortController();
    stopped.abort();
    expect(await sweepMessages(ctx, { batch: 1, signal: stopped.signal })).toBe(0);
    expect(await sweepMessages(ctx, { batch: 1 })).toBe(40);
    expect(await sweepMessages(ctx, { batch: 1 })).toBe(2);
    expect(await sweepMessages(ctx)).toBe(0);
  });
});
