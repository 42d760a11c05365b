import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { removeMailSettings, setMailSettings } from "../directory/provider/mail-settings";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import { startMailServer, type TestMailServer } from "../testing/mail-server";
import { type TestService, testService } from "../testing/test-context";
import type { MailRoutesOptions } from "./routes";
import { testMailSettings } from "./test-settings";

const SYSTEM = { actor: "system" };
/** Allows local addresses, as tests have no mail server in the public Internet. */
const anywhere: MailRoutesOptions = { resolve: async () => ["127.0.0.1"], mayConnect: () => true };
const owner = {
  id: "owner",
  userName: "owner",
  password: PASSWORD,
  email: { email: "owner@other.test", isEmailVerified: true },
  profile: { firstName: "O", lastName: "O", preferredLanguage: "de" },
  roles: ["ORG_OWNER"],
};
const bootstrap = {
  organizations: [
    ...exampleBootstrap.organizations,
    { id: "other", name: "Other", domains: [{ domain: "other.test", verified: true, primary: true }], users: [owner] },
  ],
};

describe.each(ruleDatabases)("the test of mail settings on %s", (kind) => {
  let service: TestService;
  let theirs: TestMailServer;
  const caller = { userId: "owner", organizationId: "other", clientId: "web" };
  const ask = (body?: unknown, options = anywhere) =>
    testMailSettings(service.ctx, caller, { level: "organization", body }, options);
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    theirs = await startMailServer({ user: "acme", password: "p@ss" });
  });
  afterAll(async () => {
    await theirs.stop();
    await service.close();
  });
  beforeEach(() =>
    setMailSettings({ ...service.ctx, origin: SYSTEM }, "other", { smtpUrl: theirs.url, sender: "mail@other.test" }),
  );

  it("sends one marked mail to the caller with the saved settings, and returns the server's response", async () => {
    const tested = await ask();
    expect(tested).toEqual({ recipient: "owner@other.test", answer: expect.stringMatching(/^250 /) });
    const [mail] = theirs.mails;
    expect(mail?.envelope).toEqual({ from: "mail@other.test", to: ["owner@other.test"] });
    expect(mail?.parsed.subject).toMatch(/^\[Test\] /);
    expect(theirs.mails).toHaveLength(1);
    const queued = await service.ctx.db.prisma.outboxMessage.count({ where: { userId: "owner" } });
    expect(queued).toBe(0);
  });

  it("replaces only the given settings, and saves nothing", async () => {
    await ask({ sender: "Other <news@other.test>" });
    expect(theirs.mails.at(-1)?.envelope.from).toBe("news@other.test");
    await ask();
    expect(theirs.mails.at(-1)?.envelope.from).toBe("mail@other.test");
  });

  it("reports why a mail was not sent: no server, a refused password, a refused sender", async () => {
    expect(await ask({ smtpUrl: "smtp://mail.other.test:2525" })).toMatchObject({
      id: "mail_settings.test_failed",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    const { port } = new URL(theirs.url);
    const wrong = { smtpUrl: `smtp://acme:wrong@localhost:${port}`, sender: "mail@other.test" };
    await setMailSettings({ ...service.ctx, origin: SYSTEM }, "other", wrong);
    expect(await ask()).toMatchObject({ message: expect.stringMatching(/^The mail was not sent: .*535/) });
    await setMailSettings({ ...service.ctx, origin: SYSTEM }, "other", {
      smtpUrl: theirs.url,
      sender: "mail@other.test",
    });
    theirs.fault = { step: "mail", code: 553 };
    expect(await ask()).toMatchObject({ message: expect.stringContaining("553") });
    theirs.fault = undefined;
  });

  it("connects to public addresses only", async () => {
    const before = theirs.connections;
    const { baseUrl } = service.config;
    service.config.baseUrl = "https://id.service.test";
    for (const options of [{}, { resolve: async () => ["203.0.114.1", "10.0.0.1"] }]) {
      expect(await ask(undefined, options)).toMatchObject({ id: "mail_settings.test_failed" });
    }
    expect(theirs.connections).toBe(before);
    service.config.baseUrl = baseUrl;
    expect(await ask(undefined, {})).toHaveProperty("answer"); // allowed for a service in development
    const moved = { resolve: async () => ["10.0.0.1"] };
    expect(await ask(undefined, moved)).toMatchObject({ id: "mail_settings.test_failed" });
  });

  it("refuses settings that could not be saved, and missing settings", async () => {
    for (const body of [
      null,
      [],
      { smtpUrl: "smtp://mail.other.test:22" },
      { sender: "a@b.test\nBcc: c@d.test" },
      { host: "x" },
    ]) {
      expect(await ask(body)).toMatchObject({ code: 3, id: "mail_settings.invalid" });
    }
    await removeMailSettings({ ...service.ctx, origin: SYSTEM }, "other");
    expect(await ask()).toMatchObject({ code: 5, id: "mail_settings.not_found" });
    expect(await ask({ smtpUrl: "smtp://mail.other.test" })).toMatchObject({ field: "sender" });
  });

  it("requires the permission to change the settings, also over HTTP, for the instance and organizations", async () => {
    const own = await startMailServer();
    service.config.smtpUrl = own.url;
    const path = (level: string) => `/${level}/v1/mail_settings/_test`;
    const admin = await apiToken(service);
    const sent = await callApi(service, "POST", path("admin"), { token: admin });
    expect(sent).toMatchObject({
      status: 200,
      body: { recipient: "ada@acme.test", answer: expect.stringMatching(/^250/) },
    });
    expect(own.mails).toHaveLength(1);
    await own.stop();
    const theirOwner = await apiToken(service, "owner@other.test");
    expect(refusalOf(await callApi(service, "POST", path("admin"), { token: theirOwner }))).toMatchObject({
      status: 403,
    });
    const headers = { "x-service-orgid": "acme" };
    const foreign = await callApi(service, "POST", path("management"), { token: theirOwner, headers });
    expect(refusalOf(foreign)).toMatchObject({ status: 403 });
    expect((await callApi(service, "POST", path("management"), {})).status).toBe(401);
    const bob = await apiToken(service, "bob@acme.test");
    expect((await callApi(service, "POST", path("management"), { token: bob })).status).toBe(403);
  });

  it("is limited, so that it cannot flood an inbox", async () => {
    const before = theirs.mails.length;
    let last: unknown;
    for (let i = 0; i < 25; i++) last = await ask();
    expect(last).toMatchObject({ code: 8, id: "message.too_many_trials" });
    expect(theirs.mails.length - before).toBeLessThanOrEqual(20);
  });
});
