import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { locales } from "../../../messages/locales";
import { invalidateDirectory } from "../../directory/cache";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { answerOf, authorizePath, errorOf, refresh, tokensOf, userinfo } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

const ADDRESS = "/oidc/v1/end_session";
const BYE = "https://rp.test/bye";

const postTo = (service: TestService, form: Record<string, string>) =>
  service.fetch(ADDRESS, { method: "POST", body: new URLSearchParams(form) });

describe.each(ruleDatabases)("sign-out by an application's server, without a cookie (rule SIGNOUT-1) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  async function signedIn() {
    const browser = service.browser();
    return { browser, tokens: await tokensOf(service, browser) };
  }
  const post = (form: Record<string, string>) => postTo(service, form);
  const isSignedIn = async (browser: ReturnType<TestService["browser"]>) =>
    answerOf(await browser.get(authorizePath({ prompt: "none" }))).has("code");

  it("ends the session of the hint and its grants (zitadel/oidc rp.EndSession), and notifies the apps", async () => {
    const { prisma } = service.ctx.db;
    const { settings } = await prisma.app.findUniqueOrThrow({ where: { id: "a-web" } });
    const told = { ...(settings as object), backChannelLogoutUri: "https://rp.test/logout" };
    await prisma.app.update({ where: { id: "a-web" }, data: { settings: told } });
    invalidateDirectory(service.ctx);
    const other = await signedIn();
    const { browser, tokens } = await signedIn();
    const answer = await post({
      id_token_hint: tokens.id_token,
      client_id: "web",
      post_logout_redirect_uri: BYE,
      state: "s",
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${BYE}?state=s`]);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    expect(await errorOf(await refresh(service, tokens.refresh_token))).toMatchObject({ error: "invalid_grant" });
    expect(await isSignedIn(other.browser)).toBe(true);
    const { sid } = JSON.parse(Buffer.from(tokens.id_token.split(".")[1] ?? "", "base64url").toString());
    const due = await prisma.logoutNotification.findMany({ where: { sessionId: sid } });
    expect(due).toMatchObject([{ clientId: "web" }]);
    await prisma.app.update({ where: { id: "a-web" }, data: { settings: settings ?? {} } });
    invalidateDirectory(service.ctx);
  });

  it("ends nothing for a hint of another client, a forged one, one of an inactive app, and for HEAD", async () => {
    const { browser, tokens } = await signedIn();
    const [header = "", payload = ""] = tokens.id_token.split(".");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    const refused: Record<string, string>[] = [
      { id_token_hint: tokens.id_token, client_id: "spa" },
      { id_token_hint: unsigned },
      { id_token_hint: `${header}.${payload}.${"A".repeat(342)}` },
      { id_token_hint: tokens.access_token },
    ];
    for (const form of refused) expect((await post(form)).status).toBe(400);
    const query = new URLSearchParams({ id_token_hint: tokens.id_token });
    expect((await service.fetch(`${ADDRESS}?${query}`, { method: "HEAD" })).status).toBe(303);
    const { prisma } = service.ctx.db;
    await prisma.app.update({ where: { id: "a-web" }, data: { state: "inactive" } });
    invalidateDirectory(service.ctx);
    expect((await post({ id_token_hint: tokens.id_token })).status).toBe(303);
    await prisma.app.update({ where: { id: "a-web" }, data: { state: "active" } });
    invalidateDirectory(service.ctx);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it("asks if an address comes without hint and client, and then does not redirect there (omniauth)", async () => {
    const { browser } = await signedIn();
    const query = new URLSearchParams({ post_logout_redirect_uri: BYE, state: "s" });
    const location = (await browser.get(`${ADDRESS}?${query}`)).headers.get("location") ?? "";
    expect(location).toContain("/logout?flow=");
    expect(await isSignedIn(browser)).toBe(true);
    const done = await browser.post("/logout/submit", { flow: new URL(location).searchParams.get("flow") ?? "" });
    expect(done.headers.get("location")).toMatch(/\/logout\/done$/);
    expect(await isSignedIn(browser)).toBe(false);
    const nobody = await service.fetch(`${ADDRESS}?${query}`);
    expect(nobody.headers.get("location")).toMatch(/\/logout\/done$/);
  });
});

it("sign-out by an application's server says in the visible sentence what a request was refused for, in every language", async () => {
  const service = await testService("sqlite", exampleBootstrap);
  const hint = { id_token_hint: (await tokensOf(service, service.browser())).id_token };
  const mistakes: [string, Record<string, string>][] = [
    ["The id_token_hint was not issued by this service.", { id_token_hint: "a.b.c" }],
    ["The client_id names another application than the id_token_hint.", { ...hint, client_id: "spa" }],
    [
      "The post_logout_redirect_uri is not registered for the application.",
      { ...hint, post_logout_redirect_uri: `${BYE}/x` },
    ],
    ["A parameter is repeated, too long or not readable.", { state: "x".repeat(9_000) }],
  ];
  for (const [sentence, form] of mistakes) {
    const seen = new Set<string>();
    for (const { tag: ui_locales } of locales) {
      const page = await (await postTo(service, { ...form, ui_locales })).text();
      const visible = /<h1[^>]*>.*?<\/h1><p>([^<]+)<\/p>/.exec(page)?.[1] ?? "";
      if (ui_locales === "en") expect(visible).toBe(sentence);
      seen.add(visible);
    }
    expect(seen.size).toBe(locales.length);
  }
});
