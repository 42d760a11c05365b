import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../storage/database";
import { sweepStatement, sweeps } from "../storage/maintenance/sweep";
import { databaseKinds, testDatabase } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { authorize, errorOf, postToken, redeem, refresh, type Tokens, tokensOf, userinfo } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";
import { sweepExpired } from "./sweep";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(databaseKinds)("sweeping expired rows on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const count = async () => {
    const { grant, accessToken, session, usedAssertion } = service.ctx.db.prisma;
    const tables = [grant, accessToken, session, usedAssertion] as { count(): Promise<number> }[];
    return Promise.all(tables.map((table) => table.count()));
  };

  it("deletes nothing that is still valid", async () => {
    const browser = service.browser();
    const { access_token, refresh_token } = await tokensOf(service, browser);
    const code = (await authorize(browser)).get("code") ?? "";
    const before = await count();
    await sweepExpired(service.ctx);
    expect(await count()).toEqual(before);
    expect((await userinfo(service, access_token)).status).toBe(200);
    expect((await refresh(service, refresh_token)).status).toBe(200);
    expect((await redeem(service, code)).status).toBe(200);
  });

  it("keeps a used code while its tokens are valid, so that presenting it again still revokes them", async () => {
    const code = (await authorize(service.browser(), { scope: "openid" })).get("code") ?? "";
    const { access_token } = (await (await redeem(service, code)).json()) as Tokens;
    service.advance(HOUR - 120_000);
    await sweepExpired(service.ctx);
    expect((await errorOf(await redeem(service, code))).error).toBe("invalid_grant");
    expect((await userinfo(service, access_token)).status).toBe(401);
  });

  it("keeps a grant after its own expiry while an access token of it is valid", async () => {
    const { refresh_token } = await tokensOf(service);
    const { prisma } = service.ctx.db;
    await prisma.grant.updateMany({ data: { expiresAt: new Date(service.ctx.clock() + 1_000) } });
    const { access_token } = (await (await refresh(service, refresh_token)).json()) as Tokens;
    await prisma.grant.updateMany({ data: { expiresAt: new Date(service.ctx.clock() - 2 * HOUR) } });
    await prisma.accessToken.updateMany({ data: { expiresAt: new Date(service.ctx.clock() + 60_000) } });
    await sweepExpired(service.ctx);
    expect((await userinfo(service, access_token)).status).toBe(200);
    service.advance(10 * 60_000);
    await sweepExpired(service.ctx);
    expect((await count()).slice(0, 2)).toEqual([0, 0]);
  });

  it("deletes a code that was not redeemed in time, even if it requested a refresh token", async () => {
    const other = await testService(kind, exampleBootstrap);
    const codes = () => other.ctx.db.prisma.grant.count();
    await authorize(other.browser(), { scope: "openid offline_access" });
    await tokensOf(other);
    other.advance(HOUR / 2);
    await sweepExpired(other.ctx);
    expect(await codes()).toBe(2);
    other.advance(2 * HOUR);
    await sweepExpired(other.ctx);
    expect(await codes()).toBe(1);
    await other.close();
  });

  it("deletes in batches until nothing is left, and stops when it is aborted", async () => {
    const { prisma } = service.ctx.db;
    const expiresAt = new Date(service.ctx.clock() - DAY);
    const fill = () =>
      prisma.usedAssertion.createMany({ data: Array.from({ length: 45 }, (_, n) => ({ id: `a${n}`, expiresAt })) });
    await fill();
    expect(await sweepExpired(service.ctx, { batch: 10 })).toMatchObject({ UsedAssertion: 45 });
    await fill();
    const over = new AbortController();
    over.abort();
    await sweepExpired(service.ctx, { batch: 10, signal: over.signal });
    expect(await prisma.usedAssertion.count()).toBe(45);
    const both = await Promise.all([
      sweepExpired(service.ctx, { batch: 10 }),
      sweepExpired(service.ctx, { batch: 10 }),
    ]);
    expect(both.reduce((sum, { UsedAssertion = 0 }) => sum + UsedAssertion, 0)).toBe(45);
    expect(await prisma.usedAssertion.count()).toBe(0);
  });

  it("leaves nothing of a day's traffic after a quarter of a year", async () => {
    await tokensOf(service);
    await postToken(service, { grant_type: "authorization_code", code: "x", redirect_uri: "https://rp.test/cb" });
    service.advance(91 * DAY);
    await sweepExpired(service.ctx);
    expect(await count()).toEqual([0, 0, 0, 0]);
  });
});

describe.each(databaseKinds)("the plan of each sweep on %s", (kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await testDatabase(kind);
    // Planners read a small table without its index, so a large one is created.
    const series = (from: number, to: number) =>
      kind === "sqlite"
        ? `WITH RECURSIVE s(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM s WHERE n < ${to}) SELECT n FROM s`
        : `SELECT n FROM generate_series(${from}, ${to}) AS s(n)`;
    const at = kind === "sqlite" ? `1893456000000 + n * 1000` : `to_timestamp(1893456000 + n)`;
    for (const { table, columns, values } of rows(at)) {
      // In parts, as the time of a statement is limited.
      for (const part of [0, 1, 2, 3]) {
        const source = series(part * 5_000 + 1, (part + 1) * 5_000);
        await db.run(`INSERT INTO "${table}" (${columns}) SELECT ${values} FROM (${source}) AS r`, []);
      }
    }
    if (kind === "postgresql") await db.run(`ANALYZE`, []);
  });
  afterAll(() => db.close());

  it.each(sweeps.map((sweep) => [sweep.table, sweep] as const))("for %s uses its index", async (table, sweep) => {
    const explain = kind === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
    const { sql, values } = sweepStatement(kind, sweep, { before: Date.UTC(2030, 0, 1), limit: 500 });
    const found = await db.all<Record<string, string>>(`${explain} ${sql}`, values);
    const plan = found.map((row) => Object.values(row).join(" ")).join("\n");
    expect(plan).toContain(`${table}_${sweep.column}_idx`);
    expect(plan).not.toMatch(/Seq Scan|\bSCAN (?!x USING (COVERING )?INDEX)/);
  });
});

/** Returns rows for every table that is swept; foreign keys are empty if that is allowed. */
function rows(at: string): { table: string; columns: string; values: string }[] {
  const quoted = (names: string) =>
    names
      .split(" ")
      .map((name) => `"${name}"`)
      .join(", ");
  return [
    { table: "GivenAnswers", columns: quoted("process until"), values: `'p' || n, ${at}` },
    { table: "UsedAssertion", columns: quoted("id expiresAt"), values: `'i' || n, ${at}` },
    {
      table: "RegistrationToken",
      columns: quoted("id digest createdBy createdAt expiresAt"),
      values: `'i' || n, 'd' || n, 'u', ${at}, ${at}`,
    },
    {
      table: "ProviderSession",
      columns: quoted("id providerId subject createdAt expiresAt"),
      values: `'v' || n, 'p', 's', ${at}, ${at}`,
    },
    {
      table: "PushedRequest",
      columns: quoted("id clientId parameters expiresAt"),
      values: `'i' || n, 'c', '', ${at}`,
    },
    {
      table: "AccessToken",
      columns: quoted("id clientId scope audience createdAt expiresAt"),
      values: `'i' || n, 'c', '', '', ${at}, ${at}`,
    },
    {
      table: "DeviceAuthorization",
      columns: quoted("id userCodeDigest clientId scope createdAt expiresAt nextPollAt interval"),
      values: `'i' || n, 'u' || n, 'c', '', ${at}, ${at}, ${at}, 5`,
    },
    {
      table: "LogoutNotification",
      columns: quoted("id clientId sessionId userId createdAt nextAttemptAt attempts deliveredAt"),
      values: `'i' || n, 'c', 's' || n, 'u', ${at}, ${at}, 1, ${at}`,
    },
    {
      table: "Organization",
      columns: quoted("id name state createdAt"),
      values: `'o' || n, 'O', 'active', ${at}`,
    },
    {
      table: "User",
      columns: quoted("id organizationId kind state userName loginNameKey userNameKey validFrom createdAt changedAt"),
      values: `'u' || n, 'o1', 'human', 'active', 'u' || n, 'u' || n, 'u' || n, ${at}, ${at}, ${at}`,
    },
    {
      table: "Session",
      columns: quoted("id userAgentDigest userId authTime amr createdAt lastSeenAt expiresAt"),
      values: `'i' || n, 'd' || n, 'u' || n, ${at}, 'pwd', ${at}, ${at}, ${at}`,
    },
    {
      table: "Grant",
      columns: quoted("id clientId userId scope audience authTime amr createdAt expiresAt refreshGeneration"),
      values: `'i' || n, 'c', 'u' || n, '', '', ${at}, 'pwd', ${at}, ${at}, 0`,
    },
  ];
}
