import { createPrivateKey } from "node:crypto";
import { exportJWK, importPKCS8, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { announceEndingSecrets } from "../../directory/app/secret";
import { assertionType } from "../../protocol/client-credentials";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { clientKey, exampleBootstrap, SECRET } from "../../testing/example";
import { authorize, basic, redeem, type Tokens } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";

const DAY = 86_400_000;
const APPS = "/management/v1/projects/p1/apps";
const [acme] = exampleBootstrap.organizations;
const elsewhere = { id: "elsewhere", name: "Elsewhere", projects: [{ id: "p2", name: "Theirs" }] };

describe.each(databaseKinds)("apps over the management API on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, { organizations: [acme, elsewhere] });
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    callApi(service, method, path, { token, body, headers });
  const later = async (ms: number) => {
    service.advance(ms);
    token = await apiToken(service);
  };
  const add = async (settings: object = {}) => {
    const { status, body } = await call("POST", `${APPS}/oidc`, { name: "New", ...settings });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body as { appId: string; clientId: string; clientSecret: string; complianceProblems: { key: string }[] };
  };
  const read = async (appId: string) => (await call("GET", `${APPS}/${appId}`)).body.app;
  /** Whether the client authentication of the app is accepted, tested by introspecting an invalid token. */
  const isBelieved = async (clientId: string, secret: string) => {
    const answer = await service.fetch("/oauth/v2/introspect", {
      method: "POST",
      body: new URLSearchParams({ token: "nothing" }),
      headers: { authorization: basic(clientId, secret) },
    });
    return answer.status === 200;
  };

  it("creates a secret that works, returns it once and stores it unreadably", async () => {
    const { appId, clientId, clientSecret } = await add();
    expect(await isBelieved(clientId, clientSecret)).toBe(true);
    const answers = await Promise.all([
      call("GET", `${APPS}/${appId}`),
      call("POST", `${APPS}/_search`),
      call("POST", "/management/v1/apps/_search"),
    ]);
    const events = await service.ctx.db.prisma.event.findMany({ where: { aggregateId: appId } });
    expect(JSON.stringify([answers.map(({ body }) => body), events])).not.toContain(clientSecret);
  });

  it("accepts a second secret beside the first, and revokes one at once", async () => {
    const { appId, clientId, clientSecret: first } = await add();
    const made = (await call("POST", `${APPS}/${appId}/oidc_config/_generate_client_secret`)).body;
    expect(await isBelieved(clientId, first)).toBe(true);
    expect(await isBelieved(clientId, made.clientSecret)).toBe(true);
    const { secrets } = (await read(appId)).oidcConfig;
    expect(secrets).toHaveLength(2);
    const old = secrets.find(({ id }: { id: string }) => id !== made.secretId);
    expect((await call("DELETE", `${APPS}/${appId}/secrets/${old.id}`)).status).toBe(200);
    expect(await isBelieved(clientId, first)).toBe(false);
    expect(await isBelieved(clientId, made.clientSecret)).toBe(true);
    expect(refusalOf(await call("DELETE", `${APPS}/${appId}/secrets/${old.id}`)).id).toBe("app.secret_not_found");
  });

  it("revokes the others at once on request, and permits at most five", async () => {
    const { appId, clientId, clientSecret } = await add();
    const generate = (body?: object) => call("POST", `${APPS}/${appId}/oidc_config/_generate_client_secret`, body);
    for (let count = 2; count <= 5; count++) expect((await generate()).status).toBe(200);
    expect(refusalOf(await generate())).toEqual({ status: 400, code: 9, id: "app.too_many_secrets" });
    const last = (await generate({ keepOthers: false })).body;
    expect((await read(appId)).oidcConfig.secrets).toMatchObject([{ id: last.secretId }]);
    expect(await isBelieved(clientId, clientSecret)).toBe(false);
    expect(await isBelieved(clientId, last.clientSecret)).toBe(true);
  });

  it("refuses a secret after its expiry, and announces the expiry once, two weeks before", async () => {
    const { appId, clientId } = await add();
    const expiresAt = new Date(service.ctx.clock() + 20 * DAY).toISOString();
    const addSecret = (body: object) => call("POST", `${APPS}/${appId}/oidc_config/_add_client_secret`, body);
    expect(refusalOf(await addSecret({ expiresAt: "2001-01-01T00:00:00Z" })).id).toBe("app.secret_expired");
    const { clientSecret, secretId } = (await addSecret({ expiresAt })).body;
    expect((await read(appId)).oidcConfig.secrets[1]).toMatchObject({ id: secretId, expiresAt });
    const announced = async () => {
      await announceEndingSecrets(service.ctx);
      const where = { aggregateId: appId, type: "app.secret.expiring" };
      return (await service.ctx.db.prisma.event.findMany({ where })).map(({ payload }) => payload);
    };
    expect(await announced()).toEqual([]);
    await later(7 * DAY);
    expect(await announced()).toEqual([{ secretId, expiresAt }]);
    expect(await announced()).toHaveLength(1);
    expect(await isBelieved(clientId, clientSecret)).toBe(true);
    await later(13 * DAY);
    expect(await isBelieved(clientId, clientSecret)).toBe(false);
  });

  it("records the last use of a secret, at most once an hour", async () => {
    const { appId, clientId, clientSecret } = await add();
    const lastUsed = async () => (await read(appId)).oidcConfig.secrets[0].lastUsedDate;
    expect(await lastUsed()).toBeUndefined();
    await isBelieved(clientId, clientSecret);
    await expect.poll(lastUsed).toBeDefined();
    const first = await lastUsed();
    await later(30 * 60_000);
    await isBelieved(clientId, clientSecret);
    expect(await lastUsed()).toBe(first);
    await later(31 * 60_000);
    await isBelieved(clientId, clientSecret);
    await expect.poll(lastUsed).not.toBe(first);
  });

  it("stops an app, its tokens and its grants at once when it is deactivated or removed", async () => {
    const settings = {
      clientId: "shortlived",
      redirectUris: ["https://rp.test/cb"],
      authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
    };
    const { appId, clientId, clientSecret } = await add(settings);
    const parameters = { client_id: clientId, scope: "openid" };
    const code = (await authorize(service.browser(), parameters)).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: "https://rp.test/cb" };
    const answer = await service.fetch("/oauth/v2/token", {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { authorization: basic(clientId, clientSecret) },
    });
    const { access_token } = (await answer.json()) as Tokens;
    const userinfo = async () =>
      (await service.fetch("/oidc/v1/userinfo", { headers: { authorization: `Bearer ${access_token}` } })).status;
    expect(await userinfo()).toBe(200);
    expect((await call("POST", `${APPS}/${appId}/_deactivate`)).status).toBe(200);
    expect([await userinfo(), await isBelieved(clientId, clientSecret)]).toEqual([401, false]);
    expect(refusalOf(await call("POST", `${APPS}/${appId}/_deactivate`)).id).toBe("app.already_inactive");
    expect((await call("POST", `${APPS}/${appId}/_reactivate`, {})).status).toBe(200);
    expect([await userinfo(), await isBelieved(clientId, clientSecret)]).toEqual([200, true]);
    expect((await call("DELETE", `${APPS}/${appId}`)).status).toBe(200);
    expect([await userinfo(), await isBelieved(clientId, clientSecret)]).toEqual([401, false]);
    expect(refusalOf(await call("GET", `${APPS}/${appId}`))).toEqual({ status: 404, code: 5, id: "app.not_found" });
    // Only the operator's file can reuse the client id, and the new app gets nothing that was granted to the first.
    for (const clientId of [settings.clientId, "ShortLived"]) {
      const again = await call("POST", `${APPS}/oidc`, { name: "Again", ...settings, clientId });
      expect(refusalOf(again)).toEqual({ status: 409, code: 6, id: "app.client_id_taken" });
    }
    const byId = await call("POST", `${APPS}/oidc`, { name: "Again", appId });
    expect(refusalOf(byId)).toEqual({ status: 409, code: 6, id: "app.id_taken" });
    const app = { name: "Again", oidc: { ...settings, clientSecret: SECRET } };
    const file = { organizations: [{ id: "acme", name: "ACME", projects: [{ id: "p1", name: "Shop", apps: [app] }] }] };
    await applyBootstrap(service.ctx, file);
    expect(await isBelieved(clientId, SECRET)).toBe(true);
    expect(await userinfo()).toBe(401);
  });

  it("creates a key file that authenticates until the key is removed", async () => {
    const { appId, clientId, complianceProblems } = await add({
      authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
    });
    expect(complianceProblems.map(({ key }) => key)).toContain("Application.OIDC.V1.PrivateKeyJwt.NoKey");
    const { body } = await call("POST", `${APPS}/${appId}/keys`, { type: "KEY_TYPE_JSON" });
    const file = JSON.parse(Buffer.from(body.keyDetails, "base64").toString());
    expect(file).toEqual({ type: "application", keyId: body.id, key: expect.any(String), clientId, appId });
    expect(file.key).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/);
    const pkcs8 = createPrivateKey(file.key).export({ type: "pkcs8", format: "pem" }).toString();
    const signingKey = await importPKCS8(pkcs8, "RS256");
    const signsIn = async () => {
      const now = Math.floor(service.ctx.clock() / 1000);
      const assertion = await new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: "RS256", kid: file.keyId })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(BASE_URL)
        .setIssuedAt(now)
        .setExpirationTime(now + 60)
        .sign(signingKey);
      const form = { token: "nothing", client_assertion: assertion, client_assertion_type: assertionType };
      return (await service.fetch("/oauth/v2/introspect", { method: "POST", body: new URLSearchParams(form) })).status;
    };
    expect(await signsIn()).toBe(200);
    const warnings = (await read(appId)).oidcConfig.complianceProblems.map(({ key }: { key: string }) => key);
    expect(warnings).toEqual(["Application.OIDC.V1.NoRedirectUris"]);
    expect((await call("GET", `${APPS}/${appId}/keys/${body.id}`)).body.key).toMatchObject({
      id: body.id,
      algorithm: "RSA",
    });
    expect((await call("DELETE", `${APPS}/${appId}/keys/${body.id}`)).status).toBe(200);
    expect(await signsIn()).toBe(401);
  });

  it("refuses a key that has expired, one that is private and one whose id is taken", async () => {
    const { appId } = await add({ authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" });
    const addKey = async (body: object) =>
      refusalOf(await call("POST", `${APPS}/${appId}/keys`, { type: "KEY_TYPE_JSON", ...body }));
    expect((await addKey({ expirationDate: "2001-01-01T00:00:00Z" })).id).toBe("app.key_expired");
    expect((await addKey({ publicKey: "-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----" })).id).toBe(
      "request.invalid",
    );
    expect((await call("POST", `${APPS}/${appId}/keys`, { type: "KEY_TYPE_JSON", keyId: "k" })).status).toBe(200);
    expect(await addKey({ keyId: "k" })).toEqual({ status: 409, code: 6, id: "app.key_id_taken" });
  });

  it.each([
    ["http://shop.test/cb", "OIDC_AUTH_METHOD_TYPE_NONE"],
    ["javascript:alert(1)", "OIDC_AUTH_METHOD_TYPE_BASIC"],
    ["https://shop.test/*", "OIDC_AUTH_METHOD_TYPE_BASIC"],
    ["com.example.app:/cb", "OIDC_AUTH_METHOD_TYPE_NONE"],
  ])("refuses %s, which could never be used, and says so while it is typed", async (uri, authMethodType) => {
    const refused = await call("POST", `${APPS}/oidc`, {
      name: "Bad",
      redirectUris: ["https://a.test", uri],
      authMethodType,
    });
    expect(refusalOf(refused)).toEqual({ status: 400, code: 3, id: "app.invalid_address" });
    expect(refused.body.details[0].field).toBe("redirectUris[1]");
    const checked = await call("POST", "/management/v1/apps/_check_redirect_uri", { uri, authMethodType });
    expect(checked.body).toMatchObject({ valid: false, reason: expect.any(String) });
  });

  it("gives a client id to one of many concurrent requests, and informs the others", async () => {
    const body = { name: "Race", clientId: "race", redirectUris: ["https://a.test"] };
    const all = await Promise.all(Array.from({ length: 6 }, () => call("POST", `${APPS}/oidc`, body)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it("replaces settings as a whole, resets omitted ones to their default, and keeps the key set", async () => {
    const jwks = { keys: [await exportJWK(clientKey.publicKey)] };
    const { appId } = await add({ redirectUris: ["https://a.test"], devMode: true, accessTokenLifetime: "5m", jwks });
    const put = { redirectUris: ["https://b.test"], idTokenUserinfoAssertion: true };
    expect((await call("PUT", `${APPS}/${appId}/oidc_config`, put)).body).toMatchObject({ noneCompliant: false });
    const { oidcConfig } = await read(appId);
    expect(oidcConfig).toMatchObject({ ...put, devMode: false, jwks });
    expect(oidcConfig).not.toHaveProperty("accessTokenLifetime");
    const [event] = await service.ctx.db.prisma.event.findMany({
      where: { aggregateId: appId, type: "app.changed" },
    });
    expect(event?.payload).toMatchObject({ settings: { from: { devMode: true }, to: put } });
    await call("PUT", `${APPS}/${appId}/oidc_config`, { ...put, jwks: null });
    expect((await read(appId)).oidcConfig).not.toHaveProperty("jwks");
    const wrong = await call("PUT", `${APPS}/${appId}/api_config`, {});
    expect(refusalOf(wrong).id).toBe("app.wrong_kind");
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("suggests https if only that is missing", async () => {
    const body = { uri: "http://shop.test/cb#top", appType: "OIDC_APP_TYPE_USER_AGENT" };
    const { suggestion } = (await call("POST", "/management/v1/apps/_check_redirect_uri", body)).body;
    expect(suggestion).toBe("https://shop.test/cb");
  });

  it("warns about settings that are probably mistakes, and accepts them", async () => {
    const keysOf = async (settings: object) => (await add(settings)).complianceProblems.map(({ key }) => key.slice(20));
    const redirectUris = ["https://a.test"];
    expect(await keysOf({ redirectUris })).toEqual([]);
    expect(await keysOf({})).toEqual(["NoRedirectUris"]);
    expect(await keysOf({ redirectUris: ["http://a.test"] })).toEqual(["Code.RedirectUris.HttpOnlyForWeb"]);
    expect(await keysOf({ redirectUris, devMode: true })).toEqual(["DevMode.On"]);
    expect(await keysOf({ redirectUris, appType: "OIDC_APP_TYPE_NATIVE" })).toEqual(["Native.AuthMethodType.NotNone"]);
    expect(
      await keysOf({
        redirectUris,
        responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
        grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
      }),
    ).toEqual(["GrantType.Refresh.NoAuthCode", "Implicit.Discouraged"]);
  });

  it("refuses ids that are taken or are the service's own", async () => {
    const refused = async (body: object) => refusalOf(await call("POST", `${APPS}/oidc`, { name: "Again", ...body }));
    expect(await refused({ clientId: "web" })).toEqual({ status: 409, code: 6, id: "app.client_id_taken" });
    expect(await refused({ appId: "a-web" })).toEqual({ status: 409, code: 6, id: "app.id_taken" });
    expect((await refused({ clientId: "service" })).id).toBe("app.reserved_client_id");
    expect((await refused({ clientId: "console" })).id).toBe("app.reserved_client_id");
  });

  it("finds no app through another project or another organization", async () => {
    const missing = { status: 404, code: 5, id: "app.not_found" };
    const inElsewhere = { "x-service-orgid": "elsewhere" };
    const other = await call("GET", "/management/v1/projects/p2/apps/a-web", undefined, inElsewhere);
    expect(refusalOf(other)).toEqual(missing);
    expect(refusalOf(await call("DELETE", "/management/v1/projects/p1/apps/a-web", undefined, inElsewhere)).id).toBe(
      "project.not_found",
    );
    expect((await read("a-web")).name).toBe("App web");
  });

  it("still redeems codes of earlier apps", async () => {
    const code = (await authorize(service.browser(), { scope: "openid" })).get("code") ?? "";
    expect((await redeem(service, code)).status).toBe(200);
  });
});
