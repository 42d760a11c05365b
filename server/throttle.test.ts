import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "./directory/change";
import { setPolicy } from "./directory/policy/policies";
import { countFailure, deleteForgottenThrottles } from "./storage/sign-in/throttles";
import { findOneTimeToken, insertOf } from "./storage/user/one-time-tokens";
import { exampleBootstrap, PASSWORD } from "./testing/example";
import { answerOf, authorizePath, fillSignIn } from "./testing/flow";
import { lastMailTo } from "./testing/mailed";
import { BASE_URL, type TestService, testService } from "./testing/test-context";
import { counter, countFailures, type Limit, networkOf, resetCounters, tally } from "./throttle";

const MINUTE = 60_000;
const WRONG = "wrong wrong wrong wrong";

describe.each(["sqlite", "postgresql"] as const)("throttle on %s (NIST SP 800-63B §3.2.2)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const limit: Limit = {
    name: "test",
    blockAt: 3,
    delays: [MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE, 15 * MINUTE],
    resetAfter: 60 * MINUTE,
  };
  const waitMinutes = async (of: string) => {
    const { blockedUntil } = await tally(service.ctx, [counter(limit, of)]);
    return blockedUntil === undefined ? 0 : Math.round((blockedUntil - service.ctx.clock()) / MINUTE);
  };

  it("lets the free tries pass, then doubles the wait up to a quarter of an hour", async () => {
    const waits: number[] = [];
    for (let failure = 0; failure < 9; failure++) {
      expect(await countFailures(service.ctx, [counter(limit, "doubling")])).toBeUndefined();
      waits.push(await waitMinutes("doubling"));
      service.advance((waits.at(-1) ?? 0) * MINUTE + 1000);
    }
    expect(waits).toEqual([0, 0, 1, 2, 4, 8, 15, 15, 15]);
  });

  it("counts exactly the free ones of many that arrive at once", async () => {
    const tries = Array.from({ length: 25 }, () => countFailures(service.ctx, [counter(limit, "burst")]));
    const counted = (await Promise.all(tries)).filter((blockedUntil) => blockedUntil === undefined);
    expect(counted).toHaveLength(3);
  });

  it("does not block if the clock of one attempt is behind that of another, as with two at once or two machines", async () => {
    const { id } = counter(limit, "skew");
    const now = service.ctx.clock();
    const countAt = (at: number) => countFailure(service.ctx.db, { id, now: at, ...limit }, []);
    expect(await countAt(now)).toBe(true);
    expect(await countAt(now - 5000)).toBe(true);
  });

  it("stores rows with the count, unless a counter is blocked", async () => {
    const counters = [counter(limit, "rows"), counter({ ...limit, blockAt: 9 }, "rows, and more")];
    const times = { createdAt: service.ctx.clock(), expiresAt: service.ctx.clock() + MINUTE };
    const digests = ["r1", "r2", "r3", "r4"];
    for (const digest of digests) {
      const row = { digest, purpose: "provider_sign_in", subjectId: null, payload: { digest }, ...times } as const;
      await countFailures(service.ctx, counters, [insertOf(row)]);
    }
    const stored = digests.map((digest) => findOneTimeToken(service.ctx.db, digest));
    expect((await Promise.all(stored)).map((row) => row?.payload)).toEqual([
      ...["r1", "r2", "r3"].map((digest) => ({ digest })),
      undefined,
    ]);
  });

  it("forgets after a time without failures, and at once when forgiven", async () => {
    const counters = [counter(limit, "forget")];
    await countFailures(service.ctx, counters);
    await countFailures(service.ctx, counters);
    service.advance(61 * MINUTE);
    await countFailures(service.ctx, counters);
    expect(await waitMinutes("forget")).toBe(0);
    await countFailures(service.ctx, counters);
    await countFailures(service.ctx, counters);
    expect(await waitMinutes("forget")).toBe(1);
    await resetCounters(service.ctx, counters);
    expect(await waitMinutes("forget")).toBe(0);
  });

  it("keeps no row longer than it means something", async () => {
    await countFailures(service.ctx, [counter(limit, "sweep")]);
    service.advance(61 * MINUTE);
    expect(await deleteForgottenThrottles(service.ctx.db, service.ctx.clock(), 1000)).toBeGreaterThan(0);
    expect(await deleteForgottenThrottles(service.ctx.db, service.ctx.clock(), 1000)).toBe(0);
  });
});

describe("networks of addresses", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::9", "2001:db8:1:2"],
    ["2001:0db8::1", "2001:db8:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
    [undefined, "unknown"],
  ])("%s counts as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe("throttled sign-in (ASVS 6.3.1)", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Tries once; the page the browser ends on, or the parameters of the answer. */
  async function attempt(loginName: string, password: string, browser = service.browser()) {
    const first = await browser.get(authorizePath({ prompt: "login" }));
    const answer = await fillSignIn(browser, first, { loginName, password });
    const location = answer.headers.get("location") ?? "";
    if (!location.includes("/login?")) return { code: answerOf(answer).get("code"), status: 0, page: "", retry: null };
    const page = await browser.get(location, { "x-request-id": "same-request" });
    const html = (await page.text())
      .replaceAll(loginName, "NAME")
      .replace(/flow=[\w-]+|name="flow" value="[^"]*"|challenge&quot;:&quot;[\w-]+/g, "");
    return { code: null, status: page.status, page: html, retry: page.headers.get("retry-after") };
  }

  it("responds with 429 and Retry-After after five wrong passwords, for known and unknown names", async () => {
    const sixth = async (loginName: string) => {
      for (let index = 0; index < 5; index++) expect((await attempt(loginName, WRONG)).status).toBe(200);
      return attempt(loginName, WRONG);
    };
    const somebody = await sixth("ada@acme.test");
    expect([somebody.status, somebody.retry]).toEqual([429, "60"]);
    expect(await sixth("eve@acme.test")).toEqual(somebody);
  });

  it("does not tell whether the password was right while it waits, and lets it in afterwards", async () => {
    expect((await attempt("ada@acme.test", PASSWORD)).status).toBe(429);
    service.advance(61_000);
    expect((await attempt("ada@acme.test", PASSWORD)).code).toBeTruthy();
    // A success makes the failures before it forgotten.
    for (let index = 0; index < 4; index++) await attempt("ada@acme.test", WRONG);
    expect((await attempt("ada@acme.test", PASSWORD)).code).toBeTruthy();
  });

  it("stops telling that it is throttled when it no longer is", async () => {
    const browser = service.browser();
    for (let index = 0; index < 5; index++) await attempt("eve@acme.test", WRONG, browser);
    const first = await browser.get(authorizePath());
    const refused = await fillSignIn(browser, first, { loginName: "eve@acme.test", password: WRONG });
    const location = refused.headers.get("location") ?? "";
    expect((await browser.get(location)).status).toBe(429);
    service.advance(16 * 60_000);
    expect((await browser.get(location)).status).toBe(200);
  });

  it("reveals no more than the free tries to a burst of parallel guesses", async () => {
    const browser = service.browser();
    const first = await browser.get(authorizePath());
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const guesses = Array.from({ length: 30 }, () =>
      browser.post("/login/submit", { flow, loginName: "bob@acme.test", password: WRONG }),
    );
    const pages = await Promise.all(
      (await Promise.all(guesses)).map((answer) => service.fetch(answer.headers.get("location") ?? "")),
    );
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(pages.filter(({ status }) => status === 429)).toHaveLength(25);
    service.advance(24 * 60 * MINUTE + 1000);
  });

  it("lets many right passwords of one account pass at once", async () => {
    const browser = service.browser();
    const first = await browser.get(authorizePath());
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.post("/login/submit", { flow, loginName: "bob", password: PASSWORD })),
    );
    expect(answers.filter((answer) => answerOf(answer).get("code"))).toHaveLength(20);
  });

  it("does not lock a person out of a browser she signed in on before", async () => {
    const known = service.browser();
    expect((await attempt("ada@acme.test", PASSWORD, known)).code).toBeTruthy();
    const stranger = service.browser();
    for (let index = 0; index < 6; index++) await attempt("ada@acme.test", WRONG, stranger);
    expect((await attempt("ada@acme.test", PASSWORD, stranger)).status).toBe(429);
    expect((await attempt("ada@acme.test", PASSWORD, known)).code).toBeTruthy();
  });

  /** Tries once from an address; 303 to the page with the status that is returned, or 302-like to the app: 0. */
  async function from(address: string, loginName: string, password: string, headers: Record<string, string> = {}) {
    const first = await service.fetch(authorizePath());
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const body = new URLSearchParams({ flow, loginName, password });
    const request = new Request(`${BASE_URL}/login/submit`, { method: "POST", body, headers });
    const answer = await service.application.fetch(request, { incoming: { socket: { remoteAddress: address } } });
    const location = answer.headers.get("location") ?? "";
    return location.includes("/login?") ? (await service.fetch(location)).status : 0;
  }

  it("does not restart for a forged X-Forwarded-For (from an untrusted client)", async () => {
    const statuses: number[] = [];
    for (const forged of ["192.0.2.1", "192.0.2.2", "garbage", "", "192.0.2.3, 192.0.2.4", "::1", "127.0.0.1"]) {
      statuses.push(await from("198.51.100.7", "lea@acme.test", WRONG, { "x-forwarded-for": forged }));
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await from("198.51.100.8", "lea@acme.test", WRONG)).toBe(200);
  });

  it("has a ceiling for one account from everywhere, which a new password lifts", async () => {
    service.advance(25 * 60 * MINUTE); // what the tests before counted is forgotten
    await changeDirectory(service.ctx, (ctx) =>
      setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, "acme", "lockout", {
        maxPasswordAttempts: 10,
      }),
    );
    const name = "ada@acme.test";
    for (let index = 0; index < 10; index++) expect(await from(`203.0.113.${index}`, name, WRONG)).toBe(200);
    expect(await from("203.0.113.99", name, PASSWORD)).toBe(429);
    const asked = await service.browser().post("/login/forgot-password/submit", { loginName: name });
    expect(asked.status).toBe(303);
    const { path } = await lastMailTo(service, name);
    const token = new URL(path, BASE_URL).searchParams.get("token") ?? "";
    const chosen = "a lamp, a river and a tram";
    await service.browser().post("/login/reset-password/submit", { token, password: chosen });
    expect(await from("203.0.113.99", name, chosen)).toBe(0);
  });
});
