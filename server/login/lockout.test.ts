import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../directory/change";
import { findInstance } from "../directory/instance";
import { setPolicy } from "../directory/policy/policies";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import { authorizePath } from "../testing/flow";
import { lastMailTo } from "../testing/mailed";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const WRONG = "wrong wrong wrong wrong";
const HOUR = 3_600_000;
const [acme] = exampleBootstrap.organizations;
const [project] = acme?.projects ?? [];
const web = project?.apps.find(({ id }) => id === "a-web") ?? { id: "", oidc: {} };
const person = (id: string, email: string) => ({
  id,
  userName: id,
  password: PASSWORD,
  profile: { firstName: id, lastName: "Test" },
  email: { email, isEmailVerified: true },
});

const bootstrap = {
  organizations: [
    {
      ...acme,
      users: [...(acme?.users ?? []), person("eve", "eve.builder@mail.test"), person("dan", "dan@mail.test")],
    },
    {
      id: "evil",
      name: "Evil",
      domains: [{ domain: "evil.test", verified: true, primary: true }],
      users: [person("mallory", "mallory@mail.test")],
      projects: [
        { id: "pe", name: "Evil", apps: [{ ...web, id: "a-evil", oidc: { ...web.oidc, clientId: "evil-web" } }] },
      ],
    },
  ],
};

describe.each(ruleDatabases)("wrong passwords lock the user, on %s", (kind) => {
  let service: TestService;
  let network = 0;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const limit = async (ownerId: string, maxPasswordAttempts: number) =>
    changeDirectory(service.ctx, (ctx) =>
      setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, ownerId, "lockout", {
        maxPasswordAttempts,
      }),
    );

  /** Makes one attempt through an app, by default from its own network: 429, 200 for a rejection, 0 when signed in. */
  async function attempt(clientId: string, loginName: string, password = WRONG, address = `198.51.${++network}.1`) {
    const first = await service.fetch(authorizePath({ client_id: clientId }));
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const body = new URLSearchParams({ flow, loginName, password });
    const request = new Request(`${BASE_URL}/login/submit`, { method: "POST", body });
    const answer = await service.application.fetch(request, { incoming: { socket: { remoteAddress: address } } });
    const location = answer.headers.get("location") ?? "";
    if (!location.includes("/login?")) return { status: 0, retryAfter: 0 };
    const page = await service.fetch(location);
    return { status: page.status, retryAfter: Number(page.headers.get("retry-after")) };
  }
  /** Returns the number of guesses before the first 429. */
  async function freeGuesses(clientId: string, names: readonly string[], most = 40): Promise<number> {
    for (let count = 0; count < most; count++) {
      const { status } = await attempt(clientId, names[count % names.length] ?? "");
      if (status === 429) return count;
    }
    return most;
  }
  const nextDay = () => service.advance(26 * HOUR);

  it("counted over every spelling of the name", async () => {
    nextDay();
    await limit("acme", 10);
    const spellings = ["eve", "EVE@acme.test", "eve.builder@mail.test", "Eve.Builder@Mail.test", " eve@ACME.test "];
    expect(await freeGuesses("web", spellings)).toBe(10);
  });

  it("even from a single network", async () => {
    nextDay();
    const spellings = ["eve", "eve@acme.test", "eve.builder@mail.test", "EVE", "eve@acme.test"];
    for (const name of spellings) expect((await attempt("web", name, WRONG, "203.0.113.5")).status).toBe(200);
    expect((await attempt("web", "Eve.Builder@mail.test", WRONG, "203.0.113.5")).status).toBe(429);
  });

  it("by the limit of their own organization, with every app", async () => {
    nextDay();
    await limit("acme", 12);
    await limit("evil", 50);
    expect(await freeGuesses("evil-web", ["eve"])).toBe(12);
    nextDay();
    await limit("acme", 100);
    await limit("evil", 10);
    expect(await freeGuesses("evil-web", ["eve"], 15)).toBe(15);
    expect(await freeGuesses("evil-web", ["mallory@evil.test"])).toBe(10);
  });

  it("never with more attempts than the instance allows", async () => {
    nextDay();
    await limit("acme", 60);
    await limit((await findInstance(service.ctx)).id, 11);
    expect(await freeGuesses("web", ["eve"])).toBe(11);
    await limit((await findInstance(service.ctx)).id, 100);
  });

  it("in the same way for unknown names, in each of their spellings", async () => {
    nextDay();
    await limit("acme", 10);
    await limit("evil", 14);
    const pairs = [
      ["evil-web", ["dan", "dan@acme.test"], ["nan", "nan@acme.test"]],
      ["web", ["mallory@evil.test"], ["nobody@evil.test"]],
    ] as const;
    for (const [clientId, somebody, nobody] of pairs) {
      const known = await freeGuesses(clientId, somebody);
      expect([10, 14]).toContain(known);
      expect(await freeGuesses(clientId, nobody)).toBe(known);
    }
  });

  it("for hours at most, and less at first", async () => {
    nextDay();
    expect(await freeGuesses("web", ["eve"])).toBe(10);
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      const { retryAfter } = await attempt("web", "eve");
      waits.push(retryAfter / 60);
      service.advance(retryAfter * 1000 + 1000);
      expect((await attempt("web", "eve")).status).toBe(200);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 240, 240]);
    service.advance(4 * HOUR + 1000);
    expect((await attempt("web", "eve", PASSWORD)).status).toBe(0);
  });

  it("until a mailed link sets a new password, in every network", async () => {
    nextDay();
    const home = "203.0.113.77";
    for (let guess = 0; guess < 5; guess++) await attempt("web", "dan", WRONG, home);
    expect(await freeGuesses("web", ["dan"])).toBe(5);
    expect((await attempt("web", "dan", PASSWORD, home)).status).toBe(429);
    await service.browser().post("/login/forgot-password/submit", { loginName: "dan" });
    const { path } = await lastMailTo(service, "dan@mail.test");
    const token = new URL(path, BASE_URL).searchParams.get("token") ?? "";
    const chosen = "a lamp, a river and a tram";
    await service.browser().post("/login/reset-password/submit", { token, password: chosen });
    expect((await attempt("web", "dan", chosen, home)).status).toBe(0);
    expect((await attempt("web", "dan", chosen)).status).toBe(0);
  });

  it("until an administrator unlocks them, who gets an error if there is no lock", async () => {
    nextDay();
    const token = await apiToken(service);
    const unlock = () => callApi(service, "POST", "/management/v1/users/eve/_unlock", { token });
    expect(refusalOf(await unlock())).toMatchObject({ status: 400, id: "user.is_active" });
    const home = "203.0.113.78";
    for (let guess = 0; guess < 5; guess++) await attempt("web", "eve", WRONG, home);
    await freeGuesses("web", ["eve"]);
    expect((await attempt("web", "eve", PASSWORD, home)).status).toBe(429);
    expect((await unlock()).status).toBe(200);
    expect((await attempt("web", "eve", PASSWORD, home)).status).toBe(0);
  });
});
