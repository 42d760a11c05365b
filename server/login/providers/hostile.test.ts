/** Providers of OpenID Connect that are slow, down or hostile, and sign-ins there that are too old. */
import type http from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { flushAttempts } from "../../directory/sign-in-attempt/batch";
import { limitProvidersBy } from "../../oidc/provider-endpoints";
import { apiToken } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { authorizePath, flowOf, letIn, onOf } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { goToProvider, offerProviderOf, responseOf } from "../../testing/provider-sign-in";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const LIMIT = 200;
const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true };
const EMAIL = "pat@elsewhere.test";
const silent = () => {};
const redirect = (response: http.ServerResponse) =>
  response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
const huge = (response: http.ServerResponse) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(" ".repeat(1_000_000)));
const down = (response: http.ServerResponse) => response.writeHead(503).end();

describe("a provider that is slow, down or hostile", () => {
  let service: TestService;
  let provider: ForgedProvider;
  let idp: string;
  const isSilent = (address: string) => provider.misbehaves[address.split("/").at(-1) ?? ""] === silent;
  /** Rows of attempts are merged, so the checks are read from the log. */
  const refusals: string[] = [];
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const info = ({ reason }: { reason?: string }) => (reason === undefined ? 0 : refusals.push(reason));
    Object.assign(service.ctx, { log: { ...service.ctx.log, info } });
    limitProvidersBy(service.ctx, (address) => (isSilent(address) ? LIMIT : undefined));
  });
  beforeEach(async () => {
    provider = await forgedProvider();
    provider.claims = { sub: "sub-1", email: EMAIL, email_verified: true, name: "Pat Doe" };
    idp = await offerProviderOf(service, await apiToken(service), provider, { providerOptions: OPTIONS });
    refusals.length = 0;
    return async () => {
      await provider.close();
      await service.ctx.db.prisma.identityLink.deleteMany();
      await service.ctx.db.prisma.user.deleteMany({ where: { email: EMAIL } });
    };
  });
  afterAll(() => service.close());

  const comeBack = async (browser: TestBrowser, at: URL, more: Record<string, string> = {}) =>
    letIn(browser, await browser.get(responseOf(provider, at, more)));
  const signIn = async (parameters = {}, browser = service.browser()) =>
    comeBack(browser, await goToProvider(browser, idp, parameters));
  const hasCode = (response: Response) => onOf(response).startsWith("/cb?code=");
  const accounts = () => service.ctx.db.prisma.user.count({ where: { email: EMAIL } });
  /** Expects the sign-in page without details, no account, an attempt, and the check that failed. */
  const isRefused = async (at: string, browser: TestBrowser, detail: RegExp) => {
    expect(at).toMatch(/^\/login\?/);
    const page = await browser.get(at);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toMatch(/169\.254|auth_time|discovery|too large/);
    await flushAttempts(service.ctx);
    expect(await service.ctx.db.prisma.signInAttempt.count({ where: { reason: "provider_failed" } })).toBeGreaterThan(
      0,
    );
    expect(refusals.at(-1)).toMatch(detail);
    expect(await accounts()).toBe(0);
  };

  it("is asked nothing by a network that started too many sign-ins", async () => {
    const { throttle } = service.ctx.db.prisma;
    await goToProvider(service.browser(), idp);
    await throttle.updateMany({ data: { blockedUntil: new Date(service.ctx.clock() + 60_000) } });
    let asked = 0;
    const other = await forgedProvider();
    const counted = (response: http.ServerResponse) => {
      asked++;
      down(response);
    };
    other.misbehaves = { "openid-configuration": counted };
    const unknown = await offerProviderOf(service, await apiToken(service), other, { providerOptions: OPTIONS });
    const browser = service.browser();
    const flow = flowOf(await browser.get(authorizePath()));
    expect((await browser.post("/login/idp", { flow, idp: unknown })).status).toBe(429);
    expect(asked).toBe(0);
    await throttle.deleteMany();
    await browser.post("/login/idp", { flow, idp: unknown });
    expect(asked).toBe(1);
    await other.close();
  });

  it.each([
    ["never answers", silent, /no answer within/],
    ["redirects into the network", redirect, /status code/],
    ["is huge", huge, /the response is too large/],
  ])("is not visited if its discovery document %s", async (_, misbehave, detail) => {
    provider.misbehaves = { "openid-configuration": misbehave };
    const browser = service.browser();
    const { pathname, search } = await goToProvider(browser, idp);
    await isRefused(pathname + search, browser, detail);
  });

  it.each([
    ["token", "never answers", silent, /^token: .*\(passed: response\)/],
    ["token", "is huge", huge, /^token: .*too large \(passed: response\)/],
    ["token", "redirects into the network", redirect, /^token: it answered 302/],
    ["jwks", "never answers", silent, /^signature: .*\(passed: response, token, id_token\)/],
    ["jwks", "is huge", huge, /^signature: .*too large/],
    ["jwks", "redirects into the network", redirect, /^signature: /],
  ])("signs no one in if its %s %s", async (what, _, misbehave, detail) => {
    provider.misbehaves = { [what]: misbehave };
    const browser = service.browser();
    await isRefused(onOf(await signIn({}, browser)), browser, detail);
  });

  it("signs users in by its known keys while its key set is down", async () => {
    expect(hasCode(await signIn())).toBe(true);
    provider.misbehaves = { jwks: down };
    expect(hasCode(await signIn())).toBe(true);
  });

  it("signs no one in by an id_token for an earlier sign-in, or for that of another browser", async () => {
    const [browser, other] = [service.browser(), service.browser()];
    const [earlier, foreign] = [await goToProvider(browser, idp), await goToProvider(other, idp)];
    for (const { searchParams } of [earlier, foreign]) {
      const code = searchParams.get("nonce") ?? "";
      const answer = await comeBack(browser, await goToProvider(browser, idp), { code });
      await isRefused(onOf(answer), browser, /^id_token: .*nonce/);
    }
  });

  it.each<[string, (token: string) => string]>([
    ["two signatures", (token) => `${token}.${token.split(".")[2]}`],
    [
      "two signatures in JSON",
      (token) => {
        const [header, payload, signature] = token.split(".");
        const one = { protected: header, signature };
        return JSON.stringify({ payload, signatures: [one, one] });
      },
    ],
    ["no signature", (token) => `${token.split(".").slice(0, 2).join(".")}.`],
  ])("signs no one in by an id_token with %s", async (_, change) => {
    provider.forge = async (claims) => change(await provider.sign(claims));
    const browser = service.browser();
    await isRefused(onOf(await signIn({}, browser)), browser, /^(id_token|signature): /);
  });

  describe("where the application requires a recent sign-in", () => {
    const HOUR = 3_600;
    const ago = (seconds: number) => Math.floor(service.ctx.clock() / 1000) - seconds;

    it.each([
      [{ max_age: "600" }, undefined, /^age: max_age was sent, and auth_time is missing/],
      [{ max_age: "600" }, HOUR, /^age: the user signed in there too long ago \(passed: .*, signature\)/],
      [{ max_age: "0" }, 300, /^age: /],
      [{ prompt: "login" }, 300, /^age: /],
    ])("signs no one in for %o who signed in there %s seconds ago", async (parameters, seconds, detail) => {
      if (seconds !== undefined) provider.claims = { ...provider.claims, auth_time: ago(seconds) };
      const browser = service.browser();
      await isRefused(onOf(await signIn(parameters, browser)), browser, detail);
    });

    it.each([
      [{ max_age: "600" }, 300],
      [{ prompt: "login" }, 0],
      [{ prompt: "login" }, undefined],
      [{}, HOUR],
    ])("signs users in for %o who signed in there %s seconds ago", async (parameters, seconds) => {
      if (seconds !== undefined) provider.claims = { ...provider.claims, auth_time: ago(seconds) };
      expect(hasCode(await signIn(parameters))).toBe(true);
    });
  });
});
