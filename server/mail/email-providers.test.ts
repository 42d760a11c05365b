import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { record } from "../events/record";
import { messageTo } from "../message-types/message";
import { passwordChange } from "../message-types/password-change";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { startMailServer, type TestMailServer } from "../testing/mail-server";
import { type TestService, testService } from "../testing/test-context";
import { deliverNext } from "./deliver";
import { openMailRoutes } from "./routes";
import { testProvider } from "./test-settings";

const anywhere = { resolve: async () => ["127.0.0.1"], mayConnect: () => true };
const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };
const SERVER = { senderAddress: "mail@acme.test", senderName: "ACME", host: "mail.acme.test:587", tls: true };
const WITH_PASSWORD = { ...SERVER, user: "mailer@acme", password: "s3cret/p@ss" };

describe.each(ruleDatabases)("mail providers, on %s", (kind) => {
  let service: TestService;
  let token: string;
  let one: TestMailServer;
  let other: TestMailServer;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    [one, other] = [await startMailServer(), await startMailServer()];
  });
  afterEach(async () => {
    await service.ctx.db.prisma.emailProvider.deleteMany();
    await service.ctx.db.prisma.throttle.deleteMany();
    service.advance(6_000); // skips cache lifetimes after deletions
    [one.mails.length, other.mails.length] = [0, 0];
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await service.close();
  });

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const add = async (level: "admin" | "management", body: object = SERVER): Promise<string> => {
    const { status, body: answer } = await call("POST", `/${level}/v1/email/smtp`, body);
    expect([status, answer]).toEqual([200, { id: expect.any(String), details: expect.anything() }]);
    return answer.id;
  };
  /** Sets the test server's port in the database, as the API does not accept it. */
  const leadTo = async (id: string, { url }: TestMailServer) => {
    const sealedAddress = service.ctx.secrets.seal("mail", url);
    await service.ctx.db.prisma.emailProvider.update({ where: { id }, data: { sealedAddress } });
    service.advance(6_000);
  };

  async function send() {
    await record(
      { ...service.ctx, origin: { actor: "system" } },
      {
        type: "user.locked",
        object: { id: "u-ada", organizationId: "acme" },
        state: async () => ({ messages: messageTo(passwordChange, ada) }),
      },
    );
    const routes = openMailRoutes(service.ctx, anywhere);
    const outcome = await deliverNext(service.ctx, routes);
    routes.close();
    return outcome;
  }
  const letters = () => [one.mails.length, other.mails.length];

  it("send once they are activated, one of each owner at a time: the organization's before the service's", async () => {
    const ofService = await add("admin", { ...SERVER, senderAddress: "id@service.test" });
    await leadTo(ofService, one);
    expect(await send()).toBe("kept");
    await call("POST", `/admin/v1/smtp/${ofService}/_activate`);
    expect(await send()).toBe("sent");
    expect(one.mails[0]?.envelope.from).toBe("id@service.test");
    const [first, second] = [
      await add("management"),
      await add("management", { ...SERVER, replyToAddress: "h@a.test" }),
    ];
    for (const id of [first, second]) await leadTo(id, other);
    for (const id of [first, second, second]) await call("POST", `/management/v1/email/${id}/_activate`);
    expect(await send()).toBe("sent");
    expect(letters()).toEqual([1, 1]);
    expect(other.mails[0]?.parsed).toMatchObject({
      from: { text: '"ACME" <mail@acme.test>' },
      replyTo: { text: "h@a.test" },
    });
    const { body } = await call("POST", "/management/v1/email/_search", {});
    expect(body.result.map((each: { id: string; state: string }) => [each.id, each.state])).toEqual([
      [first, "EMAIL_PROVIDER_INACTIVE"],
      [second, "EMAIL_PROVIDER_ACTIVE"],
    ]);
    await call("DELETE", `/management/v1/email/${second}`);
    expect(await send()).toBe("sent");
    expect(letters()).toEqual([2, 1]);
    await call("POST", `/admin/v1/email/${ofService}/_deactivate`);
    expect(await send()).toBe("kept");
  });

  it("are read and written by the API for a single mail server", async () => {
    const settings = { smtpUrl: "smtps://mailer:secret@mail.acme.test", sender: "ACME <mail@acme.test>" };
    expect((await call("PUT", "/management/v1/mail_settings", settings)).status).toBe(200);
    const { body } = await call("GET", "/management/v1/email");
    const smtp = {
      host: "mail.acme.test",
      tls: true,
      user: "mailer",
      hasPassword: true,
      replyToAddress: "",
    };
    expect(body.config).toMatchObject({
      state: "EMAIL_PROVIDER_ACTIVE",
      details: { resourceOwner: "acme" },
      smtp: { ...smtp, senderAddress: "mail@acme.test", senderName: "ACME" },
    });
    const id = await add("management", WITH_PASSWORD);
    await call("POST", `/management/v1/email/${id}/_activate`);
    expect((await call("GET", "/management/v1/mail_settings")).body.mailSettings).toEqual({
      host: "mail.acme.test",
      port: 587,
      user: "mailer@acme",
      hasPassword: true,
      sender: "ACME <mail@acme.test>",
    });
    await call("DELETE", "/management/v1/mail_settings");
    expect(refusalOf(await call("GET", "/management/v1/email"))).toMatchObject({ id: "mail_settings.not_found" });
  });

  it("never return a password, nor send it to another server", async () => {
    const id = await add("admin", WITH_PASSWORD);
    const put = (body: object) => call("PUT", `/admin/v1/smtp/${id}`, body);
    const { password: _, ...without } = WITH_PASSWORD;
    const isSaved = async () => (await call("GET", `/admin/v1/smtp/${id}`)).body.smtpConfig.hasPassword;
    expect((await put({ ...without, description: "The same place" })).status).toBe(200);
    expect(await isSaved()).toBe(true);
    for (const elsewhere of [
      { host: "evil.test:587" },
      { host: "mail.acme.test:25" },
      { user: "other" },
      { tls: false },
    ]) {
      const refused = { status: 400, id: "mail_settings.invalid" };
      expect(refusalOf(await put({ ...without, ...elsewhere }))).toMatchObject(refused);
      const trial = { ...without, ...elsewhere, id, receiverAddress: "a@b.test" };
      expect(refusalOf(await call("POST", "/admin/v1/smtp/_test", trial))).toMatchObject(refused);
    }
    expect((await put({ ...SERVER, host: "evil.test:587" })).status).toBe(200);
    expect(await isSaved()).toBe(false);
    expect((await call("PUT", `/admin/v1/smtp/${id}/password`, { password: "n3w" })).status).toBe(400);
    const { prisma } = service.ctx.db;
    const answers = JSON.stringify([await prisma.event.findMany(), await call("POST", "/admin/v1/smtp/_search", {})]);
    expect(answers).not.toMatch(/s3cret|p@ss|p%40ss/);
  });

  it("are refused with values for network scans or injection, and nothing changes", async () => {
    const wrong: string[] = [];
    for (const part of [
      ...[{ host: "mail.acme.test:22" }, { host: "mail.acme.test:99999" }, { host: "a b" }, { host: "x?y=z" }],
      ...[{ host: "u:p@mail.test" }, { host: "mail.test/x" }, { host: "" }, { host: 5 }, { host: null }],
      ...[{ senderAddress: "a@b.test\nBcc: c@d.test" }, { senderAddress: "a" }, { senderName: 'A" <x@y.test>, "B' }],
      ...[{ replyToAddress: "a@b.test, c@d.test" }, { tls: "yes" }, { password: "a\u0000b" }, { user: "a\r\nb" }],
    ]) {
      const { status } = await call("POST", "/admin/v1/email/smtp", { ...SERVER, ...part });
      if (status !== 400) wrong.push(`${JSON.stringify(part)}: ${status}`);
    }
    for (const body of [undefined, null, [], "x"]) {
      const { status } = await call("POST", "/management/v1/email/smtp", body);
      if (status !== 400) wrong.push(`${JSON.stringify(body)}: ${status}`);
    }
    for (const [method, path] of [
      ...[
        ["GET", "email/x"],
        ["POST", "email/x/_activate"],
        ["POST", "email/x/_deactivate"],
        ["DELETE", "email/x"],
      ],
      ...[
        ["POST", "email/x/_test"],
        ["GET", "email"],
      ],
    ] as const) {
      const { status } = await call(method, `/management/v1/${path}`);
      if (status !== 404) wrong.push(`${method} ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(await service.ctx.db.prisma.emailProvider.count()).toBe(0);
  });

  it("are tested by a mail to the caller or to someone else", async () => {
    const id = await add("management");
    await leadTo(id, one);
    const caller = { userId: "u-ada", organizationId: "acme", clientId: "web" };
    const request = { level: "organization", providerId: id } as const;
    const asked = (body: unknown) => testProvider(service.ctx, caller, { ...request, body }, anywhere);
    expect(await asked(undefined)).toMatchObject({ recipient: "ada@acme.test", answer: expect.stringMatching(/^250/) });
    expect(await asked({ receiverAddress: "help@acme.test" })).toMatchObject({ recipient: "help@acme.test" });
    expect(one.mails.map(({ envelope }) => envelope.to)).toEqual([["ada@acme.test"], ["help@acme.test"]]);
    expect(await asked({ receiverAddress: "a@b.test, c@d.test" })).toMatchObject({ id: "mail_settings.invalid" });
    const path = `/management/v1/email/${id}/_test`;
    expect(await call("POST", path)).toMatchObject({ status: 200, body: { recipient: "ada@acme.test" } });
  });
});
