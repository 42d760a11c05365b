/**
 * The write cost of sign-ins and codes on PostgreSQL: bytes of its write-ahead log (WAL), and whether rows are updated
 * in place (HOT), without touching an index.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../testing/example";
import { answerOf, authorize, authorizePath, redeem } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";

const TIMES = 20;
/**
 * The log belongs to the cluster, and other tests write to it at the same time, which can only add bytes. So a
 * measurement above the limit is repeated until the cluster was quiet for one sign-in.
 */
const QUIET = { timeout: 60_000, interval: 500 };
const LOG = `SELECT CAST(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS BIGINT) AS "bytes"`;
const UPDATES = `SELECT "n_tup_upd" AS "all", "n_tup_hot_upd" AS "inPlace" FROM pg_stat_user_tables WHERE "relname" = $1`;

describe("writes to PostgreSQL", () => {
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

  /** Returns the bytes of log of one repetition: the fewest of many, see `QUIET`. */
  async function logOf(work: () => Promise<unknown>): Promise<number> {
    const written = async () => (await service.ctx.db.one<{ bytes: number }>(LOG, []))?.bytes ?? 0;
    await repeated(work); // warms up pages and plans
    let fewest = Number.POSITIVE_INFINITY;
    await repeated(async () => {
      const before = await written();
      await work();
      fewest = Math.min(fewest, (await written()) - before);
    });
    return fewest;
  }

  /** Returns the updates since the last statistics. A connection reports its own after it was idle for a while. */
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

  it("are at most 4 kB of log for a sign-in by password with its code, and 1.8 kB for another code", async () => {
    await expect.poll(() => logOf(signIn), QUIET).toBeLessThan(4_000);
    expect(await logOf(signIn)).toBeGreaterThan(1_000);
    const browser = service.browser();
    await authorize(browser);
    const another = async () => redeemed(answerOf(await browser.get(authorizePath())));
    await expect.poll(() => logOf(another), QUIET).toBeLessThan(1_800);
  });

  it("do not touch the user's row at a sign-in, and update the grant in place when its code is redeemed", async () => {
    const people = () =>
      service.ctx.db.one<{ version: string }>(`SELECT MAX("ctid")::text AS "version" FROM "User"`, []);
    const before = await people();
    const { all, inPlace } = await updatesOf("Grant", signIn);
    expect(inPlace / all).toBeGreaterThan(0.8);
    expect(await people()).toEqual(before);
  });
});
