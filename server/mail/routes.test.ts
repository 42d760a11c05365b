import { describe, expect, it, onTestFinished } from "vitest";
import type { Context } from "../context";
import { findShownMailSettings, removeMailSettings, setMailSettings } from "../directory/provider/mail-settings";
import { mailSettingsSchema } from "../directory/provider/smtp-address";
import { record } from "../events/record";
import { messageTo } from "../message-types/message";
import { passwordChange } from "../message-types/password-change";
import { appliedContext, type BareContext } from "../testing/bare-context";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { startMailServer, type TestMailServer } from "../testing/mail-server";
import { deliverNext } from "./deliver";
import { findMessage, listMessages } from "./mailbox";
import { type MailRoutesOptions, openMailRoutes } from "./routes";

const SYSTEM = { actor: "system" };
const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };
/** Allows local addresses, as tests have no mail server in the public Internet. */
const anywhere: MailRoutesOptions = { resolve: async () => ["127.0.0.1"], mayConnect: () => true };

describe.each(ruleDatabases)("mail settings of an organization, on %s", (kind) => {
  async function service(): Promise<{ bare: BareContext; ctx: Context; own: TestMailServer; theirs: TestMailServer }> {
    const bare = await appliedContext(kind, exampleBootstrap);
    const [own, theirs] = [await startMailServer(), await startMailServer({ user: "acme", password: "p@ss" })];
    onTestFinished(() => Promise.all([own.stop(), theirs.stop()]).then(() => {}));
    const ctx = { ...bare, config: { ...bare.config, smtpUrl: own.url, mailFrom: "Service <id@service.test>" } };
    return { bare, ctx, own, theirs };
  }

  async function send(ctx: Context, options: MailRoutesOptions) {
    await record(
      { ...ctx, origin: SYSTEM },
      {
        type: "user.locked",
        object: { id: "u-ada", organizationId: "acme" },
        state: async () => ({ messages: messageTo(passwordChange, ada) }),
      },
    );
    const routes = openMailRoutes(ctx, options);
    const outcome = await deliverNext(ctx, routes);
    routes.close();
    return outcome;
  }

  it("sends by the organization's server and from its sender, and by the service's after a reset", async () => {
    const { ctx, own, theirs } = await service();
    await setMailSettings({ ...ctx, origin: SYSTEM }, "acme", { smtpUrl: theirs.url, sender: "ACME <mail@acme.test>" });
    expect(await send(ctx, anywhere)).toBe("sent");
    expect(theirs.mails.map(({ envelope }) => envelope.from)).toEqual(["mail@acme.test"]);
    await removeMailSettings({ ...ctx, origin: SYSTEM }, "acme");
    expect(await send(ctx, anywhere)).toBe("sent");
    expect(own.mails.map(({ envelope }) => envelope.from)).toEqual(["id@service.test"]);
    expect(theirs.mails).toHaveLength(1);
  });

  it("sends mails that were refused because of the sender as soon as the sender is corrected", async () => {
    const { bare, ctx, own, theirs } = await service();
    own.fault = { step: "mail", code: 550 };
    expect(await send(ctx, anywhere)).toBe("unreachable");
    own.fault = undefined;
    const mended = { ...ctx, config: { ...ctx.config, mailFrom: "Service <id@mended.test>" } };
    const deliver = async () => {
      bare.advance(60_000);
      const routes = openMailRoutes(mended, anywhere);
      const outcome = await deliverNext(mended, routes);
      routes.close();
      return outcome;
    };
    expect(await deliver()).toBe("sent");
    expect(own.mails.map(({ envelope }) => envelope.from)).toEqual(["id@mended.test"]);
    const [row] = await listMessages(ctx, { limit: 1 });
    expect(await findMessage(ctx, row?.id ?? "")).toMatchObject({ rendered: { sender: "Service <id@mended.test>" } });

    own.fault = { step: "mail", code: 550 };
    expect(await send(mended, anywhere)).toBe("unreachable");
    await setMailSettings({ ...ctx, origin: SYSTEM }, "acme", { smtpUrl: theirs.url, sender: "mail@acme.test" });
    expect(await deliver()).toBe("sent");
    expect(theirs.mails.map(({ parsed }) => parsed.from?.text)).toEqual(["mail@acme.test"]);
  });

  it("keeps the password sealed, out of the audit trail and unshown", async () => {
    const { ctx, theirs } = await service();
    await setMailSettings({ ...ctx, origin: SYSTEM }, "acme", { smtpUrl: theirs.url, sender: "mail@acme.test" });
    const stored = JSON.stringify([await ctx.db.prisma.emailProvider.findMany(), await ctx.db.prisma.event.findMany()]);
    expect(stored).not.toMatch(/p@ss|p%40ss/);
    expect(await findShownMailSettings(ctx, "acme")).toEqual({
      host: "127.0.0.1",
      port: Number(new URL(theirs.url).port),
      user: "acme",
      hasPassword: true,
      sender: "mail@acme.test",
    });
    expect(await findShownMailSettings(ctx, "other")).toBeUndefined();
  });

  it.each([["127.0.0.1"], ["169.254.169.254"], ["::1"], ["::ffff:10.0.0.1"], ["8.8.8.8", "10.0.0.1"], []])(
    "connects to nothing that leads to %j (server-side request forgery)",
    async (...addresses) => {
      const { ctx, own, theirs } = await service();
      const smtpUrl = theirs.url.replace("127.0.0.1", "mail.acme.test");
      await setMailSettings({ ...ctx, origin: SYSTEM }, "acme", { smtpUrl, sender: "mail@acme.test" });
      expect(await send(ctx, { resolve: async () => addresses })).toBe("postponed");
      expect([own.connections, theirs.connections]).toEqual([0, 0]);
      const [row] = await listMessages(ctx, { limit: 1 });
      expect(row?.lastAnswer).toBe("the mail server that was set has no public address");
    },
  );

  it("does not delay other mails if an organization's server is down", async () => {
    const { ctx, theirs } = await service();
    await theirs.stop();
    await setMailSettings({ ...ctx, origin: SYSTEM }, "acme", { smtpUrl: theirs.url, sender: "mail@acme.test" });
    expect(await send(ctx, anywhere)).toBe("postponed");
  });
});

describe("the validation of mail settings", () => {
  const sender = "ACME <mail@acme.test>";
  it.each(["smtp://mail.test", "smtps://u:p@mail.test:465", "smtp://u:p@mail.test:587"])("accepts %s", (smtpUrl) => {
    expect(mailSettingsSchema.safeParse({ smtpUrl, sender }).success).toBe(true);
  });
  it.each([
    ["http://mail.test", sender],
    ["smtp://mail.test:22", sender],
    ["smtp://u:p@mail.test?ignoreTLS=true", sender],
    ["smtp://mail.test", "ACME <mail@acme.test>, x@evil.test"],
    ["smtp://mail.test", "a@b.test\r\nBcc: x@evil.test"],
    ["smtp://mail.test", ""],
  ])("refuses %s from %j", (smtpUrl, from) => {
    expect(mailSettingsSchema.safeParse({ smtpUrl, sender: from }).success).toBe(false);
  });
});
