import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { record } from "../events/record";
import { passwordReset } from "../message-types/passwordreset";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { startMailServer, type TestMailServer } from "../testing/mail-server";
import { type PhoneGateway, startPhoneGateway } from "../testing/phone-gateway";
import { type TestService, testService } from "../testing/test-context";
import { deliverNext } from "./deliver";
import { type MailRoutesOptions, openMailRoutes } from "./routes";

const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };
const CODE = "K7M4-PX2Q";

describe.each(ruleDatabases)("mails by webhook, on %s", (kind) => {
  let service: TestService;
  let token: string;
  let hook: PhoneGateway;
  let server: TestMailServer;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    [hook, server] = [await startPhoneGateway(), await startMailServer()];
  });
  afterEach(async () => {
    await service.ctx.db.prisma.emailProvider.deleteMany();
    await service.ctx.db.prisma.outboxMessage.deleteMany();
    await service.ctx.db.prisma.throttle.deleteMany();
    service.advance(6_000); // skips cache lifetimes after deletions
    hook.requests.length = 0;
    server.mails.length = 0;
    hook.answer = (_, response) => response.writeHead(204).end();
  });
  afterAll(async () => {
    await Promise.all([hook.stop(), server.stop()]);
    await service.close();
  });

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const add = async (level: string, endpoint = `${hook.url}/mail?key=s3cret`) => {
    const body = { endpoint, description: "Ours" };
    const { body: answer } = await call("POST", `/${level}/v1/email/http`, body);
    expect(answer).toEqual({
      id: expect.any(String),
      details: expect.anything(),
      signingKey: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    return answer as { id: string; signingKey: string };
  };
  const activate = (level: string, id: string) => call("POST", `/${level}/v1/email/${id}/_activate`);
  const queue = () =>
    record(
      { ...service.ctx, origin: { actor: "system" } },
      {
        type: "user.locked",
        object: { id: "u-ada", organizationId: "acme" },
        state: async () => {
          const mail = {
            code: CODE,
            path: "/login/reset-password?token=t",
            expiresAt: service.ctx.clock() + 3_600_000,
          };
          return { messages: passwordReset(service.ctx, ada, mail) };
        },
      },
    );
  const deliver = async (options: MailRoutesOptions = {}) => {
    const routes = openMailRoutes(service.ctx, options);
    const outcome = await deliverNext(service.ctx, routes);
    routes.close();
    return outcome;
  };
  const latest = async () => {
    const { body } = await call("GET", "/admin/v1/messages?limit=1");
    return (await call("GET", `/admin/v1/messages/${body.messages[0].id}`)).body.message;
  };
  const sent = () => JSON.parse(hook.requests.at(-1)?.body ?? "{}");

  it("are sent as parts with a signature that the key verifies, and show no code afterwards", async () => {
    const { id, signingKey } = await add("admin");
    await activate("admin", id);
    await queue();
    expect(await deliver()).toBe("sent");
    const { headers, body, path } = hook.requests[0] ?? { path: "", body: "", headers: {} };
    const { id: messageId, letter } = await latest();
    expect([path, headers["webhook-id"]]).toEqual(["/mail?key=s3cret", messageId]);
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    expect(new Webhook(signingKey).sign(messageId, at, body)).toBe(headers["webhook-signature"]);
    expect(JSON.parse(body)).toEqual({
      contextInfo: {
        eventType: "passwordreset",
        provider: { id, description: "Ours" },
        recipientEmailAddress: ada.email,
      },
      templateData: {
        subject: "Set a new password",
        title: expect.any(String),
        preHeader: expect.any(String),
        greeting: expect.stringContaining("Ada"),
        text: expect.stringContaining(CODE),
        url: `${service.config.baseUrl}/login/reset-password?token=t`,
        buttonText: expect.any(String),
        footerText: expect.any(String),
      },
      args: { code: CODE },
    });
    expect(JSON.stringify(letter)).not.toContain(CODE);
  });

  it("use the organization's webhook before the service's, or a mail server that replaces it", async () => {
    const ofService = await add("admin", `${hook.url}/service`);
    await activate("admin", ofService.id);
    const ofAcme = await add("management", `${hook.url}/acme`);
    await queue();
    expect(await deliver()).toBe("sent");
    await activate("management", ofAcme.id);
    await queue();
    expect(await deliver()).toBe("sent");
    expect(hook.requests.map(({ path }) => path)).toEqual(["/service", "/acme"]);
    expect((await call("GET", "/management/v1/mail_settings")).status).toBe(404); // it is not a mail server
    const added = await call("POST", "/management/v1/email/smtp", {
      senderAddress: "mail@acme.test",
      host: new URL(server.url).host,
    });
    await activate("management", added.body.id);
    await queue();
    expect(await deliver()).toBe("sent");
    expect([server.mails.length, hook.requests.length]).toEqual([1, 2]);
    const { messages } = (await call("GET", "/management/v1/messages?limit=3")).body;
    const channels = messages.map(({ channel }: { channel: string }) => channel);
    expect(channels).toEqual(["email", "webhook", "webhook"]);
  });

  it("are retried with the same id and content after a webhook closes the connection, and sent once", async () => {
    const { id } = await add("admin");
    await activate("admin", id);
    await queue();
    expect((await latest()).channel).toBe("email"); // no attempt has chosen the webhook yet
    hook.answer = (_, response) => response.destroy();
    await deliver();
    expect(await latest()).toMatchObject({ state: "queued", channel: "webhook" });
    hook.answer = (_, response) => response.writeHead(503).end();
    service.advance(60_000);
    await deliver();
    hook.answer = (_, response) => response.writeHead(200).end("nonsense");
    service.advance(60_000);
    expect([await deliver(), await deliver()]).toEqual(["sent", "idle"]);
    expect(new Set(hook.requests.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    expect(hook.requests).toHaveLength(3);
  });

  it("are tested by a marked mail to the caller, whether the webhook is active or not", async () => {
    const { id } = await add("admin");
    const tested = await call("POST", `/admin/v1/email/${id}/_test`);
    expect(tested.body).toEqual({ recipient: ada.email, answer: "204" });
    expect(sent()).toMatchObject({
      contextInfo: { eventType: "password_change", recipientEmailAddress: ada.email },
      templateData: { subject: expect.stringMatching(/^\[Test\]/) },
    });
    hook.answer = (_, response) => response.writeHead(401).end();
    expect(refusalOf(await call("POST", `/admin/v1/email/${id}/_test`))).toMatchObject({
      id: "mail_settings.test_failed",
    });
  });

  it("show their endpoint, but never their key, and are no mail servers under the earlier names", async () => {
    const { id, signingKey } = await add("admin");
    const { body } = await call("POST", "/admin/v1/email/_search", {});
    expect(body.result).toEqual([
      expect.objectContaining({
        id,
        state: "EMAIL_PROVIDER_INACTIVE",
        description: "Ours",
        http: { endpoint: `${hook.url}/mail?key=s3cret` },
      }),
    ]);
    expect((await call("POST", "/admin/v1/smtp/_search", {})).body.result ?? []).toEqual([]);
    expect((await call("GET", `/admin/v1/smtp/${id}`)).status).toBe(404);
    const put = (more: object) => call("PUT", `/admin/v1/email/http/${id}`, { endpoint: `${hook.url}/other`, ...more });
    expect((await put({})).body).not.toHaveProperty("signingKey");
    expect((await put({ expirationSigningKey: "0s" })).body.signingKey).not.toBe(signingKey);
    const server = { senderAddress: "mail@acme.test", host: "mail.acme.test:587" };
    expect((await call("PUT", `/admin/v1/email/smtp/${id}`, server)).status).toBe(404);
    const said = JSON.stringify(await service.ctx.db.prisma.event.findMany());
    expect(said).not.toMatch(/whsec_|s3cret/);
    const rows = JSON.stringify(await service.ctx.db.prisma.emailProvider.findMany());
    expect(rows).not.toMatch(/whsec_|s3cret/);
  });

  it("cannot reach the internal network by address or name", async () => {
    const wrong: string[] = [];
    for (const endpoint of ["http://hook.acme.test/", "https://10.0.0.1/", "https://u:p@hook.acme.test/", "x", ""]) {
      const { status, body } = await call("POST", "/admin/v1/email/http", { endpoint });
      if (status !== 400 || body.details[0].field !== "endpoint") wrong.push(`${endpoint}: ${status}`);
    }
    expect(wrong).toEqual([]);
    const { id } = await add("admin", "https://hook.acme.test/");
    await activate("admin", id);
    await queue();
    expect(await deliver({ resolve: async () => ["10.0.0.7"] })).toBe("unreachable");
    expect((await latest()).lastAnswer).toBe("the name has no public address");
  });

  it("of an organization do not carry codes of users with more permissions than the author of the settings", async () => {
    const { id } = await add("management");
    await activate("management", id);
    await service.ctx.db.prisma.emailProvider.update({ where: { id }, data: { changedBy: "u-bob" } });
    service.advance(6_000);
    await queue();
    expect(await deliver()).toBe("kept"); // Ada owns the instance, which has no provider
    expect(hook.requests).toEqual([]);
  });
});
