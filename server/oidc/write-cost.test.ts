/**
 * What sign-ins and codes write to PostgreSQL: bytes of its log (WAL), and whether rows are updated in place (HOT), which
 * touches no index.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../testing/example";
import { answerOf, authorize, authorizePath, redeem } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";

const TIMES = 20;
const LOG = `SELECT CAST(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS BIGINT) AS "bytes"`;
const UPDATES = `SELECT "n_tup_upd" AS "all", "n_tup_hot_upd" AS "inPlace" FROM pg_stat_user_tables WHERE "relname" = $1`;

describe("what is written to PostgreSQL", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("postgresql", exampleBootstrap);
    return () => service.close();
  });

  const redeemed = async (answer: URLSearchParams) =>
    expect((await redeem(service, answer.get("code") ?? "")).status).toBe(200);
  const signIn = async () => redeemed(await authorize(service.browser()));

  async function repeated(work: () => Promise<unknown>): Promise<void> {
    for (let times = 0; times < TIMES; times++) await work();
  }

  /** Bytes of log for each time. */
  async function logOf(work: () => Promise<unknown>): Promise<number> {
    const written = async () => (await service.ctx.db.one<{ bytes: number }>(LOG, []))?.bytes ?? 0;
    await repeated(work); // pages and plans as they are in use
    const before = await written();
    await repeated(work);
    return Math.round(((await written()) - before) / TIMES);
  }

  /** Updates since the last statistics; a connection adds its own once it was idle for a while. */
  async function updatesOf(table: string, work: () => Promise<unknown>): Promise<{ all: number; inPlace: number }> {
    const counted = async () => (await service.ctx.db.one<{ all: number; inPlace: number }>(UPDATES, [table])) ?? never;
    const never = { all: 0, inPlace: 0 };
    const before = await counted();
    await repeated(work);
    const since = async () => (await counted()).all - before.all;
    await expect.poll(since, { timeout: 30_000, interval: 500 }).toBeGreaterThanOrEqual(TIMES);
    const after = await counted();
    return { all: after.all - before.all, inPlace: after.inPlace - before.inPlace };
  }

  it("is at most 4 kB of log for a sign-in by password with its code, and 1.8 kB for a further code", async () => {
    expect(await logOf(signIn)).toBeLessThan(4_000);
    const browser = service.browser();
    await authorize(browser);
    expect(await logOf(async () => redeemed(answerOf(await browser.get(authorizePath()))))).toBeLessThan(1_800);
  });

  it("leaves the person's row alone at a sign-in, and changes that of the grant in place when its code is redeemed", async () => {
    const people = () =>
      service.ctx.db.one<{ version: string }>(`SELECT MAX("ctid")::text AS "version" FROM "User"`, []);
    const before = await people();
    const { all, inPlace } = await updatesOf("Grant", signIn);
    expect(inPlace / all).toBeGreaterThan(0.8);
    expect(await people()).toEqual(before);
  });
});
