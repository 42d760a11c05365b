import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registrationProject } from "../directory/app/registration-project";
import { databaseKinds } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { type TestService, testService } from "../testing/test-context";
import { sweepExpired } from "./sweep";

/** More than two batches. */
const ABANDONED = 1_200;
const BATCH = 500;

describe.each(databaseKinds)("abandoned registrations on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    const { projectId } = await registrationProject(service.ctx);
    await abandon(service, projectId, ABANDONED);
  });
  afterAll(() => service.close());

  it("are deleted in transactions of bounded size, with everything that is kept about them", async () => {
    const { db } = service.ctx;
    const rows = async () => ({
      ...(await db.one<object>(`SELECT COUNT(*) AS "apps" FROM "App" WHERE "clientId" LIKE 'flood-%'`, [])),
      ...(await db.one<object>(`SELECT COUNT(*) AS "secrets" FROM "AppSecret" WHERE "appId" LIKE 'flood-%'`, [])),
      ...(await db.one<object>(`SELECT COUNT(*) AS "ids" FROM "ClaimedIdentifier" WHERE "key" LIKE 'flood-%'`, [])),
      ...(await db.one<object>(`SELECT COUNT(*) AS "objects" FROM "Aggregate" WHERE "id" LIKE 'flood-%'`, [])),
      ...(await db.one<object>(`SELECT COUNT(*) AS "events" FROM "Event" WHERE "aggregateId" LIKE 'flood-%'`, [])),
    });
    const [all, none] = [ABANDONED, 0].map((n) => ({ apps: n, secrets: n, ids: n, objects: n, events: n }));
    expect(numbers(await rows())).toEqual(all);
    let transactions = 0;
    const transaction = db.transaction.bind(db);
    db.transaction = (work, options) => {
      transactions++;
      return transaction(work, options);
    };
    const deleted = await sweepExpired(service.ctx, { batch: BATCH });
    db.transaction = transaction;
    expect(deleted.App).toBe(ABANDONED);
    expect(transactions).toBe(Math.floor(ABANDONED / BATCH) + 1);
    expect(numbers(await rows())).toEqual(none);
  });
});

const numbers = (found: object) => Object.fromEntries(Object.entries(found).map(([name, n]) => [name, Number(n)]));

/** Stores clients as their registration does, but many at once; all of them expired a minute ago. */
async function abandon({ ctx }: TestService, projectId: string, count: number): Promise<void> {
  const { db } = ctx;
  const series =
    db.kind === "sqlite"
      ? `WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s`
      : `SELECT n FROM generate_series(1, ${count}) AS s(n)`;
  const at = (time: number) => (db.kind === "sqlite" ? String(time) : `to_timestamp(${time / 1000})`);
  const [created, expired] = [at(ctx.clock() - 31 * 86_400_000), at(ctx.clock() - 60_000)];
  const json = (text: string) => (db.kind === "sqlite" ? `'${text}'` : `'${text}'::jsonb`);
  const columns = (names: string) =>
    names
      .split(" ")
      .map((name) => `"${name}"`)
      .join(", ");
  const id = `'flood-' || n`;
  for (const [table, names, values] of [
    [
      "App",
      "id projectId name state kind clientId settings isTrusted mayManage createdAt changedAt",
      `${id}, '${projectId}', 'Tool', 'active', 'oidc', ${id}, ${json("{}")}, FALSE, FALSE, ${created}, ${created}`,
    ],
    ["AppSecret", "id appId digest createdAt", `${id}, ${id}, 'd', ${created}`],
    [
      "ClientRegistration",
      "appId kind metadata createdAt expiresAt",
      `${id}, 'registration', ${json("{}")}, ${created}, ${expired}`,
    ],
    ["ClaimedIdentifier", "space key kind organizationId createdAt", `'client', ${id}, 'app', 'acme', ${created}`],
    [
      "Aggregate",
      "type id resourceOwner sequence createdAt changedAt",
      `'app', ${id}, 'acme', 1, ${created}, ${created}`,
    ],
    [
      "Event",
      "aggregateType aggregateId sequence type resourceOwner actor payload createdAt",
      `'app', ${id}, 1, 'app.added', 'acme', 'system', ${json("{}")}, ${created}`,
    ],
  ] as const) {
    await db.run(`INSERT INTO "${table}" (${columns(names)}) SELECT ${values} FROM (${series}) AS r`, []);
  }
}
