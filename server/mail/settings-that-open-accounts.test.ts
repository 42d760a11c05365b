import { describe, expect, it, onTestFinished } from "vitest";
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { findInstance } from "../directory/instance";
import { addMembership } from "../directory/member/membership";
import type { MemberRole } from "../directory/member/roles";
import { findShownMailSettings, setMailSettings } from "../directory/provider/mail-settings";
import { type Message, record } from "../events/record";
import { messageTo } from "../message-types/message";
import { passwordChange } from "../message-types/password-change";
import { passwordReset } from "../message-types/passwordreset";
import { registrationCode } from "../message-types/verifyemail";
import { appliedContext } from "../testing/bare-context";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { startMailServer } from "../testing/mail-server";
import { replaceOwnText } from "../texts/level/level-text";
import type { LevelMessageText } from "../texts/text-owner";
import { composeMessage } from "./compose";
import { deliverNext } from "./deliver";
import { openMailRoutes } from "./routes";

const SYSTEM = { actor: "system" };
const anywhere = { resolve: async () => ["127.0.0.1"], mayConnect: () => true };
const person = (id: string, roles: string[] = []) => ({
  id: `u-${id}`,
  userName: id,
  roles,
  profile: { preferredLanguage: "en" },
  email: { email: `${id}@evil.test`, isEmailVerified: true },
});
const bootstrap = {
  organizations: [
    ...exampleBootstrap.organizations,
    {
      id: "evil",
      name: "Evil",
      domains: [{ domain: "evil.test", verified: true, primary: true }],
      users: [person("mallory", ["ORG_OWNER"]), person("carl"), person("olga", ["ORG_OWNER"])],
    },
  ],
};
const carl = { id: "u-carl", organizationId: "evil", email: "carl@evil.test", isEmailVerified: true };
const RESET: LevelMessageText = { ownerId: "evil", type: "passwordreset", language: "en" };
const MINE = { text: "Mallory says {{.Code}}", subject: "Mallory's" };

describe.each(ruleDatabases)("an organization's settings and accounts with more power, on %s", (kind) => {
  async function service(setBy = "u-mallory") {
    const bare = await appliedContext(kind, bootstrap);
    const [own, theirs] = [await startMailServer(), await startMailServer()];
    onTestFinished(() => Promise.all([own.stop(), theirs.stop()]).then(() => {}));
    const ctx: Context = { ...bare, config: { ...bare.config, smtpUrl: own.url, mailFrom: "id@service.test" } };
    await setMailSettings({ ...ctx, origin: { actor: setBy } }, "evil", {
      smtpUrl: theirs.url,
      sender: "mail@evil.test",
    });
    await changeDirectory(ctx, (ctx) => replaceOwnText({ ...ctx, origin: { actor: setBy } }, RESET, MINE));
    return { ctx, own, theirs, bare };
  }

  const give = async (ctx: Context, userId: string, role: MemberRole, organizationId = "evil") => {
    const instanceId = (await findInstance(ctx)).id;
    await changeDirectory(ctx, (ctx) =>
      addMembership({ ...ctx, origin: SYSTEM }, { userId, role, instanceId, organizationId }),
    );
  };

  const code = (ctx: Context) => ({
    code: "K7M4PX2Q",
    path: "/login/reset-password?c=1",
    expiresAt: ctx.clock() + 60_000,
  });

  async function send(ctx: Context, messages: Message[]) {
    await record(
      { ...ctx, origin: SYSTEM },
      {
        type: "user.locked",
        object: { id: "u-carl", organizationId: "evil" },
        state: async () => ({ messages }),
      },
    );
    const routes = openMailRoutes(ctx, anywhere);
    const outcome = await deliverNext(ctx, routes);
    routes.close();
    return outcome;
  }
  const subjects = (server: { mails: readonly { parsed: { subject?: string } }[] }) =>
    server.mails.map(({ parsed }) => parsed.subject);

  it("are used for its own users, including owners, regardless of their author", async () => {
    const { ctx, own, theirs } = await service();
    await ctx.db.prisma.membership.deleteMany({ where: { userId: "u-mallory" } });
    await send(ctx, passwordReset(ctx, carl, code(ctx)));
    const olga = { id: "u-olga", organizationId: "evil", email: "olga@evil.test", isEmailVerified: true };
    await send(ctx, passwordReset(ctx, olga, code(ctx)));
    expect([subjects(theirs), subjects(own)]).toEqual([["Mallory's", "Mallory's"], []]);
    expect(await findShownMailSettings(ctx, "evil")).not.toHaveProperty("isBypassed");
  });

  it.each<[string, MemberRole, string?]>([
    ["the instance", "IAM_OWNER"],
    ["the instance's people", "IAM_USER_MANAGER"],
    ["another organization", "ORG_OWNER", "acme"],
  ])("do not open the account of a user who manages %s", async (_, role, organizationId) => {
    const { ctx, own, theirs } = await service();
    await give(ctx, "u-carl", role, organizationId);
    await send(ctx, passwordReset(ctx, carl, code(ctx)));
    expect([subjects(own), subjects(theirs)]).toEqual([["Set a new password"], []]);
    expect(own.mails[0]?.envelope.from).toBe("id@service.test");
    expect(own.mails[0]?.parsed.text).not.toContain("Mallory");
    expect(await findShownMailSettings(ctx, "evil")).toMatchObject({ isBypassed: true });
    await send(ctx, messageTo(passwordChange, carl));
    expect(subjects(theirs)).toEqual(["Your password was changed"]);
  });

  it.each([
    ["the operator", "bootstrap"],
    ["an owner of the instance", "u-ada"],
    ["the person", "u-carl"],
  ])("open such accounts if %s set them", async (_, setBy) => {
    const { ctx, own, theirs } = await service(setBy);
    await give(ctx, "u-carl", "IAM_OWNER");
    await send(ctx, passwordReset(ctx, carl, code(ctx)));
    expect([subjects(theirs), subjects(own)]).toEqual([["Mallory's"], []]);
  });

  it("do not count as the operator's because a user has the operator's name", async () => {
    const { ctx, own, theirs } = await service();
    await ctx.db.prisma.user.update({ where: { id: "u-olga" }, data: { id: "system" } });
    await setMailSettings({ ...ctx, origin: { actor: "system" } }, "evil", {
      smtpUrl: theirs.url,
      sender: "mail@evil.test",
    });
    await give(ctx, "u-carl", "IAM_OWNER");
    await send(ctx, passwordReset(ctx, carl, code(ctx)));
    expect([own.mails.length, theirs.mails.length]).toEqual([1, 0]);
  });

  it("do not open a manager's account if their author is inactive", async () => {
    const { ctx, own } = await service("u-mallory");
    await give(ctx, "u-mallory", "IAM_OWNER");
    await give(ctx, "u-carl", "IAM_OWNER");
    await ctx.db.prisma.user.update({ where: { id: "u-mallory" }, data: { state: "inactive" } });
    await send(ctx, passwordReset(ctx, carl, code(ctx)));
    expect(subjects(own)).toEqual(["Set a new password"]);
  });

  it("are checked again at each attempt, even if both servers have the same sender", async () => {
    const { ctx, own, theirs, bare } = await service();
    await setMailSettings({ ...ctx, origin: { actor: "u-mallory" } }, "evil", {
      smtpUrl: theirs.url,
      sender: "id@service.test",
    });
    theirs.fault = { step: "mail", code: 451 };
    expect(await send(ctx, passwordReset(ctx, carl, code(ctx)))).toBe("postponed");
    await give(ctx, "u-carl", "IAM_OWNER");
    bare.advance(20_000);
    const routes = openMailRoutes(ctx, anywhere);
    expect(await deliverNext(ctx, routes)).toBe("sent");
    routes.close();
    expect(subjects(own)).toEqual(["Set a new password"]);
  });

  it("do not send codes to addresses under a domain that another organization has proven", async () => {
    const { ctx, own, theirs } = await service();
    const registrant = (email: string) =>
      registrationCode(ctx, { email, firstName: "C", lastName: "E", preferredLanguage: "en" }, "evil", code(ctx));
    for (const email of ["ceo@acme.test", "ceo@eu.ACME.test"]) await send(ctx, registrant(email));
    await send(ctx, passwordReset(ctx, { ...carl, email: "ceo@acme.test" }, code(ctx)));
    expect([own.mails.length, theirs.mails.length]).toEqual([3, 0]);
    for (const { parsed } of own.mails) expect(`${parsed.subject} ${parsed.text}`).not.toMatch(/Evil|Mallory/);
    await send(ctx, registrant("somebody@mail.example"));
    await send(ctx, registrant("somebody@evil.test"));
    expect([own.mails.length, theirs.mails.length]).toEqual([3, 2]);
    expect(theirs.mails[0]?.parsed.text).toContain("Evil");
  });

  it("are previewed as they are sent", async () => {
    const { ctx } = await service();
    const wanted = { type: "passwordreset", userId: "u-carl", withSamples: true } as const;
    const holder = { userId: "u-carl", email: "carl@evil.test" };
    expect(await composeMessage(ctx, { ...wanted, holder })).toMatchObject({ subject: "Mallory's" });
    await give(ctx, "u-carl", "IAM_OWNER");
    expect(await composeMessage(ctx, { ...wanted, holder })).toMatchObject({ subject: "Set a new password" });
  });
});
