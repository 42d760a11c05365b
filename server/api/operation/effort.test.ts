import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { operations } from "../all";
import { effortOf, withEffort } from "./effort";

/** Bytes; a larger body takes longer to read than most operations do as a whole. */
const USUAL_BODY = 256 * 1024;
const [acme] = exampleBootstrap.organizations;
const managers = Array.from({ length: 4 }, (_, index) => ({
  id: `m${index}`,
  userName: `m${index}`,
  password: PASSWORD,
  roles: ["ORG_OWNER"],
  profile: { firstName: "M", lastName: `${index}` },
  email: { email: `m${index}@acme.test`, isEmailVerified: true },
}));
const bootstrap = {
  organizations: [
    { ...acme, users: [...(acme?.users ?? []), ...managers] },
    {
      id: "other",
      name: "Other",
      domains: [{ domain: "other.test", verified: true, primary: true }],
      users: [{ ...managers[0], id: "o", userName: "o", email: { email: "o@other.test", isEmailVerified: true } }],
    },
  ],
};

describe("expensive operations are declared", () => {
  it("if a body may be large", () => {
    const large = operations.filter(
      ({ maxBodyBytes = 0, carriesPicture }) => carriesPicture || maxBodyBytes > USUAL_BODY,
    );
    expect(large.length).toBeGreaterThan(3);
    for (const { id, effort } of large) expect([id, effort]).toEqual([id, "heavy"]);
  });

  it("if many changes are made at once, or everything is exported", () => {
    const many = operations.filter(({ path }) => /_bulk|_export|_apply/.test(path));
    expect(many.length).toBeGreaterThan(5);
    for (const { id, effort } of many) expect([id, effort]).toEqual([id, "heavy"]);
  });
});

describe("the concurrency of an operation", () => {
  it.each(["call", "change", "read"] as const)(
    "is bounded for an organization, across all its callers: %s",
    async (effort) => {
      let [begun, end] = [0, () => {}];
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const one = (userId: string, organizationId: string) =>
        withEffort(
          effort,
          { userId, organizationId },
          async () => {
            begun++;
            await ended;
            return {};
          },
          undefined,
        );
      const waiting = Array.from({ length: 60 }, (_, index) => one(`u${index % 12}`, "a"));
      await expect.poll(() => begun).toBeGreaterThan(1);
      const most = effort === "read" ? 8 : 4;
      for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve));
      expect(begun).toBe(most);
      waiting.push(one("v", "b"));
      await expect.poll(() => begun).toBe(most + 1);
      end();
      expect(await Promise.all(waiting)).toHaveLength(61);
    },
  );

  it("is its declaration, otherwise that of its method", () => {
    const efforts = new Map(operations.map((one) => [one.id, effortOf(one)]));
    const ids = [
      "BulkImportHumanUsers",
      "ListUsersV2",
      "ListProjects",
      "GetMyUser",
      "AddHumanUser",
      "ValidateOrgDomain",
    ];
    expect(ids.map((id) => efforts.get(id))).toEqual(["heavy", "search", "read", "read", "change", "call"]);
    // The mapping is tried with claims from the request, and calls no other service.
    const trials = operations.filter(({ id }) => /^Test/.test(id) && !/ProviderMapping$/.test(id));
    expect(trials.length).toBeGreaterThan(5);
    expect(new Set(trials.map(effortOf))).toEqual(new Set(["call"]));
  });
});

describe.each(ruleDatabases)("the number of concurrent requests of a caller, on %s", (kind) => {
  let service: TestService;
  const tokens: string[] = [];
  let other = "";
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    for (const { userName } of managers) tokens.push(await apiToken(service, userName));
    other = await apiToken(service, "o@other.test");
  });
  afterAll(() => service.close());

  const users = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      userName: `dry${index}`,
      profile: { firstName: "First", lastName: `Last ${index}` },
      email: { email: `dry${index}@acme.test`, isEmailVerified: true },
    }));
  const dryRun = (token = "", count = 1_500) =>
    callApi(service, "POST", "/management/v1/users/_bulk_import", {
      token,
      body: { dryRun: true, users: users(count) },
    });
  const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

  /** Occupies a place until it is given back: an export that is not read. */
  async function occupy(token = ""): Promise<() => Promise<void>> {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await service.fetch("/management/v1/events/_export", { headers });
    expect(status).toBe(200);
    return async () => body?.cancel();
  }

  it("is two heavy requests; further ones get the time to retry", async () => {
    const places = [await occupy(tokens[0]), await occupy(tokens[0])];
    const refused = await dryRun(tokens[0]);
    expect(refusalOf(refused)).toEqual({ status: 429, code: 8, id: "access.too_many_heavy_requests" });
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await dryRun(tokens[1])).status).toBe(200);
    for (const giveBack of places) await giveBack();
    await expect.poll(async () => (await dryRun(tokens[0])).status).toBe(200);
  });

  it("is four for all callers of an organization, independent of other organizations", async () => {
    const places = [];
    for (const token of [tokens[0], tokens[0], tokens[1], tokens[2]]) places.push(await occupy(token));
    expect((await dryRun(tokens[3])).status).toBe(429);
    expect((await dryRun(other)).status).toBe(200);
    for (const giveBack of places) await giveBack();
    await expect.poll(async () => (await dryRun(tokens[3])).status).toBe(200);
  });

  it("includes requests that arrive at the same moment", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => dryRun(tokens[0])));
    expect(statusesOf(answers)).toContain(200);
    expect(statusesOf(answers)).toContain(429);
  });

  it("decreases after a refusal, too", async () => {
    const path = "/management/v1/users/_bulk_import";
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        ["{", "[]"].map((body) => callApi(service, "POST", path, { token: tokens[0], body })),
      );
      expect(statusesOf(answers)).toEqual([400, 400]);
    }
  });

  it("is checked after the permission, so that callers without permission learn nothing", async () => {
    const token = await apiToken(service, "bob");
    const answers = await Promise.all(Array.from({ length: 6 }, () => dryRun(token)));
    expect(new Set(statusesOf(answers))).toEqual(new Set([403]));
  });

  it("queues searches instead", async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        callApi(service, "POST", "/management/v1/users/_search", { token: tokens[0], body: {} }),
      ),
    );
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
  });

  it("is a few changes, so that others do not wait for all changes of one caller", async () => {
    const add = async (token: string, userName: string, domain: string) => {
      const body = { userName, profile: { firstName: "A", lastName: "B" }, email: { email: `${userName}@${domain}` } };
      const { status } = await callApi(service, "POST", "/management/v1/users/human", { token, body });
      over.push(`${userName} ${status}`);
    };
    const over: string[] = [];
    const many = managers.flatMap((_, manager) =>
      Array.from({ length: 20 }, (_, index) => add(tokens[manager] ?? "", `many-${manager}-${index}`, "acme.test")),
    );
    await add(other, "one", "other.test");
    expect(over.at(-1)).toBe("one 200");
    expect(over.length).toBeLessThan(many.length / 2);
    await Promise.all(many);
    expect(over.filter((one) => !one.endsWith(" 200"))).toEqual([]);
  });

  it("includes a file until it was sent or its reader has left", async () => {
    const open = () =>
      service.fetch("/management/v1/events/_export", { headers: { authorization: `Bearer ${tokens[1]}` } });
    const [first, second] = [await open(), await open()];
    expect((await open()).status).toBe(429);
    await first.text();
    await second.body?.cancel();
    await expect
      .poll(async () => {
        const again = await open();
        await again.body?.cancel();
        return again.status;
      })
      .toBe(200);
  });

  it("does not block health checks", async () => {
    const begun = dryRun(tokens[2], 6_000);
    let asked = 0;
    let isOver = false;
    void begun.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if ((await service.fetch("/healthz")).status === 200) asked++;
    }
    expect((await begun).body).toMatchObject({ created: 6_000 });
    expect(asked).toBeGreaterThan(20);
  });
});
