import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { type Exchanged, exchange } from "../../testing/exchange";
import { basic, type Tokens, userinfo } from "../../testing/flow";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { confirm, redeemed, signedIn, visit } from "../../testing/visits";

const EVERYTHING = "openid profile email phone address offline_access";
const EVIL = basic("evil-exchange", SECRET);
const OWN = basic("own-exchange", SECRET);

describe.each(ruleDatabases)("an id_token that is exchanged, on %s", (kind) => {
  let service: TestService;
  let iam: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    iam = await callerOf(service, "acme-iam");
  });
  afterAll(() => service.close());

  /** What an app was given for a scope, with the person's consent where that is asked for. */
  async function given(client: string, scope: string, browser?: TestBrowser): Promise<Tokens> {
    const person = browser ?? (await signedIn(service, "ada"));
    return redeemed(service, client, await confirm(person, await visit(person, client, { scope })));
  }
  const told = async (token: string | undefined) =>
    token === undefined ? {} : ((await (await userinfo(service, token)).json()) as Record<string, unknown>);
  const by = (
    idToken: string,
    scope?: string,
    more: object = {},
    who = EVIL,
  ): Promise<Exchanged & { status: number }> =>
    exchange(service, { subject: ["idToken", idToken], ...(scope ? { scope } : {}), ...more }, who);

  it.each<[string, string, string]>([
    ["an app of another organization", "evil-exchange", EVIL],
    ["an app of the same organization", "own-exchange", OWN],
  ])("gives %s no more than its grant", async (_, client, who) => {
    const tokens = await given(client, "openid");
    expect(Object.keys(await told(tokens.access_token))).toEqual(["sub"]);
    const scopes = [
      undefined,
      "openid",
      ...EVERYTHING.split(" ").map((scope) => `openid ${scope}`),
      EVERYTHING,
      "email",
    ];
    for (const scope of scopes) {
      for (const requested of ["accessToken", "jwt", "idToken"] as const) {
        const answer = await by(tokens.id_token, scope, { requested }, who);
        const claims = requested === "idToken" ? {} : await told(answer.access_token);
        expect([
          scope,
          requested,
          Object.keys(claims).filter((name) => !["sub", "error", "error_description"].includes(name)),
        ]).toEqual([scope, requested, []]);
        expect([scope, requested, answer.refresh_token]).toEqual([scope, requested, undefined]);
        if (answer.status === 200) expect((answer.scope ?? "").replace("openid", "").trim()).toBe("");
      }
    }
  });

  it("gives the scopes of its grant, as long as the grant lasts", async () => {
    const tokens = await given("own-exchange", "openid email");
    const answer = await by(tokens.id_token, "openid email", {}, OWN);
    expect(answer.status).toBe(200);
    expect(await told(answer.access_token)).toMatchObject({ sub: "u-ada", email: "ada@acme.test" });
  });

  it.each<[string, (service: TestService) => Promise<unknown>]>([
    [
      "an administrator takes back what apps have",
      () => iam("DELETE", "/management/v1/users/u-ada/tokens", undefined, "acme"),
    ],
    ["the person is signed out", () => iam("DELETE", "/management/v1/users/u-ada/sessions", undefined, "acme")],
    ["the person is locked", () => iam("POST", "/management/v1/users/u-eve/_lock", {}, "acme")],
  ])("is worth nothing after %s", async (name, act) => {
    const browser = await signedIn(service, name.endsWith("locked") ? "eve" : "ada");
    const tokens = await given("evil-exchange", EVERYTHING, browser);
    expect((await by(tokens.id_token, "openid")).status).toBe(200);
    await act(service);
    for (const scope of [undefined, "openid", EVERYTHING]) {
      const answer = await by(tokens.id_token, scope);
      expect([scope, answer.status, answer.access_token]).toEqual([scope, 400, undefined]);
    }
  });

  it("is useless after the user disconnected the app", async () => {
    const browser = await signedIn(service, "bob");
    const tokens = await given("evil-exchange", EVERYTHING, browser);
    const apps = await iam("POST", "/management/v1/users/u-bob/tokens/_search", {}, "acme");
    for (const { id } of apps.body.result)
      await iam("DELETE", `/management/v1/users/u-bob/tokens/${id}`, undefined, "acme");
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    expect((await by(tokens.id_token, EVERYTHING)).status).toBe(400);
  });

  it("is useless after the app revoked its tokens", async () => {
    const tokens = await given("evil-exchange", EVERYTHING);
    const body = new URLSearchParams({ token: tokens.refresh_token });
    await service.fetch("/oauth/v2/revoke", { method: "POST", body, headers: { authorization: EVIL } });
    expect((await by(tokens.id_token, EVERYTHING)).status).toBe(400);
  });

  it("gives another app of the project none of the consent for the first", async () => {
    const tokens = await given("evil-exchange", EVERYTHING);
    const answer = await exchange(
      service,
      { subject: ["idToken", tokens.id_token], scope: EVERYTHING, more: { client_id: "evil-spa" } },
      null,
    );
    expect([answer.status, answer.access_token]).toEqual([expect.not.stringMatching("200"), undefined]);
  });

  it("cannot be handed from one organization's app to another's", async () => {
    const tokens = await given("own-exchange", EVERYTHING);
    expect((await by(tokens.id_token, "openid")).status).toBe(400);
    const theirs = await given("evil-exchange", "openid");
    expect((await by(theirs.id_token, "openid", {}, OWN)).status).toBe(400);
  });
});
