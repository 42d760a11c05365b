import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setSecuritySettings } from "../directory/instance-settings";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { DOCUMENT_REDIRECT, type DocumentHost, documentHost } from "../testing/document-host";
import { PASSWORD } from "../testing/example";
import {
  answerOf,
  authorizePath,
  fillSignIn,
  letIn,
  onOf,
  pkcePair,
  postToken,
  type Tokens,
  userinfo,
} from "../testing/flow";
import { registeringAt, TOOL_CALLBACK } from "../testing/registering";
import { type TestService, testService } from "../testing/test-context";
import { SERVICE_SCOPE, tokenApp, tokenBootstrap } from "../testing/token-example";

const { verifier, challenge } = pkcePair();
const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
const ADA = { loginName: "ada@acme.test", password: PASSWORD };
const GUS = { loginName: "gus@globex.test", password: PASSWORD };
const [acme, globex, ...others] = tokenBootstrap.organizations;
const manager = {
  ...{ id: "u-gil", userName: "gil@globex.test", password: PASSWORD, roles: ["ORG_OWNER"] },
  ...{ profile: { firstName: "Gil", lastName: "Globex" }, email: { email: "gil@globex.test", isEmailVerified: true } },
};
const [p1, ...rest] = acme?.projects ?? [];
const bootstrap = {
  ...tokenBootstrap,
  organizations: [
    {
      ...acme,
      projects: [
        {
          ...p1,
          apps: [...(p1?.apps ?? []), tokenApp("tool-admin", { isThirdParty: true, allowManagementApi: true })],
        },
        ...rest,
      ],
    },
    { ...globex, users: [...((globex as { users?: object[] })?.users ?? []), manager] },
    ...others,
  ],
};

describe.each(ruleDatabases)("decisions of organizations about apps (rule TRUST-5) on %s", (kind) => {
  let service: TestService;
  let host: DocumentHost;
  let token: string;
  let foreign: string;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    host = await documentHost(service);
    await setSecuritySettings(
      { ...service.ctx, origin: { actor: "system" } },
      {
        clientIdMetadataDocuments: { enabled: true, allowedHosts: [], deniedHosts: [] },
        dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
      },
    );
    [token, foreign] = [await apiToken(service), await apiToken(service, "gil@globex.test")];
  });
  beforeEach(async () => {
    for (const { id } of (await search()).result) await remove(id);
    await service.ctx.db.run(`DELETE FROM "Consent"`, []);
  });
  afterAll(async () => {
    await host.close();
    await service.close();
  });

  const call = (method: string, path: string, body?: object, as = token) =>
    callApi(service, method, `/management/v1/client_decisions${path}`, { token: as, body });
  const search = async (queries: object[] = [], as = token) => (await call("POST", "/_search", { queries }, as)).body;
  const remove = (id: string, as = token) => call("DELETE", `/${id}`, undefined, as);
  const decide = async (decision: "ALLOW" | "FORBID", value: string, as = token) => {
    const of = /^(?:\*|[\w*-]+(\.[\w-]+)*)$/.test(value) && !value.startsWith("id:") ? "HOST" : "CLIENT";
    const body = {
      kind: `CLIENT_DECISION_KIND_${of}`,
      value: value.replace("id:", ""),
      decision: `CLIENT_DECISION_${decision}`,
    };
    const made = await call("POST", "", body, as);
    if (made.status !== 200) throw new Error(JSON.stringify(made.body));
    return made.body.id as string;
  };
  const request = (client_id: string, more: Partial<Record<string, string>> = {}) => ({
    ...{ client_id, redirect_uri: DOCUMENT_REDIRECT, scope: "openid offline_access", ...pkce },
    ...more,
  });
  /** Signs in at an app. Returns the page that asks (`asked`), or what the app gets. */
  const signIn = async (parameters: Partial<Record<string, string>>, person = ADA) => {
    const browser = service.browser();
    const response = await fillSignIn(browser, await browser.get(authorizePath(parameters)), person);
    return onOf(response).startsWith("/login/continue") ? { asked: true, browser, response } : answerOf(response);
  };
  const outcome = async (parameters: Partial<Record<string, string>>, person = ADA) => {
    const answer = await signIn(parameters, person);
    return "asked" in answer ? "asked" : (answer.get("error") ?? (answer.has("code") ? "code" : "nothing"));
  };
  const tokensOf = async (clientId: string, redirect_uri = DOCUMENT_REDIRECT, person = ADA) => {
    const answer = await signIn(request(clientId, { redirect_uri }), person);
    const got = "asked" in answer ? answerOf(await letIn(answer.browser, answer.response)) : answer;
    const form = { grant_type: "authorization_code", code: got.get("code") ?? "", redirect_uri, client_id: clientId };
    return (await (await postToken(service, { ...form, code_verifier: verifier }, null)).json()) as Tokens;
  };
  const refreshed = async (clientId: string, { refresh_token }: Tokens) =>
    (
      await postToken(
        service,
        { grant_type: "refresh_token", client_id: clientId, refresh_token: refresh_token ?? "" },
        null,
      )
    ).status;

  it("let an allowed client in without the question, for users of that organization alone", async () => {
    const clientId = host.serve("/allowed");
    expect(await outcome(request(clientId))).toBe("asked");
    await decide("ALLOW", clientId);
    expect(await outcome(request(clientId))).toBe("code");
    expect(await outcome(request(clientId), GUS)).toBe("asked");
    expect((await tokensOf(clientId)).access_token).toBeTruthy();
  });

  it("allow every document of a host, and clients that registered a redirect URI there", async () => {
    const { request: ask, registered } = registeringAt(service);
    const tool = await registered();
    expect(await outcome(ask(tool))).toBe("asked");
    await decide("ALLOW", "localhost");
    await decide("ALLOW", "*.test");
    expect(await outcome(request(host.serve("/any")))).toBe("code");
    expect(await outcome(ask(tool))).toBe("code");
    expect(await outcome(request(host.serve("/on-loopback"), { prompt: "none" }))).not.toBe("code");
  });

  it("ask nevertheless if the app wants to ask, or to manage the service", async () => {
    const clientId = host.serve("/again");
    await decide("ALLOW", clientId);
    await decide("ALLOW", "tool-admin");
    expect(await outcome(request(clientId, { prompt: "consent" }))).toBe("asked");
    const admin = { client_id: "tool-admin", redirect_uri: "https://rp.test/cb" };
    expect(await outcome({ ...admin, scope: `openid ${SERVICE_SCOPE}` })).toBe("asked");
  });

  it("end the tokens of a forbidden client at once, and give it no others", async () => {
    const clientId = host.serve("/forbidden");
    const [mine, theirs] = [await tokensOf(clientId), await tokensOf(clientId, DOCUMENT_REDIRECT, GUS)];
    expect((await userinfo(service, mine.access_token)).status).toBe(200);
    await decide("FORBID", clientId);
    expect((await userinfo(service, mine.access_token)).status).toBe(401);
    expect(await refreshed(clientId, mine)).toBe(400);
    expect(await outcome(request(clientId))).toBe("access_denied");
    // Another organization decides for itself.
    expect((await userinfo(service, theirs.access_token)).status).toBe(200);
    expect(await refreshed(clientId, theirs)).toBe(200);
    const events = await service.ctx.db.prisma.event.findMany({ where: { type: "user.grant.revoked" } });
    expect(events.at(-1)).toMatchObject({ aggregateId: "u-ada", actor: "u-ada" });
    expect(events.at(-1)?.payload).toMatchObject({ clientId, reason: "forbidden by the organization" });
    const attempts = await callApi(service, "POST", "/management/v1/sign_in_attempts/_search", { token, body: {} });
    expect(attempts.body.result[0]).toMatchObject({ reason: "client_forbidden", clientId });
  });

  it("forbid every app of others but the allowed ones, and no app of the organization", async () => {
    const [good, bad] = [host.serve("/good"), host.serve("/bad")];
    const tokens = await tokensOf(bad);
    await decide("ALLOW", good);
    await decide("FORBID", "*");
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    expect(await outcome(request(bad))).toBe("access_denied");
    expect(await outcome(request(good))).toBe("code");
    expect(await outcome({ client_id: "web" })).toBe("code");
    expect((await callApi(service, "GET", "/auth/v1/users/me", { token })).status).toBe(200);
  });

  it("forbid again what only a withdrawn decision allowed", async () => {
    const clientId = host.serve("/withdrawn");
    const id = await decide("ALLOW", clientId);
    await decide("FORBID", "localhost");
    const tokens = await tokensOf(clientId);
    expect((await userinfo(service, tokens.access_token)).status).toBe(200);
    expect((await remove(id)).status).toBe(200);
    expect((await userinfo(service, tokens.access_token)).status).toBe(401);
    expect((await remove(id)).status).toBe(404);
  });

  it("refuse a code that was issued before, in case another process did not know the decision", async () => {
    const clientId = host.serve("/late");
    await decide("ALLOW", clientId);
    const answer = await signIn(request(clientId));
    if ("asked" in answer) throw new Error("the user was asked");
    const row = { organizationId: "acme", kind: "client", value: clientId };
    await service.ctx.db.prisma.clientDecision.updateMany({ where: row, data: { decision: "forbid" } });
    service.advance(6_000);
    const form = { grant_type: "authorization_code", code: answer.get("code") ?? "", client_id: clientId };
    const late = await postToken(service, { ...form, redirect_uri: DOCUMENT_REDIRECT, code_verifier: verifier }, null);
    expect(await late.json()).toMatchObject({ error: "invalid_grant" });
  });

  it("are listed with the name of the app, replaced by value, and compared in one form of a host", async () => {
    const id = await decide("ALLOW", "Agent.Example.COM");
    expect(await decide("FORBID", "agent.example.com")).toBe(id);
    await decide("ALLOW", "id:web");
    const { result } = await search();
    expect(result.map(({ value, decision, appName }: Record<string, string>) => [value, decision, appName])).toEqual([
      ["web", "CLIENT_DECISION_ALLOW", expect.any(String)],
      ["agent.example.com", "CLIENT_DECISION_FORBID", undefined],
    ]);
    const forbidden = await search([{ decisionQuery: { decision: "CLIENT_DECISION_FORBID" } }]);
    expect(forbidden.result.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it.each([
    ["HOST", "ALLOW", "*"],
    ["HOST", "FORBID", "https://x.test/"],
    ["HOST", "FORBID", "10.0.0.1"],
    ["CLIENT", "ALLOW", "a\nb"],
    ["CLIENT", "ALLOW", "x".repeat(257)],
  ])("refuse %s %s %s", async (of, decision, value) => {
    const body = { kind: `CLIENT_DECISION_KIND_${of}`, value, decision: `CLIENT_DECISION_${decision}` };
    expect(refusalOf(await call("POST", "", body))).toMatchObject({ status: 400, id: "client_decision.invalid" });
  });

  it("are neither read, changed nor made by the owner of another organization", async () => {
    const id = await decide("FORBID", "secret-plan.test");
    expect(await search([], foreign)).not.toHaveProperty("result.0");
    expect((await remove(id, foreign)).status).toBe(404);
    const at = { headers: { "x-service-orgid": "acme" }, token: foreign };
    const body = { kind: "CLIENT_DECISION_KIND_HOST", value: "x.test", decision: "CLIENT_DECISION_FORBID" };
    expect((await callApi(service, "POST", "/management/v1/client_decisions", { ...at, body })).status).toBe(403);
    const clientId = host.serve("/of-acme");
    await decide("ALLOW", clientId, foreign);
    expect(await outcome(request(clientId))).toBe("asked");
    expect(await outcome(request(clientId), GUS)).toBe("code");
  });

  it("keep apps of a redirect URI apart from others of the same client", async () => {
    const { registered } = registeringAt(service);
    const tool = await registered({ redirect_uris: [TOOL_CALLBACK, "https://bad.test/callback"] });
    await decide("FORBID", "bad.test");
    expect(await outcome(request(tool.client_id, { redirect_uri: TOOL_CALLBACK }))).toBe("asked");
    expect(await outcome(request(tool.client_id, { redirect_uri: "https://bad.test/callback" }))).toBe("access_denied");
  });
});
