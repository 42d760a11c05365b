/**
 * The pages that a request leads to: prompt × sessions × their age × hints (OIDC Core §3.1.2.1, rule AUTHORIZE-6).
 */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { setLoginPolicy } from "../../testing/factors";
import { answerOf, authorize, authorizePath, fillSignIn, REDIRECT_URI, redeem, type Tokens } from "../../testing/flow";
import { byId, tagsOf } from "../../testing/page-samples";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const ADA = "ada@acme.test";
const BOB = "bob@acme.test";
const HOUR = 3_600_000;

/**
 * The result in words: `code u-ada`, `login ada@acme.test`, `choose ada@acme.test first`, `create x@y.test`, an error.
 */
type Outcome = string;

/** Sessions `fresh` and `stale` relative to max_age 3600, which every request here has. */
const situations = ["nobody", "fresh", "stale", "several", "stales", "fresh and stale"] as const;
type Situation = (typeof situations)[number];
type Row = Record<Situation, Outcome>;

const create = { nobody: "create", fresh: "create", stale: "create", several: "create", stales: "create" };
const first = `choose ${ADA} first`;
const chosen = { nobody: "login", fresh: first, stale: first, several: first, stales: first };

/**
 * `fresh` and `stale` are Ada's; with several, Bob's is the other one, used before hers, and the stale one of the two.
 */
const table: readonly [name: string, parameters: Record<string, string>, outcomes: Row][] = [
  [
    "no prompt",
    {},
    {
      nobody: "login",
      fresh: "code u-ada",
      stale: `login ${ADA}`,
      several: first,
      stales: first,
      "fresh and stale": first,
    },
  ],
  [
    "none",
    { prompt: "none" },
    {
      nobody: "login_required",
      fresh: "code u-ada",
      stale: "login_required",
      several: "interaction_required",
      stales: "login_required",
      "fresh and stale": "interaction_required",
    },
  ],
  [
    "login",
    { prompt: "login" },
    {
      nobody: "login",
      fresh: `login ${ADA}`,
      stale: `login ${ADA}`,
      several: "login",
      stales: "login",
      "fresh and stale": "login",
    },
  ],
  ["select_account", { prompt: "select_account" }, { ...chosen, "fresh and stale": first }],
  ["login select_account", { prompt: "login select_account" }, { ...chosen, "fresh and stale": first }],
  ["create", { prompt: "create" }, { ...create, "fresh and stale": "create" }],
  [
    "no prompt, login_hint Bob",
    { login_hint: BOB },
    {
      nobody: `login ${BOB}`,
      fresh: `login ${BOB}`,
      stale: `login ${BOB}`,
      several: `choose ${BOB} first`,
      stales: `choose ${BOB} first`,
      "fresh and stale": `choose ${BOB} first`,
    },
  ],
  [
    "none, login_hint Bob",
    { prompt: "none", login_hint: BOB },
    {
      nobody: "login_required",
      fresh: "login_required",
      stale: "login_required",
      several: "interaction_required",
      stales: "login_required",
      "fresh and stale": "interaction_required",
    },
  ],
  [
    "login, login_hint somebody new",
    { prompt: "login", login_hint: "eve@acme.test" },
    {
      nobody: "login eve@acme.test",
      fresh: "login eve@acme.test",
      stale: "login eve@acme.test",
      several: "login eve@acme.test",
      stales: "login eve@acme.test",
      "fresh and stale": "login eve@acme.test",
    },
  ],
  [
    "select_account, login_hint Bob",
    { prompt: "select_account", login_hint: BOB },
    {
      nobody: `login ${BOB}`,
      fresh: first,
      stale: first,
      several: `choose ${BOB} first`,
      stales: `choose ${BOB} first`,
      "fresh and stale": `choose ${BOB} first`,
    },
  ],
  [
    "create, login_hint somebody new",
    { prompt: "create", login_hint: "eve@acme.test" },
    {
      nobody: "create eve@acme.test",
      fresh: "create eve@acme.test",
      stale: "create eve@acme.test",
      several: "create eve@acme.test",
      stales: "create eve@acme.test",
      "fresh and stale": "create eve@acme.test",
    },
  ],
  [
    "no prompt, id_token_hint Bob",
    { id_token_hint: "bob" },
    {
      nobody: "login",
      fresh: "login",
      stale: "login",
      several: "code u-bob",
      stales: `login ${BOB}`,
      "fresh and stale": `login ${BOB}`,
    },
  ],
  [
    "none, id_token_hint Bob",
    { prompt: "none", id_token_hint: "bob" },
    {
      nobody: "login_required",
      fresh: "login_required",
      stale: "login_required",
      several: "code u-bob",
      stales: "login_required",
      "fresh and stale": "login_required",
    },
  ],
  [
    "none, id_token_hint Ada",
    { prompt: "none", id_token_hint: "ada" },
    {
      nobody: "login_required",
      fresh: "code u-ada",
      stale: "login_required",
      several: "code u-ada",
      stales: "login_required",
      "fresh and stale": "code u-ada",
    },
  ],
];

describe("what a request leads to (OIDC Core §3.1.2.1)", () => {
  let service: TestService;
  const browsers = {} as Record<Situation, TestBrowser>;
  const idTokens: Record<string, string> = {};

  const signIn = (browser: TestBrowser, loginName: string) =>
    authorize(browser, { prompt: "login" }, { loginName, password: PASSWORD });

  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    for (const situation of situations) browsers[situation] = service.browser();
    for (const who of ["ada", "bob"]) {
      const code = (await signIn(service.browser(), `${who}@acme.test`)).get("code") ?? "";
      idTokens[who] = ((await (await redeem(service, code)).json()) as Tokens).id_token;
    }
    for (const situation of ["stales", "fresh and stale"] as const) await signIn(browsers[situation], BOB);
    for (const situation of ["stale", "stales"] as const) await signIn(browsers[situation], ADA);
    service.advance(2 * HOUR);
    await signIn(browsers.several, BOB);
    for (const situation of ["fresh", "several", "fresh and stale"] as const) await signIn(browsers[situation], ADA);
  });
  afterAll(() => service.close());

  const locationOf = (response: Response) => response.headers.get("location") ?? "";

  async function outcomeOf(browser: TestBrowser, response: Response): Promise<Outcome> {
    const location = locationOf(response);
    if (location.startsWith(REDIRECT_URI)) {
      const { error, code = "" } = Object.fromEntries(answerOf(response));
      if (error) return error;
      const { id_token } = (await (await redeem(service, code)).json()) as Tokens;
      return `code ${decodeJwt(id_token).sub}`;
    }
    const html = await (await browser.get(location)).text();
    const { pathname } = new URL(location);
    if (pathname === "/login") return `login ${byId(html, "loginName")?.value ?? ""}`.trim();
    if (pathname === "/login/create-account") return `create ${byId(html, "email")?.value ?? ""}`.trim();
    if (pathname !== "/login/select-account") return pathname;
    return `choose ${/[\w.]+@acme\.test/.exec(html.replaceAll('<span class="suffix"><wbr/>', ""))?.[0]} first`;
  }

  async function request(browser: TestBrowser, parameters: Record<string, string>): Promise<Response> {
    const { id_token_hint } = parameters;
    const hint = id_token_hint === undefined ? {} : { id_token_hint: idTokens[id_token_hint] };
    return browser.get(authorizePath({ max_age: "3600", ...parameters, ...hint }));
  }

  const rows = table.flatMap(([name, parameters, outcomes]) =>
    situations.map((situation) => [name, situation, outcomes[situation], parameters] as const),
  );
  it.each(rows)("%s, %s: %s", async (_, situation, outcome, parameters) => {
    const browser = browsers[situation];
    expect(await outcomeOf(browser, await request(browser, parameters))).toBe(outcome);
  });

  it.each([
    ["login_hint in its short form", { login_hint: "Bob" }],
    ["id_token_hint", { id_token_hint: "bob" }],
  ])("shows the session first that is meant by %s", async (_, hint) => {
    const browser = browsers.several;
    const chooser = await request(browser, { prompt: "select_account", ...hint });
    expect(await outcomeOf(browser, chooser)).toBe(`choose ${BOB} first`);
  });

  it("accepts a verified address as login name, like the sign-in page, but no unverified one", async () => {
    const browser = service.browser();
    await signIn(browser, BOB);
    const silently = async (login_hint: string) =>
      outcomeOf(browser, await request(browser, { prompt: "none", login_hint }));
    const { user } = service.ctx.db.prisma;
    await user.update({ where: { id: "u-bob" }, data: { email: "bob@home.test", isEmailVerified: true } });
    expect(await silently("Bob@home.test")).toBe("code u-bob");
    await user.update({ where: { id: "u-bob" }, data: { isEmailVerified: false } });
    expect(await silently("bob@home.test")).toBe("login_required");
    await user.update({ where: { id: "u-bob" }, data: { email: BOB } });
  });

  it("rejects a sign-in by a user other than that of the hint: login_required (OIDC Core §3.1.2.2)", async () => {
    const browser = service.browser();
    const page = await request(browser, { id_token_hint: "bob" });
    expect(await outcomeOf(browser, await fillSignIn(browser, page))).toBe("login_required");
  });

  it("asks for the password of a selected session that is too old, and then issues a code for it", async () => {
    const browser = browsers.stales;
    const page = await request(browser, { prompt: "select_account" });
    const flow = new URL(locationOf(page)).searchParams.get("flow") ?? "";
    const html = await (await browser.get(locationOf(page))).text();
    expect(html.match(/Session ended, password needed/g)).toHaveLength(2);
    const session = tagsOf(html).filter(({ name }) => name === "session")[1]?.value ?? "";
    const chosenBob = await browser.post("/login/select-account/submit", { flow, session });
    expect(await outcomeOf(browser, chosenBob)).toBe(`login ${BOB}`);
    const bob = { loginName: BOB, password: PASSWORD };
    expect(await outcomeOf(browser, await fillSignIn(browser, chosenBob, bob))).toBe("code u-bob");
  });

  it.each([
    ["carries a login_hint of nobody here", "eve@acme.test", "login eve@acme.test"],
    ["leaves the name empty where the hint names somebody here, who was not meant", "BOB@acme.test", "login"],
    ["leaves it empty where the hint is the short form of such a name", "bob", "login"],
  ])("another account, %s (rule AUTHORIZE-7)", async (_, login_hint, outcome) => {
    const browser = browsers.several;
    const chooser = await browser.get(locationOf(await request(browser, { login_hint, prompt: "select_account" })));
    const flow = tagsOf(await chooser.text()).find(({ name }) => name === "flow")?.value ?? "";
    const another = await browser.post("/login/select-account/submit", { flow, "use-another-account": "1" });
    expect(await outcomeOf(browser, another)).toBe(outcome);
  });

  describe("with a step that the account still needs", () => {
    const steps = [
      ["another password", "/login/change-password"],
      ["a second factor", "/login/mfa/set-up"],
    ] as const;
    it.each(steps)("%s: prompt none is interaction_required, every other way leads there", async (step, path) => {
      const browser = service.browser();
      await signIn(browser, ADA);
      const passwordChangeRequired = step === "another password";
      await service.ctx.db.prisma.user.update({ where: { id: "u-ada" }, data: { passwordChangeRequired } });
      await setLoginPolicy(service, { forceMfa: !passwordChangeRequired });
      const told = async (parameters: Record<string, string>) => outcomeOf(browser, await request(browser, parameters));
      expect(await told({ prompt: "none" })).toBe("interaction_required");
      expect(await told({})).toBe(path);
      const page = await request(browser, { prompt: "login" });
      expect(await outcomeOf(browser, await fillSignIn(browser, page))).toBe(path);
      await service.ctx.db.prisma.user.update({ where: { id: "u-ada" }, data: { passwordChangeRequired: false } });
      await setLoginPolicy(service, {});
      expect(await told({ prompt: "none" })).toBe("code u-ada");
    });
  });
});
