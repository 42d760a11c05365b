import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { record } from "../events/record";
import { phoneVerification } from "../message-types/verifyphone";
import { countMessages } from "../storage/message/outbox-log";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { type PhoneGateway, type ReceivedRequest, startPhoneGateway } from "../testing/phone-gateway";
import { type TestService, testService } from "../testing/test-context";
import { deliverNext } from "./deliver";
import { type MailRoutesOptions, openMailRoutes } from "./routes";
import { testSmsProvider } from "./test-sms";

const ada = { id: "u-ada", organizationId: "acme", phone: "+15551234567" };
const CODE = "K7M4-PX2Q";
const TWILIO = { sid: "AC0123456789abcdef", token: "s3cret-t0ken", senderNumber: "+15550001111" };

describe.each(ruleDatabases)("providers of text messages, on %s", (kind) => {
  let service: TestService;
  let token: string;
  let gateway: PhoneGateway;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    gateway = await startPhoneGateway();
  });
  afterEach(async () => {
    await service.ctx.db.prisma.smsProvider.deleteMany();
    await service.ctx.db.prisma.outboxMessage.deleteMany();
    await service.ctx.db.prisma.throttle.deleteMany();
    service.advance(6_000); // skips cache lifetimes after deletions
    gateway.requests.length = 0;
    gateway.answer = undefined;
  });
  afterAll(async () => {
    await gateway.stop();
    await service.close();
  });

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const add = async (path: string, body: object): Promise<{ id: string; signingKey: string }> => {
    const { status, body: answer } = await call("POST", path, body);
    expect([status, answer]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
    return answer;
  };
  const activate = (level: string, id: string) => call("POST", `/${level}/v1/sms/${id}/_activate`);

  const queue = () => {
    const ctx = { ...service.ctx, origin: { actor: "system" } };
    const messages = [phoneVerification(ctx, ada, { code: CODE, expiresAt: ctx.clock() + 3_600_000 })];
    const object = { id: "u-ada", organizationId: "acme" };
    return record(ctx, { type: "user.locked", object, state: async () => ({ messages }) });
  };
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

  it("keep messages with their code if no provider is active, as mails are kept", async () => {
    await queue();
    expect(await deliver()).toBe("kept");
    const { letter, ...message } = await latest();
    expect(message).toMatchObject({ type: "verifyphone", state: "kept", recipient: ada.phone, channel: "sms" });
    expect(letter).toMatchObject({ channel: "sms", html: "", text: expect.stringContaining(CODE) });
    expect(message.subject).not.toContain(CODE);
  });

  it("send by Twilio's own API once they are activated: the organization's before the service's", async () => {
    const ofService = await add("/admin/v1/sms/twilio", { ...TWILIO, baseUrl: gateway.url });
    await activate("admin", ofService.id);
    const own = { ...TWILIO, senderNumber: "ACME", baseUrl: `${gateway.url}/eu/` };
    const ofAcme = await add("/management/v1/sms/twilio", own);
    await queue();
    expect(await deliver()).toBe("sent");
    await activate("management", ofAcme.id);
    await queue();
    expect(await deliver()).toBe("sent");
    expect(gateway.requests.map(({ path }) => path)).toEqual([
      `/2010-04-01/Accounts/${TWILIO.sid}/Messages.json`,
      `/eu/2010-04-01/Accounts/${TWILIO.sid}/Messages.json`,
    ]);
    const basic = `Basic ${Buffer.from(`${TWILIO.sid}:${TWILIO.token}`).toString("base64")}`;
    expect(gateway.requests[0]?.headers).toMatchObject({
      authorization: basic,
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(gateway.texts()).toEqual([
      { to: ada.phone, from: TWILIO.senderNumber, text: expect.stringContaining(CODE) },
      { to: ada.phone, from: "ACME", text: expect.stringContaining(CODE) },
    ]);
    const { letter, lastAnswer } = await latest();
    expect([lastAnswer, letter.text.includes(CODE)]).toEqual(["201 queued SM0123456789", false]);
    await call("POST", `/management/v1/sms/${ofAcme.id}/_deactivate`);
    await call("DELETE", `/admin/v1/sms/${ofService.id}`);
    await queue();
    expect(await deliver()).toBe("kept");
  });

  it("of an organization do not carry codes of users with more permissions than the author of the settings", async () => {
    const ofService = await add("/admin/v1/sms/twilio", { ...TWILIO, baseUrl: gateway.url });
    await activate("admin", ofService.id);
    const ofAcme = await add("/management/v1/sms/twilio", { ...TWILIO, senderNumber: "ACME", baseUrl: gateway.url });
    await activate("management", ofAcme.id);
    // Ada owns the instance; Bob, who has no role, has set the provider.
    await service.ctx.db.prisma.smsProvider.update({ where: { id: ofAcme.id }, data: { changedBy: "u-bob" } });
    service.advance(6_000);
    await queue();
    expect(await deliver()).toBe("sent");
    expect(gateway.texts().map(({ from }) => from)).toEqual([TWILIO.senderNumber]);
  });

  it("call a webhook with requests that its key verifies", async () => {
    const { id, signingKey } = await add("/admin/v1/sms/http", {
      endpoint: `${gateway.url}/hook`,
      description: "Ours",
    });
    await activate("admin", id);
    await queue();
    gateway.answer = (_, response) => response.writeHead(204).end();
    expect(await deliver()).toBe("sent");
    const { body, headers }: ReceivedRequest = gateway.requests[0] ?? { path: "", body: "", headers: {} };
    const { id: messageId, channel } = await latest();
    expect([channel, headers["webhook-id"]]).toEqual(["webhook", messageId]);
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    expect(new Webhook(signingKey).sign(messageId, at, body)).toBe(headers["webhook-signature"]);
    expect(JSON.parse(body)).toEqual({
      contextInfo: {
        eventType: "verifyphone",
        provider: { id, description: "Ours" },
        recipientPhoneNumber: ada.phone,
      },
      templateData: { text: expect.stringContaining(CODE) },
      args: { code: CODE },
    });
    const put = (body: object) => call("PUT", `/admin/v1/sms/http/${id}`, body);
    expect((await put({ endpoint: `${gateway.url}/other` })).body).not.toHaveProperty("signingKey");
    const rotated = (await put({ endpoint: `${gateway.url}/other`, expirationSigningKey: "0s" })).body.signingKey;
    expect([rotated, rotated === signingKey]).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/), false]);
  });

  it("fail, wait or send depending on the response, each as a visible attempt", async () => {
    const { id } = await add("/admin/v1/sms/twilio", { ...TWILIO, baseUrl: gateway.url });
    await activate("admin", id);
    const wrong: string[] = [];
    const says = (status: number, body = "") => {
      gateway.answer = (_, response) => response.writeHead(status, { location: "http://10.0.0.1/" }).end(body);
    };
    const error = JSON.stringify({ code: 21211, message: "Invalid 'To'\r\nPhone Number" });
    for (const [status, body, outcome, answer] of [
      [400, error, "failed", "400 21211 Invalid 'To' Phone Number"],
      [401, "<html>", "failed", "401"],
      [429, "", "postponed", "429"],
      [503, "[]", "postponed", "503"],
      [302, "", "postponed", "302"],
      [201, "{}", "sent", "201"],
      [200, "<html>welcome", "postponed", "200, but no message was created: the answer is not Twilio's"],
      [
        200,
        JSON.stringify({ sid: "SM1".padEnd(20_000, "x") }),
        "postponed",
        "200, but no message was created: the answer is not Twilio's",
      ],
    ] as const) {
      says(status, body);
      await queue();
      const found = await deliver();
      const { lastAnswer, attempts } = await latest();
      if (found !== outcome || lastAnswer !== answer || attempts !== 1) {
        wrong.push(`${status} ${body.slice(0, 20)}: ${found}, ${lastAnswer}, ${attempts} attempts`);
      }
      await service.ctx.db.prisma.outboxMessage.deleteMany();
    }
    expect(wrong).toEqual([]);
    expect(gateway.requests).toHaveLength(8); // no redirect was followed
  });

  it("are retried with the same id, and never after an acceptance", async () => {
    const { id } = await add("/admin/v1/sms/http", { endpoint: gateway.url });
    await activate("admin", id);
    await queue();
    gateway.answer = (_, response) => response.destroy();
    expect([await deliver(), await deliver()]).toEqual(["postponed", "idle"]);
    gateway.answer = (_, response) => response.writeHead(200).end("nonsense");
    service.advance(10_000);
    expect([await deliver(), await deliver()]).toEqual(["sent", "idle"]);
    expect(new Set(gateway.requests.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    expect(gateway.requests).toHaveLength(2);
    expect((await countMessages(service.ctx.db)).byState).toMatchObject({ sent: 1, queued: 0 });
  });

  it("resend failed messages on request", async () => {
    const { id } = await add("/admin/v1/sms/twilio", { ...TWILIO, baseUrl: gateway.url });
    await activate("admin", id);
    gateway.answer = (_, response) => response.writeHead(401).end();
    await queue();
    expect(await deliver()).toBe("failed");
    gateway.answer = undefined;
    const { id: messageId } = await latest();
    expect((await call("POST", `/admin/v1/messages/${messageId}/_retry`)).status).toBe(200);
    expect(await deliver()).toBe("sent");
    expect(gateway.texts().at(-1)?.text).toContain(CODE);
  });

  it("cannot reach the internal network by name", async () => {
    const { id } = await add("/admin/v1/sms/http", { endpoint: "https://hook.acme.test/" });
    await activate("admin", id);
    await queue();
    expect(await deliver({ resolve: async () => ["10.0.0.7"] })).toBe("postponed");
    expect((await latest()).lastAnswer).toBe("the name has no public address");
  });

  it("never return a secret, nor send it to another server", async () => {
    const { id } = await add("/admin/v1/sms/twilio", { ...TWILIO, baseUrl: gateway.url });
    const { token: _, ...without } = TWILIO;
    const put = (body: object) => call("PUT", `/admin/v1/sms/twilio/${id}`, body);
    expect((await put({ ...without, baseUrl: gateway.url, description: "The same place" })).status).toBe(200);
    expect(refusalOf(await put(without))).toMatchObject({ status: 400, id: "sms_provider.invalid" });
    expect((await call("PUT", `/admin/v1/sms/twilio/${id}/token`, { token: "n3w-t0ken" })).status).toBe(200);
    await activate("admin", id);
    await queue();
    expect(await deliver()).toBe("sent");
    const basic = gateway.requests[0]?.headers.authorization?.slice("Basic ".length) ?? "";
    expect(Buffer.from(basic, "base64").toString()).toBe(`${TWILIO.sid}:n3w-t0ken`);
    const hook = await add("/admin/v1/sms/http", { endpoint: gateway.url });
    const found = await call("POST", "/admin/v1/sms/_search", {});
    expect(found.body.result).toMatchObject([
      { state: "SMS_PROVIDER_CONFIG_ACTIVE", twilio: { sid: TWILIO.sid, baseUrl: gateway.url } },
      { state: "SMS_PROVIDER_CONFIG_INACTIVE", http: { endpoint: gateway.url } },
    ]);
    expect((await call("GET", `/admin/v1/sms/${id}`)).body.config.id).toBe(id);
    const said = JSON.stringify([await service.ctx.db.prisma.event.findMany(), found.body]);
    expect(said).not.toMatch(/t0ken|whsec_/);
    expect(said).not.toContain(hook.signingKey.slice(6));
  });

  it("are refused with values for network scans or injection, and nothing changes", async () => {
    const wrong: string[] = [];
    const refused = async (path: string, body: unknown) => {
      const { status } = await call("POST", path, body);
      if (status !== 400) wrong.push(`${path} ${JSON.stringify(body)}: ${status}`);
    };
    for (const part of [
      ...[{ sid: "../x" }, { sid: "" }, { sid: 5 }, { token: "a\nb" }, { token: "" }, { token: undefined }],
      ...[{ senderNumber: "" }, { senderNumber: "twelve chars" }, { senderNumber: "+1" }, { senderNumber: "A<b>" }],
      ...[{ baseUrl: "http://api.twilio.test" }, { baseUrl: "https://10.0.0.1" }, { baseUrl: "https://a.test/?x=y" }],
      ...[{ baseUrl: "https://u:p@a.test" }, { baseUrl: "file:///etc/passwd" }, { verifyServiceSid: "VA1" }],
    ]) {
      await refused("/admin/v1/sms/twilio", { ...TWILIO, ...part });
    }
    for (const endpoint of ["", "x", "http://a.test", "https://192.168.0.1/", "https://a.test/#b", null]) {
      await refused("/management/v1/sms/http", { endpoint });
    }
    for (const body of [undefined, null, [], "x"]) await refused("/admin/v1/sms/http", body);
    expect(wrong).toEqual([]);
    for (const [method, path] of [
      ["GET", "sms/x"],
      ["GET", "sms"],
      ["POST", "sms/x/_activate"],
      ["POST", "sms/x/_deactivate"],
      ["POST", "sms/x/_test"],
      ["DELETE", "sms/x"],
    ] as const) {
      const { status } = await call(method, `/management/v1/${path}`);
      if (status !== 404) wrong.push(`${method} ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it("are tested by a marked message to a number", async () => {
    const { id } = await add("/management/v1/sms/twilio", { ...TWILIO, baseUrl: gateway.url });
    const test = (body?: unknown) => call("POST", `/management/v1/sms/${id}/_test`, body);
    expect(await test()).toMatchObject({ status: 200, body: { recipient: "+441234567890" } });
    expect(await test({ recipientPhoneNumber: "+15559876543" })).toMatchObject({
      status: 200,
      body: { recipient: "+15559876543", answer: "201 queued SM0123456789" },
    });
    expect(gateway.texts()[0]?.text).toMatch(/^\[Test\] /);
    expect(refusalOf(await test({ recipientPhoneNumber: "555" })).id).toBe("sms_provider.invalid");
    gateway.answer = () => {};
    const caller = { userId: "u-ada", organizationId: "acme", clientId: "web" };
    const owner = { level: "organization", ownerId: "acme" } as const;
    const request = { owner, providerId: id, body: { recipientPhoneNumber: "+15559876543" } };
    const silent = await testSmsProvider(service.ctx, caller, request, { timeout: 100 });
    expect(silent).toMatchObject({
      id: "sms_provider.test_failed",
      message: expect.stringContaining("no answer within"),
    });
  });
});
