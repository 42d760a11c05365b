import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { changeDirectory } from "../../directory/change";
import { emailContact } from "../../directory/mailed-code/contact-code";
import { setPolicy } from "../../directory/policy/policies";
import { changeContact } from "../../directory/user/contact/prove";
import { composeMessage } from "../../mail/compose";
import type { MessageType } from "../../message-types/table";
import { newAuthenticator, type Options } from "../../testing/authenticator";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { formOptions, hiddenFields, newPerson, pageAt } from "../../testing/factors";
import { answerOf, authorizePath } from "../../testing/flow";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { type AtHome, atHome } from "../../testing/own-account";
import { type TestService, testService } from "../../testing/test-context";

const SUBMIT = "/login/not-me/submit";

describe.each(ruleDatabases)("“This wasn't me” in a notice, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const newOwner = () => newPerson(service, PASSWORD);
  const userRow = (id: string) => service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id } });

  /** Returns the link in the last notice of a type to an address, or in an earlier one. */
  async function linkIn(type: MessageType, recipient: string, before = 0): Promise<string> {
    const rows = await service.ctx.db.prisma.outboxMessage.findMany({
      where: { type, recipient },
      orderBy: { createdAt: "desc" },
      skip: before,
      take: 1,
    });
    const { payload, userId, organizationId } = rows[0] ?? {};
    const composed = await composeMessage(service.ctx, {
      type,
      payload: payload as object,
      userId: userId ?? undefined,
      organizationId,
    });
    if (typeof composed === "string") throw new Error(composed);
    return /This wasn’t me\n\S+?(\/login\/not-me\?token=\S+)/.exec(composed.text)?.[1] ?? "";
  }

  /** Opens the link and confirms. */
  async function disown(path: string, browser = service.browser()): Promise<{ asked: Response; done: Response }> {
    const asked = await browser.get(path);
    const fields = hiddenFields(await asked.clone().text(), SUBMIT);
    return { asked, done: await browser.post(SUBMIT, fields) };
  }

  async function addPasskey({ browser, session, page }: AtHome): Promise<ReturnType<typeof newAuthenticator>> {
    const authenticator = newAuthenticator();
    const html = await page("passkey");
    const action = "/account/passkey/submit";
    const credential = authenticator.create(formOptions(html) as Options);
    await browser.post(action, { ...hiddenFields(html, action), session, credential });
    return authenticator;
  }

  async function signsInWith(authenticator: ReturnType<typeof newAuthenticator>): Promise<boolean> {
    const browser = service.browser();
    const page = await pageAt(browser, await browser.get(authorizePath()));
    const fields = hiddenFields(page, "/login/passkey");
    const credential = authenticator.get(formOptions(page) as Options);
    return answerOf(await browser.post("/login/passkey", { ...fields, credential })).has("code");
  }

  it("changes nothing when it is opened, and names the account and the event", async () => {
    const owner = await newOwner();
    await addPasskey(await atHome(service, owner));
    const path = await linkIn("factor_added", owner.loginName);
    const before = await userRow(owner.id);
    for (let time = 0; time < 2; time++) {
      const asked = await service.browser().get(path);
      const html = await asked.text();
      expect([asked.status, html.includes(owner.loginName)]).toEqual([200, true]);
      expect(html).toContain("Sign-in method added");
    }
    expect(await userRow(owner.id)).toEqual(before);
  });

  it("ends sessions, removes the password and later additions, mails a reset, and notifies administrators, once", async () => {
    const owner = await newOwner();
    const home = await atHome(service, owner);
    const own = await addPasskey(home);
    service.advance(60_000);
    const planted = [await addPasskey(home), await addPasskey(home)];
    const path = await linkIn("factor_added", owner.loginName, 1); // the first of the two
    const { done } = await disown(path);
    expect(await pageAt(service.browser(), done)).toContain("Your account is secured");
    for (const authenticator of planted) expect(await signsInWith(authenticator)).toBe(false);
    expect(await signsInWith(own)).toBe(true);
    expect((await home.browser.get(`/account?session=${home.session}`)).headers.get("location")).toContain("/login");
    expect((await userRow(owner.id)).passwordHash).toBeNull();
    const mail = (await mailsTo(service, owner.loginName)).filter(({ type }) => type === "passwordreset");
    expect(mail.map((one) => one.path)).toEqual([expect.stringContaining("/login/reset-password?token=")]);
    const where = { type: "user.disowned", aggregateId: owner.id };
    expect(await service.ctx.db.prisma.event.findMany({ where, select: { payload: true } })).toEqual([
      { payload: { notice: "factor_added" } },
    ]);
    await expect
      .poll(() => service.ctx.db.prisma.signInAttempt.count({ where: { userId: owner.id, reason: "disowned" } }))
      .toBe(1);
    expect((await service.browser().get(path)).status).toBe(410);
    expect((await service.browser().post(SUBMIT, { token: path.split("=")[1] ?? "" })).status).toBe(410);
  });

  it("notifies the organization's owners once a day, else the service's, but no one who may not read the user", async () => {
    const { prisma } = service.ctx.db;
    const told = async () => {
      const where = { type: "account_disowned" };
      const rows = await prisma.outboxMessage.findMany({ where, orderBy: { recipient: "asc" } });
      await prisma.outboxMessage.deleteMany({ where });
      return rows;
    };
    const says = async (owner: { loginName: string }, home: AtHome) => {
      await addPasskey(home);
      service.advance(60_000);
      await addPasskey(home);
      const links = [await linkIn("factor_added", owner.loginName), await linkIn("factor_added", owner.loginName, 1)];
      await disown(links[0] ?? "");
      const rows = await told();
      expect((await disown(links[1] ?? "")).done.status).toBe(303);
      expect(await told()).toEqual([]); // a second time on the same day
      return rows;
    };
    const beginning = async () => {
      const owner = await newOwner();
      await told();
      return { owner, home: await atHome(service, owner) };
    };
    const first = await beginning();
    const { id: instanceId } = await prisma.instance.findFirstOrThrow();
    const [toService, ...others] = await says(first.owner, first.home);
    expect([toService?.recipient, toService?.organizationId, others]).toEqual(["ada@acme.test", instanceId, []]);

    const place = { level: "organization", createdAt: new Date(service.ctx.clock()) };
    const holds = (userId: string, role: string, levelId = "acme") =>
      prisma.membership.create({ data: { ...place, userId, role, levelId } });
    const [reader, guest, elsewhere] = [await newOwner(), await newOwner(), await newOwner()];
    const second = await beginning();
    await applyBootstrap(service.ctx, { organizations: [{ id: "other", name: "Other" }] });
    await prisma.user.update({ where: { id: guest.id }, data: { organizationId: "other" } });
    await holds(guest.id, "ORG_OWNER");
    await holds(second.owner.id, "ORG_OWNER"); // the user themselves
    await holds("u-bob", "ORG_OWNER"); // whose address is not verified
    await holds(elsewhere.id, "ORG_OWNER", "other");
    await holds(reader.id, "ORG_SETTINGS_MANAGER"); // who may not read users
    const [toGuest, ...more] = await says(second.owner, second.home);
    expect([toGuest?.recipient, toGuest?.organizationId, more]).toEqual([guest.loginName, "acme", []]);
    const wanted = { type: "account_disowned", payload: toGuest?.payload as object, userId: guest.id } as const;
    const mail = await composeMessage(service.ctx, wanted);
    if (typeof mail === "string") throw new Error(mail);
    expect(mail.text).toContain(second.owner.loginName);
    expect(mail.text).toContain(`/console/organizations/acme/users/${second.owner.id}`);
    expect(mail.text).not.toContain("/login/not-me");

    const policy = (accountDisowned: boolean) =>
      changeDirectory(service.ctx, (ctx) =>
        setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, "acme", "notification", {
          accountDisowned,
        }),
      );
    const third = await beginning();
    await policy(false);
    expect(await says(third.owner, third.home)).toEqual([]);
    await policy(true);
  });

  it("gives the account back to the old address, however often a thief moves it on", async () => {
    const owner = await newOwner();
    await atHome(service, owner);
    const ref = { userId: owner.id, organizationId: "acme" };
    for (const email of ["thief@mail.test", "den@mail.test"]) {
      service.advance(60_000);
      await changeContact({ ...service.ctx, origin: { actor: owner.id } }, ref, emailContact, {
        value: email,
        isVerified: true,
      });
    }
    const [victims, thiefs] = [
      await linkIn("email_changed", owner.loginName),
      await linkIn("email_changed", "thief@mail.test"),
    ];
    expect(await linkIn("email_changed", "den@mail.test")).toBe(""); // the notice to the new address has no such link
    await disown(thiefs); // who uses the link first
    expect((await userRow(owner.id)).email).toBe("thief@mail.test");
    await disown(victims);
    expect(await userRow(owner.id)).toMatchObject({ email: owner.loginName, isEmailVerified: true });
    expect((await lastMailTo(service, owner.loginName)).type).toBe("passwordreset");
  });

  it("is void after a week, from other sites, and once an administrator has given the person another address", async () => {
    const owner = await newOwner();
    await addPasskey(await atHome(service, owner));
    const path = await linkIn("factor_added", owner.loginName);
    const token = path.split("=")[1] ?? "";
    const body = new URLSearchParams({ token }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.test" };
    expect((await service.fetch(SUBMIT, { method: "POST", headers, body })).status).toBe(403);
    const ref = { userId: owner.id, organizationId: "acme" };
    await changeContact({ ...service.ctx, origin: { actor: "operator" } }, ref, emailContact, {
      value: "safe@acme.test",
      isVerified: true,
    });
    expect((await service.browser().get(path)).status).toBe(410);

    const other = await newOwner();
    await addPasskey(await atHome(service, other));
    const late = await linkIn("factor_added", other.loginName);
    service.advance(7 * 86_400_000 + 1);
    expect((await service.browser().get(late)).status).toBe(410);
  });
});
