import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { PASSWORD } from "../../testing/example";
import { authorize } from "../../testing/flow";
import { realHashes } from "../../testing/hashes";
import { processorTime } from "../../testing/processor-time";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

realHashes();

const M = "/management/v1";
const profile = { firstName: "H", lastName: "V" };
const [salt, sum] = ["c29tZXNhbHRzb21lc2FsdA", "hqU0n8iV5m3VNwHXaeJZ8gZ1sYHkPXUhNUqJ2DmHIRM"];
const argon = (costs: string, variant = "argon2id") => `$${variant}$v=19$${costs}$${salt}$${sum}`;

describe.each(ruleDatabases)("work that a tenant causes, on %s", (kind) => {
  let service: TestService;
  let people: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    people = await callerOf(service, "evil-uma");
  });
  afterAll(() => service.close());

  it.each([
    ["all costs at once", argon("m=262144,t=20,p=16")],
    ["much memory, often", argon("m=262144,t=10,p=1")],
    ["little memory, very often", argon("m=8192,t=200,p=1")],
    ["many lanes", argon("m=19456,t=2,p=16")],
    ["another order", argon("t=20,m=262144,p=4")],
    ["argon2i", argon("m=262144,t=20,p=1", "argon2i")],
    ["bcrypt of two hours", `$2b$25$${"a".repeat(53)}`],
    ["a hundred million rounds of SHA-crypt", `$6$rounds=100000000$salt$${"a".repeat(86)}`],
    ["a gigabyte of scrypt", `$scrypt$ln=20,r=8,p=1$${salt}$${sum}`],
  ])("is not multiplied by a hash with %s, by any door", async (name, value) => {
    const names = ["1", "2", "3", "4"].map((door) => `${name} ${door}`.replaceAll(" ", "-"));
    const email = { email: "h@evil.test" };
    const human = { profile: { givenName: "H", familyName: "V" }, email, hashedPassword: { hash: value } };
    const answers = {
      import: await people("POST", `${M}/users/human/_import`, {
        userName: names[0],
        profile,
        email,
        hashedPassword: { value },
      }),
      v2: await people("POST", "/v2/users/human", { username: names[1], ...human }),
      new: await people("POST", "/v2/users/new", { username: names[2], human }),
    };
    for (const [door, { status }] of Object.entries(answers)) expect([door, status]).toEqual([door, 400]);
    const users = [{ userName: names[3], profile, email, hashedPassword: { value } }];
    await people("POST", `${M}/users/_bulk_import`, { mode: "EACH_BY_ITSELF", users });
    expect(await service.ctx.db.prisma.user.count({ where: { userName: { in: names } } })).toBe(0);
  });

  it("does not keep others from signing in, at the import limit", async () => {
    const value = argon("m=19456,t=2,p=1");
    const made = await people("POST", `${M}/users/human/_import`, {
      userName: "plain",
      profile,
      email: { email: "p@evil.test" },
      hashedPassword: { value },
    });
    expect(made.status).toBe(200);
    const tries = Array.from({ length: 6 }, () =>
      authorize(service.browser(), { client_id: "own" }, { loginName: "plain@evil.test", password: "wrong" }),
    );
    const answer = await authorize(
      service.browser(),
      { client_id: "own" },
      { loginName: "eve@acme.test", password: PASSWORD },
    );
    expect(answer.has("code")).toBe(true);
    await Promise.all(tries);
  });

  /** How often others have their turn during some work, by a clock on which every step of it takes a second. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let [now, turns, isOver] = [performance.now(), 0, false];
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      now += 1_000;
      return now;
    });
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    try {
      await work();
    } finally {
      isOver = true;
      clock.mockRestore();
    }
    return turns;
  }

  it.each([
    ["open braces", "{{".repeat(5_000)],
    ["unknown variables", "{{.Nobody}}".repeat(900)],
    ["variables almost right", "{{.DisplayNam}}".repeat(660)],
    ["nested braces", `${"{{{".repeat(1_500)}${"}}}".repeat(1_500)}`],
  ])("does not stop everybody for a text of %s", async (_, text) => {
    const settings = await callerOf(service, "evil-sett");
    const put = (one: string) =>
      processorTime(() =>
        settings("PUT", `${M}/text/message/password_change/en`, {
          text: one,
          title: one.slice(0, 500),
          footerText: one.slice(0, 2_000),
        }),
      );
    const plain = "Your password was changed. ".repeat(370);
    await put(plain);
    const [usual, odd] = [await put(plain), await put(text)];
    // One that reads the text again for each mistake takes hundreds of times as long.
    expect(odd).toBeLessThan(40 * usual);
  });

  it("does not block others during a dry run of an import", async () => {
    const users = Array.from({ length: 9_000 }, (_, index) => ({
      userName: `bulk-${index}`,
      profile,
      email: { email: `bulk-${index}@evil.test` },
    }));
    await people("POST", `${M}/users/_bulk_import`, { dryRun: true, users: users.slice(0, 10) });
    const statuses: number[] = [];
    const body = JSON.stringify({ dryRun: true, users });
    const send = async () => statuses.push((await people("POST", `${M}/users/_bulk_import`, body)).status);
    expect(await turnsDuring(send)).toBeGreaterThan(users.length);
    expect(statuses).toEqual([200]);
    await Promise.all(Array.from({ length: 10 }, send));
    // Some of them are asked to retry later.
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(statuses.some((status) => status !== 200)).toBe(true);
  });
});
