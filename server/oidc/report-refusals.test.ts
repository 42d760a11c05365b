import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processMetrics } from "../metrics/instruments";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import { basic, postToken } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";
import { flushRefusals } from "./report-refusals";

describe.each(ruleDatabases)("refusals of OAuth endpoints (rule CLIENT-10) on %s", (kind) => {
  let service: TestService;
  const lines: Record<string, unknown>[] = [];
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    service.ctx.log = pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  });
  afterAll(() => service.close());

  const events = async (aggregateId = "a-web") => {
    await flushRefusals(service.ctx);
    const where = { type: "app.request.refused", aggregateId };
    return (await service.ctx.db.prisma.event.findMany({ where, orderBy: { sequence: "asc" } })).map(
      ({ payload }) => payload as { error: string; reason: string; count: number },
    );
  };
  const wrong = () =>
    postToken(service, { grant_type: "refresh_token", refresh_token: "x" }, basic("web", `${SECRET}x`));
  const badToken = () => postToken(service, { grant_type: "refresh_token", refresh_token: "x" });
  const refusals = () => lines.filter(({ msg }) => msg === "OAuth request refused");

  it("are in the app's events once for each reason and hour, with a count", async () => {
    for (let index = 0; index < 3; index++) await wrong();
    expect(await events()).toMatchObject([{ error: "invalid_client", count: 3 }]);
    await wrong();
    await badToken();
    expect(await events()).toMatchObject([
      { error: "invalid_client", count: 4 },
      { error: "invalid_grant", count: 1 },
    ]);
    service.advance(3_600_000);
    await wrong();
    expect((await events()).map(({ count }) => count)).toEqual([4, 1, 1]);
  });

  it("are in the log with endpoint, client id, error and reason, and without the content of the request", async () => {
    lines.length = 0;
    await wrong();
    await service.fetch("/oauth/v2/introspect", { method: "POST", body: new URLSearchParams({ token: "t" }) });
    await postToken(service, { grant_type: "authorization_code", code: "x", client_id: "no-such-client" }, null);
    await service.fetch("/oidc/v1/userinfo", { headers: { authorization: "Bearer secret-token" } });
    await events();
    expect(refusals().map(({ path, clientId, error }) => [path, clientId, error])).toEqual([
      ["/oauth/v2/token", "web", "invalid_client"],
      ["/oauth/v2/introspect", undefined, expect.any(String)],
      ["/oauth/v2/token", undefined, "invalid_client"],
      ["/oidc/v1/userinfo", undefined, "invalid_token"],
    ]);
    expect(refusals().every(({ reason }) => typeof reason === "string" && reason !== "")).toBe(true);
    expect(JSON.stringify(lines)).not.toMatch(/secret-token|no-such-client/);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it("are counted by endpoint and error", async () => {
    const labels = 'endpoint="token",error="invalid_client"';
    const count = async () =>
      Number(
        (await processMetrics.metrics()).match(
          new RegExp(`identity_oauth_refusals_total\\{${labels}\\} (\\d+)`),
        )?.[1] ?? 0,
      );
    const before = await count();
    await wrong();
    expect(await count()).toBe(before + 1);
  });

  it("are limited to 50 reasons per app and hour", async () => {
    service.advance(3_600_000);
    const { prisma } = service.ctx.db;
    const before = await prisma.event.count({ where: { type: "app.request.refused", aggregateId: "a-web" } });
    const [first] = await prisma.event.findMany({ where: { type: "app.request.refused" }, take: 1 });
    for (let index = 0; index < 50; index++) {
      const { position: _, ...row } = first as NonNullable<typeof first>;
      const payload = { error: "invalid_request", reason: `reason ${index}`, count: 1 };
      const createdAt = new Date(service.ctx.clock());
      await prisma.event.create({
        data: { ...row, payload, aggregateId: "a-web", sequence: 10_000 + index, createdAt },
      });
    }
    await wrong();
    expect((await events()).length).toBe(before + 50);
  });
});
