import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSecuritySettings } from "../../directory/instance-settings";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { answerOf, authorizePath, basic, errorOf, fillSignIn, flowOf, pkcePair, redeem } from "../../testing/flow";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { sweepExpired } from "../sweep";

const MINUTE = 60_000;
const requiring = (clientId: string) => ({
  id: `a-${clientId}`,
  name: "Requires a push",
  oidc: {
    clientId,
    clientSecret: SECRET,
    redirectUris: ["https://rp.test/cb"],
    requirePushedAuthorizationRequests: true,
  },
});
const [acme] = exampleBootstrap.organizations;
const bootstrap = {
  organizations: [
    {
      ...acme,
      projects: (acme?.projects ?? []).map((project) => ({ ...project, apps: [...project.apps, requiring("strict")] })),
    },
  ],
};

describe.each(databaseKinds)("pushed authorization requests (RFC 9126) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const post = (form: Record<string, string>, authorization: string | null = basic("web", SECRET)) =>
    service.fetch("/oauth/v2/par", {
      method: "POST",
      body: new URLSearchParams(form),
      headers: authorization === null ? {} : { authorization },
    });
  const wanted = (parameters: Partial<Record<string, string>> = {}) =>
    Object.fromEntries(new URL(authorizePath(parameters), "https://a.test").searchParams);
  /** Returns the request_uri of a pushed request. */
  const pushed = async (parameters: Partial<Record<string, string>> = {}, authorization?: string) => {
    const response = await post(wanted(parameters), authorization);
    expect(response.status).toBe(201);
    return ((await response.json()) as { request_uri: string }).request_uri;
  };
  const open = (browser: TestBrowser, requestUri: string, more: Record<string, string> = {}) =>
    browser.get(
      `/oauth/v2/authorize?${new URLSearchParams({ client_id: "web", request_uri: requestUri, ...more }).toString()}`,
    );
  const isSignIn = (response: Response) => (response.headers.get("location") ?? "").includes("/login?");

  it("answers 201 with a reference that cannot be guessed and lives for a minute", async () => {
    const response = await post(wanted());
    expect(response.status).toBe(201);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
      expires_in: 60,
    });
  });

  it("issues a code for a pushed request, whose parameters replace those of the address", async () => {
    const { verifier, challenge } = pkcePair();
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const requestUri = await pushed({ state: "the pushed one", ...pkce });
    const browser = service.browser();
    const page = await open(browser, requestUri, { state: "another", redirect_uri: "https://evil.test/cb" });
    const answer = answerOf(await fillSignIn(browser, page));
    expect(answer.get("state")).toBe("the pushed one");
    expect((await redeem(service, answer.get("code") ?? "", { code_verifier: verifier })).status).toBe(200);
  });

  it("can be opened again until its sign-in ends, and not after that", async () => {
    const requestUri = await pushed();
    const [first, second] = [service.browser(), service.browser()];
    const page = await open(first, requestUri);
    expect(isSignIn(await open(first, requestUri))).toBe(true);
    const other = await open(second, requestUri);
    expect(answerOf(await fillSignIn(first, page)).get("code")).toBeTruthy();
    const late = answerOf(await fillSignIn(second, other));
    expect([late.get("error"), late.get("code")]).toEqual(["invalid_request_uri", null]);
    expect((await open(first, requestUri)).status).toBe(400);
  });

  it("issues one code if two windows finish at the same time", async () => {
    const requestUri = await pushed();
    const browsers = [service.browser(), service.browser(), service.browser()];
    const pages = await Promise.all(browsers.map((browser) => open(browser, requestUri)));
    const answers = await Promise.all(
      browsers.map(async (browser, index) => answerOf(await fillSignIn(browser, pages[index] as Response))),
    );
    expect(answers.filter((answer) => answer.has("code"))).toHaveLength(1);
  });

  it("deletes requests minutes after they expired", async () => {
    await pushed();
    service.advance(40 * MINUTE);
    await sweepExpired(service.ctx);
    expect(await service.ctx.db.prisma.pushedRequest.count()).toBe(0);
  });

  it("limits what one network pushes in the name of a public client", async () => {
    const { challenge } = pkcePair();
    const spa = wanted({ client_id: "spa", code_challenge: challenge, code_challenge_method: "S256" });
    const answers = await Promise.all(Array.from({ length: 620 }, () => post(spa, null)));
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await post(wanted())).status).toBe(201);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("waits a minute for a browser, and half an hour for the user after that", async () => {
    const [unopened, opened] = [await pushed(), await pushed()];
    const browser = service.browser();
    await open(browser, opened);
    service.advance(MINUTE + 1);
    expect((await open(browser, unopened)).status).toBe(400);
    service.advance(28 * MINUTE);
    expect(isSignIn(await open(browser, opened))).toBe(true);
    service.advance(2 * MINUTE);
    expect((await open(browser, opened)).status).toBe(400);
  });

  it("shows another client's reference as unknown", async () => {
    const requestUri = await pushed();
    const browser = service.browser();
    const foreign = await browser.get(
      `/oauth/v2/authorize?${new URLSearchParams({ client_id: "post", request_uri: requestUri })}`,
    );
    const unknown = await open(browser, requestUri.slice(0, -1) + (requestUri.endsWith("A") ? "B" : "A"));
    expect([foreign.status, unknown.status]).toEqual([400, 400]);
    expect(isSignIn(await open(browser, requestUri))).toBe(true);
  });

  it("ends with a refusal of the user, which returns state and issuer", async () => {
    const requestUri = await pushed();
    const browser = service.browser();
    const flow = flowOf(await open(browser, requestUri));
    const answer = answerOf(await browser.post("/login/cancel", { flow, cancel: "1" }));
    expect([answer.get("error"), answer.get("state")]).toEqual(["access_denied", "s-1"]);
    expect(answer.get("iss")).toBe(service.ctx.config.baseUrl);
    expect((await open(browser, requestUri)).status).toBe(400);
  });

  it.each([
    ["a request_uri", { request_uri: "urn:ietf:params:oauth:request_uri:x" }, "invalid_request"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["an unregistered redirect URI", { redirect_uri: "https://evil.test/cb" }, "invalid_request"],
    ["no redirect URI", { redirect_uri: "" }, "invalid_request"],
    ["a response type of another app", { response_type: "id_token" }, "unauthorized_client"],
    ["an unknown response type", { response_type: "token" }, "unsupported_response_type"],
    ["a scope without openid", { scope: "profile" }, "invalid_scope"],
    ["a plain code challenge", { code_challenge: "x".repeat(43), code_challenge_method: "plain" }, "invalid_request"],
  ])("refuses a push with %s and stores nothing", async (_, parameters, error) => {
    const count = () => service.ctx.db.prisma.pushedRequest.count();
    const before = await count();
    expect(await errorOf(await post(wanted(parameters)))).toEqual({ status: 400, error });
    expect(await count()).toBe(before);
  });

  it("authenticates the client as the token endpoint does", async () => {
    expect(await errorOf(await post(wanted(), basic("web", "wrong")))).toEqual({
      status: 401,
      error: "invalid_client",
    });
    expect(await errorOf(await post(wanted(), null))).toEqual({ status: 401, error: "invalid_client" });
    expect(await errorOf(await post(wanted({ client_id: "post" })))).toMatchObject({ error: expect.any(String) });
    const { challenge } = pkcePair();
    const spa = { client_id: "spa", code_challenge: challenge, code_challenge_method: "S256" };
    expect((await post(wanted(spa), null)).status).toBe(201);
  });

  it("stores no credentials with the request", async () => {
    const requestUri = await pushed({ client_id: "post", client_secret: SECRET }, undefined).catch(() => undefined);
    expect(requestUri).toBeUndefined();
    const response = await post(wanted({ client_id: "post", client_secret: SECRET }), null);
    expect(response.status).toBe(201);
    const rows = await service.ctx.db.prisma.pushedRequest.findMany({ where: { clientId: "post" } });
    expect(rows.map(({ parameters }) => parameters.includes(SECRET))).toEqual([false]);
  });

  it("refuses requests that were not pushed if the app requires it", async () => {
    const browser = service.browser();
    const direct = answerOf(await browser.get(authorizePath({ client_id: "strict" })));
    expect([direct.get("error"), direct.get("state")]).toEqual(["invalid_request", "s-1"]);
    const { challenge } = pkcePair();
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const requestUri = await pushed({ client_id: "strict", ...pkce }, basic("strict", SECRET));
    const opened = await browser.get(
      `/oauth/v2/authorize?${new URLSearchParams({ client_id: "strict", request_uri: requestUri })}`,
    );
    expect(isSignIn(opened)).toBe(true);
  });

  it("refuses requests that were not pushed by any app while the security settings require it, but those of the console", async () => {
    const set = (requirePushedAuthorizationRequests: boolean) =>
      setSecuritySettings({ ...service.ctx, origin: { actor: "system" } }, { requirePushedAuthorizationRequests });
    const discovered = async () =>
      ((await (await service.fetch("/.well-known/openid-configuration")).json()) as Record<string, unknown>)
        .require_pushed_authorization_requests;
    expect(await discovered()).toBe(false);
    await set(true);
    const direct = answerOf(await service.browser().get(authorizePath()));
    expect([direct.get("error"), direct.get("state")]).toEqual(["invalid_request", "s-1"]);
    expect(isSignIn(await open(service.browser(), await pushed()))).toBe(true);
    const browser = service.browser();
    const console = (await browser.get("/console/sign-in")).headers.get("location") ?? "";
    expect(isSignIn(await browser.get(console.slice(BASE_URL.length)))).toBe(true);
    expect(await discovered()).toBe(true);
    await set(false);
    expect(isSignIn(await service.browser().get(authorizePath()))).toBe(true);
  });
});
