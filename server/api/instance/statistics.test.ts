import { afterAll, beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { newId } from "../../crypto/random";
import { flushAttempts } from "../../directory/sign-in-attempt/batch";
import { type AttemptRow, writeAttempts } from "../../storage/sign-in/attempts";
import { apiToken, callApi } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const CLIENT_ID = "web";
const DAY = 86_400_000;
const { version } = packageJson;

const elsewhere = { organizationId: "elsewhere" };

/** A row for an attempt of an unknown user at an app of the example. */
function attempt({ ctx }: TestService, reason: AttemptRow["reason"], more: Partial<AttemptRow>): AttemptRow {
  const at = ctx.clock();
  const unknown = { userId: null, flowOrganizationId: null, loginName: null, nameDigest: null, address: null };
  const row = { id: newId(), createdAt: at, lastAt: at, count: 1, reason, organizationId: "acme", ...unknown };
  return { ...row, clientId: CLIENT_ID, device: null, detail: null, ...more };
}

describe.each(databaseKinds)("statistics of the service on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, { organizations: [acme, { id: "elsewhere", name: "Elsewhere" }] });
  });
  afterAll(() => service.close());

  it("counts objects by day, storage and versions, with new ones within a minute", async () => {
    await apiToken(service, "bob@acme.test");
    service.advance(2 * DAY);
    const token = await apiToken(service);
    const get = async (path: string, headers = {}) => (await callApi(service, "GET", path, { token, headers })).body;
    const all = await get("/admin/v1/statistics");
    expect(all.counts).toEqual({ organizations: 2, users: 2, projects: 1, apps: 6, userGrants: 0, livingSessions: 1 });
    expect(all.signIns).toHaveLength(30);
    expect(all.signIns.at(-1)).toEqual({
      date: new Date(service.ctx.clock()).toISOString().slice(0, 10),
      count: 1,
      failed: 0,
    });
    expect(all.signIns.at(-2).count).toBe(0);
    expect(all.signIns.at(-3).count).toBe(1);
    expect(all.storage.bytes).toBeGreaterThan(100_000);
    expect(all.storage.tables.map(({ name }: { name: string }) => name)).toContain("Session");
    expect(all.storage.bytesPerSession).toBeGreaterThan(50);
    expect(all.storage.bytesPerEvent).toBeGreaterThan(50);
    expect(all.storage.bytesPerMessage).toBeUndefined(); // none was queued
    expect(all.service).toMatchObject({
      version,
      database: kind,
      migrations: { applied: expect.any(Number) },
    });
    expect(all.service.certificateExpirationDate).toBeUndefined(); // a proxy does TLS
    const untilRotation = Date.parse(all.service.nextKeyRotationDate) - service.ctx.clock();
    expect(Math.round(untilRotation / DAY)).toBe(90 - 2);

    const ours = await get("/management/v1/statistics");
    expect(ours.counts).toEqual({ users: 2, projects: 1, apps: 6, userGrants: 0, livingSessions: 1 });
    const theirs = await get("/management/v1/statistics", { "x-service-orgid": "elsewhere" });
    expect(theirs.counts).toEqual({ users: 0, projects: 0, apps: 0, userGrants: 0, livingSessions: 0 });
    expect(theirs.signIns.every(({ count }: { count: number }) => count === 0)).toBe(true);

    await writeAttempts(service.ctx.db, [attempt(service, "wrong_password", { count: 3 })]);
    await flushAttempts(service.ctx); // the two who signed in
    await writeAttempts(service.ctx.db, [attempt(service, "unknown_client", { clientId: "gone", ...elsewhere })]);
    service.advance(61_000);
    expect((await get("/admin/v1/statistics")).signIns.at(-1)).toMatchObject({ count: 1, failed: 4 });
    const after = await get("/management/v1/statistics");
    expect(after.signIns.at(-1)).toMatchObject({ count: 1, failed: 3 });
    const wrong = [{ reason: "wrong_password", today: 3, before: 0 }];
    const expiringBy = { apps: 0, machines: 0, identityProviders: 0 };
    const none = { lockedOut: 0, waitingDrafts: 0, expiringCredentials: 0, expiringBy };
    const failedMessages = { email: 0, sms: 0, webhook: 0 };
    expect(after.attention).toEqual({ failures: wrong, failedMessages, ...none });
    expect(after.apps).toEqual([{ clientId: CLIENT_ID, name: `App ${CLIENT_ID}`, signedIn: 2, failed: 3 }]);
    expect((await get("/management/v1/statistics", { "x-service-orgid": "elsewhere" })).apps).toEqual([
      { clientId: "gone", signedIn: 0, failed: 1 },
    ]);

    const { id, createdAt } = { id: "m-1", createdAt: new Date(service.ctx.clock()) };
    await service.ctx.db.prisma.outboxMessage.create({
      data: {
        id,
        type: "init",
        organizationId: "acme",
        recipient: "a@acme.test",
        payload: {},
        createdAt,
        attempts: 0,
        state: "failed",
        nextAttemptAt: createdAt,
      },
    });
    expect((await get("/management/v1/statistics")).mail.at(-1)).toMatchObject({ failed: 0 });
    service.advance(61_000);
    expect((await get("/management/v1/statistics")).mail.at(-1)).toMatchObject({ failed: 1, sent: 0 });
  });

  it("counts what needs attention: failures by reason, users who wait, drafts, and credentials that expire", async () => {
    service.advance(14 * DAY);
    const { ctx } = service;
    const now = ctx.clock();
    const ofLastWeek = { createdAt: now - 7 * DAY, count: 4 };
    const rows = [
      attempt(service, "wrong_password", ofLastWeek),
      attempt(service, "wrong_password", { createdAt: now - 5 * DAY, count: 9 }),
      attempt(service, "throttled", { userId: "u-ada", count: 2 }),
      attempt(service, "locked_out", { userId: "u-ada", count: 2 }),
    ];
    for (const row of rows) await writeAttempts(ctx.db, [row]);
    const token = await apiToken(service);
    const app = await ctx.db.prisma.app.findFirstOrThrow();
    const keyOf = (id: string, days: number) => ({
      id,
      appId: app.id,
      publicJwk: {},
      createdAt: new Date(now),
      expiresAt: new Date(now + days * DAY),
    });
    await ctx.db.prisma.appKey.createMany({ data: [keyOf("soon", 29), keyOf("later", 31)] });
    const samlOf = (id: string, days: number) => ({
      ...{ id, ownerId: "acme", kind: "saml", name: id, state: "active", settings: {}, options: {} },
      ...{ createdAt: new Date(now), changedAt: new Date(now), certificateExpiresAt: new Date(now + days * DAY) },
    });
    await ctx.db.prisma.identityProvider.createMany({ data: [samlOf("saml-soon", 29), samlOf("saml-later", 31)] });
    const read = async (path: string, headers = {}) => (await callApi(service, "GET", path, { token, headers })).body;
    const { attention } = await read("/management/v1/statistics");
    expect(attention.failures).toEqual([
      { reason: "locked_out", today: 2, before: 0 },
      { reason: "throttled", today: 2, before: 0 },
      { reason: "wrong_password", today: 0, before: 4 },
    ]);
    const expiringBy = { apps: 1, machines: 0, identityProviders: 1 };
    expect(attention).toMatchObject({ lockedOut: 1, expiringCredentials: 2, expiringBy });
    const theirs = await read("/management/v1/statistics", { "x-service-orgid": "elsewhere" });
    expect(theirs.attention).toMatchObject({ lockedOut: 0, expiringCredentials: 0 });
    expect((await read("/admin/v1/statistics")).attention).toMatchObject({ lockedOut: 1, expiringCredentials: 2 });
  });

  it("counts failed messages of yesterday and today by how they were sent, and lists them", async () => {
    service.advance(5 * DAY);
    const { ctx } = service;
    const midnight = Math.floor(ctx.clock() / DAY) * DAY;
    const failures = [
      ["email", "acme", midnight],
      // As an earlier release writes them.
      [null, "acme", midnight - DAY],
      // As a later one may write them.
      ["pigeon", "acme", midnight - DAY],
      ["webhook", "acme", midnight - DAY],
      ["webhook", "elsewhere", midnight],
      ["webhook", "acme", midnight - DAY - 1],
    ] as const;
    const common = { type: "init", recipient: "a@acme.test", payload: {}, attempts: 1, state: "failed" };
    const data = failures.map(([channel, organizationId, at], index) => ({
      ...{ ...common, id: `failed-${index}`, channel, organizationId },
      ...{ createdAt: new Date(at), nextAttemptAt: new Date(at) },
    }));
    await ctx.db.prisma.outboxMessage.createMany({ data });
    const token = await apiToken(service);
    const read = async (path: string) => (await callApi(service, "GET", path, { token })).body;
    const failed = async (path: string) => (await read(`${path}/statistics`)).attention.failedMessages;
    expect(await failed("/management/v1")).toEqual({ email: 3, sms: 0, webhook: 1 });
    expect(await failed("/admin/v1")).toEqual({ email: 3, sms: 0, webhook: 2 });
    const from = new Date(midnight - DAY).toISOString();
    const listed = async (channel: string) => {
      const { messages } = await read(`/management/v1/messages?state=failed&channel=${channel}&from=${from}`);
      return messages.map(({ id, channel: told }: { id: string; channel?: string }) => [id, told]);
    };
    expect(await listed("email")).toEqual([
      ["failed-0", "email"],
      ["failed-1", undefined],
    ]);
    expect(await listed("webhook")).toEqual([["failed-3", "webhook"]]);
    expect((await callApi(service, "GET", "/management/v1/messages?channel=pigeon", { token })).status).toBe(400);
  });

  it("counts days of the requested time zone", async () => {
    service.advance(5 * DAY);
    const { ctx } = service;
    const ahead = 5.5 * 3_600_000; // India has one time all year
    const midnight = Math.floor((ctx.clock() + ahead) / DAY) * DAY - ahead;
    for (const [createdAt, count] of [[midnight - 1, 2] as const, [midnight, 5] as const]) {
      await writeAttempts(ctx.db, [attempt(service, "wrong_password", { createdAt, count, ...elsewhere })]);
    }
    const mailed = { type: "init", recipient: "a@acme.test", payload: {}, attempts: 0, ...elsewhere };
    for (const [state, at] of [["failed", midnight - 1] as const, ["sent", midnight] as const]) {
      const createdAt = new Date(at);
      await ctx.db.prisma.outboxMessage.create({
        data: { id: `zone-${state}`, ...mailed, state, createdAt, nextAttemptAt: createdAt },
      });
    }
    const token = await apiToken(service);
    const asked = (query: string) =>
      callApi(service, "GET", `/management/v1/statistics${query}`, {
        token,
        headers: { "x-service-orgid": "elsewhere" },
      });
    const { body } = await asked("?timeZone=Asia%2FKolkata");
    const dates = [midnight - DAY, midnight].map((at) => new Date(at + ahead).toISOString().slice(0, 10));
    expect(body.signIns.slice(-2)).toEqual([
      { date: dates[0], count: 0, failed: 2 },
      { date: dates[1], count: 0, failed: 5 },
    ]);
    expect(body.signIns).toHaveLength(30);
    const none = { queued: 0, kept: 0, expired: 0 };
    expect(body.mail.slice(-2)).toEqual([
      { date: dates[0], ...none, failed: 1, sent: 0 },
      { date: dates[1], ...none, failed: 0, sent: 1 },
    ]);
    // The two lie 1 ms apart, in the evening of a day in UTC.
    const utc = (await asked("")).body.signIns.filter(({ failed }: { failed: number }) => failed === 7);
    expect(utc).toEqual([{ date: dates[0], count: 0, failed: 7 }]);
    expect((await asked("?timeZone=Mars")).status).toBe(400);
  });
});
