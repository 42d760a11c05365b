import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { basic, postToken, type Tokens } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { offerProviderOf, responseOf } from "../../testing/provider-sign-in";
import { type TestService, testService } from "../../testing/test-context";
import { SERVICE_SCOPE } from "../../testing/token-example";

const MACHINE_SECRET = "a-secret-of-a-machine-with-40-characters-or-more";
const [acme] = exampleBootstrap.organizations;
const machine = (id: string, role: string) => ({ id, userName: id, name: id, secret: MACHINE_SECRET, roles: [role] });
const machines = [machine("login", "IAM_LOGIN_CLIENT"), machine("owner", "ORG_OWNER")];
const bootstrap = { organizations: [{ ...acme, machines }] };
const urls = { successUrl: "https://login.acme.test/ok?a=1", failureUrl: "https://login.acme.test/failed" };

describe.each(ruleDatabases)("sign-ins at providers for a login of its own, on %s", (kind) => {
  let service: TestService;
  let provider: ForgedProvider;
  let idp = "";
  const tokens = { login: "", owner: "" };
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    provider = await forgedProvider();
  });
  // Tests advance the clock.
  beforeEach(async () => {
    for (const name of ["login", "owner"] as const) {
      const form = { grant_type: "client_credentials", scope: `openid ${SERVICE_SCOPE}` };
      const answer = await postToken(service, form, basic(name, MACHINE_SECRET));
      tokens[name] = ((await answer.json()) as Tokens).access_token;
    }
    provider.claims = { sub: `sub-${kind}`, email: "ann@elsewhere.test", email_verified: true, name: "Ann Lee" };
    if (idp === "") idp = await offerProviderOf(service, await apiToken(service), provider);
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  const call = (path: string, body: object, as: keyof typeof tokens = "login") =>
    callApi(service, "POST", path, { token: tokens[as], body });
  const start = async (idpId = idp): Promise<URL> => {
    const { status, body } = await call("/v2/idp_intents", { idpId, urls });
    expect(status).toBe(200);
    return new URL(body.authUrl);
  };
  /** Where the browser, which has no cookie of ours, is sent after the provider. */
  const comeBack = async (at: URL, more: Record<string, string> = {}) => {
    const answer = await service.fetch(responseOf(provider, at, more));
    return new URL(answer.headers.get("location") ?? "about:blank");
  };
  const prove = async () => {
    const back = await comeBack(await start());
    const [id = "", token = ""] = ["id", "token"].map((name) => back.searchParams.get(name) ?? "");
    return { back, id, token, idpIntent: { idpIntentId: id, idpIntentToken: token } };
  };
  const create = (checks: object) => call("/v2/sessions", { checks });
  const link = (userId: string) =>
    call(`/v2/users/${userId}/links`, { idpLink: { idpId: idp, userId: `sub-${kind}`, userName: "ann" } }, "owner");

  it("tell the login client who came back, before and after the account is connected, and start one session", async () => {
    const { back, id, token, idpIntent } = await prove();
    expect(back.href).toMatch(/^https:\/\/login\.acme\.test\/ok\?a=1&id=[\w-]+&token=[\w-]+$/);
    const read = await call(`/v2/idp_intents/${id}`, { idpIntentToken: token });
    expect(read.body).toMatchObject({
      idpInformation: { idpId: idp, userId: `sub-${kind}`, rawInformation: { name: "Ann Lee" } },
      addHumanUser: {
        username: "ann@elsewhere.test",
        profile: { givenName: "Ann", familyName: "Lee" },
        email: { email: "ann@elsewhere.test", isVerified: true },
        idpLinks: [{ idpId: idp, userId: `sub-${kind}` }],
      },
    });
    expect(read.body.userId).toBeUndefined();
    // A refused check uses the token up too.
    expect(refusalOf(await create({ idpIntent })).id).toBe("idp_intent.no_user");
    expect(refusalOf(await create({ idpIntent })).id).toBe("idp_intent.not_found");

    expect((await link("u-bob")).status).toBe(200);
    const next = await prove();
    expect(next.back.searchParams.get("user")).toBe("u-bob");
    const known = await call(`/v2/idp_intents/${next.id}`, { idpIntentToken: next.token });
    expect([known.body.userId, known.body.addHumanUser]).toEqual(["u-bob", undefined]);
    const checks = { user: { userId: "u-bob" }, idpIntent: next.idpIntent };
    const both = await Promise.all([create(checks), create(checks)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const made = both.find(({ status }) => status === 200)?.body;
    const path = `/v2/sessions/${made.sessionId}?sessionToken=${encodeURIComponent(made.sessionToken)}`;
    const { session } = (await callApi(service, "GET", path, { token: tokens.login })).body;
    expect(session.factors).toMatchObject({ user: { id: "u-bob" }, intent: { verifiedAt: expect.any(String) } });
    expect(session.factors.password).toBeUndefined();
  });

  it("sign in the named user only, and not a locked one", async () => {
    const { idpIntent } = await prove();
    expect(refusalOf(await create({ user: { loginName: "ada@acme.test" }, idpIntent })).id).toBe("idp_intent.no_user");
    const unnamed = await create({ idpIntent: (await prove()).idpIntent });
    expect(unnamed.status).toBe(200);
    await call("/v2/users/u-bob/lock", {}, "owner");
    expect(refusalOf(await create({ idpIntent: (await prove()).idpIntent })).id).toBe("idp_intent.no_user");
    await call("/v2/users/u-bob/unlock", {}, "owner");
  });

  it("begin sessions that end at a sign-out at the provider", async () => {
    const made = (await create({ idpIntent: (await prove()).idpIntent })).body;
    const path = `/v2/sessions/${made.sessionId}?sessionToken=${encodeURIComponent(made.sessionToken)}`;
    const read = async () => (await callApi(service, "GET", path, { token: tokens.login })).status;
    expect(await read()).toBe(200);
    const iat = Math.floor(service.ctx.clock() / 1000);
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const claims = { iss: provider.issuer, aud: "us", iat, exp: iat + 120, jti: randomUUID(), events };
    const body = new URLSearchParams({ logout_token: await provider.sign({ ...claims, sub: `sub-${kind}` }) });
    const answer = await service.fetch(`/idps/${idp}/backchannel_logout`, { method: "POST", body });
    expect(answer.status).toBe(200);
    expect(await read()).toBe(404);
  });

  it("end on the failure page, and a response counts once", async () => {
    const at = await start();
    const denied = await comeBack(at, { error: "access_denied" });
    expect(denied.href).toMatch(/^https:\/\/login\.acme\.test\/failed\?id=[\w-]+&error=access_denied$/);
    expect((await comeBack(at)).href).toBe("about:blank");
    expect((await comeBack(await start(), { code: "other" })).searchParams.get("error")).toBe("server_error");
  });

  it("expire after ten minutes, and belong to their id", async () => {
    const { id, token } = await prove();
    const other = await prove();
    const read = (intent: string) => call(`/v2/idp_intents/${intent}`, { idpIntentToken: token });
    expect(refusalOf(await read(other.id)).id).toBe("idp_intent.not_found");
    expect((await read(id)).status).toBe(200);
    service.advance(10 * 60_000);
    expect(refusalOf(await read(id)).id).toBe("idp_intent.not_found");
  });

  it("are started by login clients alone, at active providers, for addresses that keep the token secret", async () => {
    const body = { idpId: idp, urls };
    expect((await call("/v2/idp_intents", body, "owner")).status).toBe(403);
    expect(refusalOf(await call("/v2/idp_intents", { ...body, idpId: "none" })).id).toBe("identity_provider.not_found");
    for (const wrong of [
      { idpId: idp },
      { ...body, ldap: { username: "a", password: "b" } },
      { idpId: idp, urls: { ...urls, successUrl: "http://login.acme.test/" } },
    ]) {
      expect(refusalOf(await call("/v2/idp_intents", wrong)).id).toBe("request.invalid");
    }
    const ldap = { username: "ann", password: "secret" };
    expect(refusalOf(await call("/v2/idp_intents", { idpId: idp, ldap })).id).toBe("idp_intent.wrong_way");
  });
});
