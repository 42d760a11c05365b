import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { record } from "../events/record";
import { deliverNext } from "../mail/deliver";
import { openMailRoutes } from "../mail/routes";
import { passwordReset } from "../message-types/passwordreset";
import { ruleDatabases } from "../testing/database";
import { personTokens } from "../testing/exchange";
import { type TestService, testService } from "../testing/test-context";
import { SERVICE_SCOPE, tokenBootstrap } from "../testing/token-example";

describe.each(ruleDatabases)("the mail page's addresses, on %s", (kind) => {
  let service: TestService;
  let ids: string[];
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
    for (const user of ["ada", "boss", "eve"]) {
      tokens[user] = (await personTokens(service, { user, scope: `openid ${SERVICE_SCOPE}` })).access_token;
    }
    const { ctx } = service;
    const ada = await ctx.db.prisma.user.findFirstOrThrow({ where: { passwordHash: { not: null } } });
    for (const organizationId of [ada.organizationId, "elsewhere"]) {
      const to = { id: ada.id, organizationId, email: "ada@acme.test", isEmailVerified: true };
      const code = { code: "K7M4PX2Q", path: "/login/reset-password", expiresAt: ctx.clock() + 3_600_000 };
      await record(
        { ...ctx, origin: { actor: "system" } },
        {
          type: "user.locked",
          object: { id: ada.id, organizationId },
          state: async () => ({ messages: passwordReset(ctx, to, code) }),
        },
      );
      await deliverNext(ctx, openMailRoutes(ctx));
    }
    const rows = await ctx.db.prisma.outboxMessage.findMany({ orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
    ids = rows.map(({ id }) => id);
  });
  afterAll(() => service.close());

  async function send(user: string | undefined, path: string, init: RequestInit = {}) {
    const headers = { ...init.headers, ...(user && { authorization: `Bearer ${tokens[user]}` }) };
    const response = await service.fetch(path, { ...init, headers: headers as Record<string, string> });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  }

  it("lists page by page, for callers who may read users there", async () => {
    const first = await send("ada", "/admin/v1/messages?limit=1");
    expect(first).toMatchObject({ status: 200, body: { messages: [{ id: ids[0], state: "kept", attempts: 1 }] } });
    const second = await send("ada", `/admin/v1/messages?limit=1&pageToken=${first.body.nextPageToken}`);
    expect(second.body).toMatchObject({ messages: [{ id: ids[1], recipient: "ada@acme.test" }] });
    expect((await send("boss", "/management/v1/messages")).status).toBe(200);
    expect((await send("boss", "/admin/v1/messages")).status).toBe(403);
    expect((await send("eve", "/management/v1/messages")).status).toBe(403);
    expect((await send(undefined, "/admin/v1/messages")).status).toBe(401);
  });

  it("shows messages only to managers of the instance, and codes in no list", async () => {
    const whole = await send("ada", `/admin/v1/messages/${ids[1]}`);
    expect(whole.body).toMatchObject({ message: { letter: { text: expect.stringContaining("K7M4PX2Q") } } });
    const list = await send("ada", "/admin/v1/messages");
    expect(JSON.stringify(list.body)).not.toMatch(/K7M4PX2Q|letter|sealed/);
    const lesser = await send("boss", `/management/v1/messages/${ids[1]}`);
    expect(JSON.stringify(lesser.body)).not.toMatch(/K7M4PX2Q|"letter"/);
  });

  it("finds no message of another organization", async () => {
    const foreign = await send("ada", `/management/v1/messages/${ids[0]}`);
    const unknown = await send("ada", "/management/v1/messages/unknown");
    expect(foreign).toEqual(unknown);
    expect(foreign.status).toBe(404);
    expect(
      (await send("boss", "/management/v1/messages", { headers: { "x-service-orgid": "elsewhere" } })).status,
    ).toBe(403);
  });

  it("finds only messages of the own organization, with any filter", async () => {
    const found = async (who: string, path: string) => {
      const { body } = await send(who, path);
      return (body as { messages?: unknown[] }).messages?.length;
    };
    expect(await found("ada", "/admin/v1/messages?recipient=ADA&state=kept&type=passwordreset")).toBe(2);
    expect(await found("ada", "/admin/v1/messages?organizationId=elsewhere")).toBe(1);
    expect(await found("ada", "/admin/v1/messages?from=2999-01-01T00:00:00Z")).toBe(0);
    expect(await found("boss", "/management/v1/messages?organizationId=elsewhere")).toBe(
      await found("boss", "/management/v1/messages"),
    );
  });

  it.each([
    ...["limit=0", "limit=201", "limit=x", "pageToken=x", "pageToken=W10", "pageToken=WzFlOTksIngiXQ"],
    ...["state=lost", "type=none", "recipient=", "from=yesterday", "to=1"],
  ])("refuses ?%s", async (query) => {
    expect(await send("ada", `/admin/v1/messages?${query}`)).toMatchObject({ status: 400, body: { code: 3 } });
  });

  it("sends only failed messages again", async () => {
    const retry = () => send("ada", `/admin/v1/messages/${ids[1]}/_retry`, { method: "POST" });
    expect((await retry()).status).toBe(400);
    await service.ctx.db.prisma.outboxMessage.updateMany({ data: { state: "failed" } });
    expect(await retry()).toEqual({ status: 200, body: {} });
  });

  it("sets, shows and removes an organization's mail settings", async () => {
    const settings = (method: string, body?: object) =>
      send("ada", "/management/v1/mail_settings", {
        method,
        headers: { "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
    const given = { smtpUrl: "smtps://mailer:secret@mail.acme.test", sender: "ACME <mail@acme.test>" };
    expect((await settings("GET")).status).toBe(404);
    expect((await settings("PUT", given)).body).toMatchObject({ details: { sequence: expect.any(String) } });
    const shown = await settings("GET");
    expect(shown.body).toEqual({
      mailSettings: { host: "mail.acme.test", user: "mailer", hasPassword: true, sender: "ACME <mail@acme.test>" },
    });
    for (const smtpUrl of ["http://x", "mail.acme.test", "smtp://", "25"]) {
      expect(await settings("PUT", { ...given, smtpUrl })).toMatchObject({
        status: 400,
        body: { details: [{ id: "mail_settings.invalid", field: "smtpUrl" }] },
      });
    }
    expect((await send("eve", "/management/v1/mail_settings")).status).toBe(403);
    expect((await settings("DELETE")).status).toBe(200);
    expect((await settings("DELETE")).status).toBe(404);
  });
});
