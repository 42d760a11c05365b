import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addIdentityProvider } from "../directory/identity-provider/edit";
import { addIdentityLink } from "../directory/identity-provider/links";
import { offerProvider } from "../directory/identity-provider/offered";
import { isApiError } from "../protocol/api-error";
import { jwtBearer } from "../protocol/grant-type";
import { ruleDatabases } from "../testing/database";
import { type DocumentHost, documentHost } from "../testing/document-host";
import { SECRET } from "../testing/example";
import { type Exchanged, type ExchangeForm, machineToken, personTokens, postExchange } from "../testing/exchange";
import { basic, postToken } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { tokenApp, tokenBootstrap } from "../testing/token-example";
import { endGrants } from "./end-user-access";

const NOTES = "https://mcp.acme.test/notes";
const OTHER = "https://mcp.acme.test/other";
const at = (more: object = {}) => [
  { issuer: BASE_URL, clientId: "wiki", scopes: ["notes:read", "notes:write"], resources: [NOTES], ...more },
];
const [acme, ...others] = tokenBootstrap.organizations;
const [p1, ...rest] = acme?.projects ?? [];
const withApps = (apps: readonly object[], more: object = {}) => ({
  ...tokenBootstrap,
  organizations: [
    { ...acme, projects: [{ ...p1, ...more, apps: [...(p1?.apps ?? []), ...apps] }, ...rest] },
    ...others,
  ],
});
/** What the other authorization server has: the resource, and the client by the name that it has there. */
const accepting = withApps([tokenApp("wiki", { accessTokenType: "OIDC_TOKEN_TYPE_JWT" })], {
  resources: [NOTES],
  scopes: ["notes:read", "notes:write"].map((name) => ({ name, descriptions: {} })),
});
/** The other server is on this machine, without TLS. */
const desk = (id: string, more: object) => tokenApp(id, { devMode: true, ...more });
const PAIRWISE = { subjectType: "SUBJECT_TYPE_PAIRWISE" };
const issuing = withApps([
  desk("desk", { connectedAuthorizationServers: at() }),
  desk("desk-two", { connectedAuthorizationServers: at({ resources: [NOTES, OTHER] }) }),
  desk("desk-bare", { connectedAuthorizationServers: at({ scopes: undefined, resources: undefined }) }),
  desk("desk-pair", { connectedAuthorizationServers: at(PAIRWISE) }),
  desk("desk-sector", { connectedAuthorizationServers: at(), ...PAIRWISE }),
  desk("desk-public", {
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    connectedAuthorizationServers: at(),
  }),
  desk("desk-dpop", { connectedAuthorizationServers: at(), dpopBoundAccessTokens: true }),
]);

describe.each(ruleDatabases)("identity assertions (ID-JAG) that this service issues on %s", (kind) => {
  let accepter: TestService;
  let host: DocumentHost;
  let issuer: TestService;
  beforeAll(async () => {
    accepter = await testService(kind, accepting);
    host = await documentHost(accepter);
    issuer = await testService(kind, issuing, host.url(""));
    for (const path of ["/.well-known/openid-configuration", "/oauth/v2/keys"]) {
      const document = await (await issuer.fetch(path)).text();
      host.answer(path, (response) => response.writeHead(200, { "content-type": "application/json" }).end(document));
    }
    const owner = { level: "organization", ownerId: "acme" } as const;
    const origin = { actor: "u-ada" };
    const providerOptions = { isLinkingAllowed: true, isIdentityAssertionAccepted: true };
    const form = { name: "Desk", issuer: host.url(""), clientId: "us", clientSecret: "s3cret", providerOptions };
    const made = await addIdentityProvider({ ...accepter.ctx, origin }, owner, "oidc", form);
    if (isApiError(made)) throw new Error(made.message);
    await offerProvider({ ...accepter.ctx, origin }, owner, made.id);
    const link = { providerId: made.id, externalId: "u-eve", userName: "eve" };
    await addIdentityLink({ ...accepter.ctx, origin }, { userId: "u-eve", organizationId: "acme" }, link);
  });
  afterAll(async () => {
    await host.close();
    await issuer.close();
    await accepter.close();
  });

  const tokensOf = (more: { user?: string; client?: string; scope?: string } = {}) =>
    personTokens(issuer, { client: "desk", scope: "openid email offline_access", ...more });
  const ask = async (form: Partial<ExchangeForm>, client = "desk"): Promise<Exchanged & { status: number }> => {
    const subject = form.subject ?? ["idToken", (await tokensOf({ client })).id_token];
    const whole = { audience: BASE_URL, requested: "idJag", ...form, subject } as const;
    const response = await postExchange(issuer, whole, basic(client, SECRET));
    return { status: response.status, ...((await response.json()) as Exchanged) };
  };
  const present = async (assertion = "") => {
    const form = { grant_type: jwtBearer, assertion };
    return (await (await postToken(accepter, form, basic("wiki", SECRET))).json()) as Exchanged;
  };

  it("give the client a token for its user at the other authorization server", async () => {
    const issued = await ask({});
    const { access_token: assertion = "", ...answer } = issued;
    expect(answer).toEqual({
      status: 200,
      issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      token_type: "N_A",
      expires_in: 300,
      scope: "notes:read notes:write",
    });
    expect(decodeProtectedHeader(assertion)).toMatchObject({ typ: "oauth-id-jag+jwt", alg: "RS256" });
    const claims = decodeJwt(assertion);
    expect(claims).toMatchObject({
      iss: host.url(""),
      sub: "u-eve",
      aud: BASE_URL,
      client_id: "wiki",
      resource: NOTES,
    });
    expect(claims).toMatchObject({ scope: answer.scope, email: "eve@acme.test", email_verified: true, amr: ["pwd"] });
    expect(claims).toMatchObject({ acr: expect.any(String), auth_time: expect.any(Number), jti: expect.any(String) });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(300);
    const accepted = await present(assertion);
    expect(accepted).toMatchObject({ scope: "notes:read notes:write", token_type: "Bearer" });
    expect(decodeJwt(accepted.access_token ?? "")).toMatchObject({ sub: "u-eve", aud: [NOTES], client_id: "wiki" });
    const event = await issuer.ctx.db.prisma.event.findFirst({
      where: { type: "grant.exchanged", aggregateId: claims.jti },
    });
    expect(event).toMatchObject({ actor: "u-eve", resourceOwner: "acme" });
    const requestedTokenType = "urn:ietf:params:oauth:token-type:id-jag";
    expect(event?.payload).toMatchObject({ clientId: "desk", audience: `${BASE_URL} ${NOTES}`, requestedTokenType });
  });

  it("are issued for a refresh token, which stays as it is", async () => {
    const { refresh_token: token = "" } = await tokensOf();
    for (const _ of [1, 2]) expect(await ask({ subject: ["refreshToken", token] })).toMatchObject({ status: 200 });
    const form = { grant_type: "refresh_token", refresh_token: token };
    expect((await postToken(issuer, form, basic("desk", SECRET))).status).toBe(200);
    expect(await ask({ subject: ["refreshToken", token] })).toMatchObject({ status: 400, error: "invalid_request" });
  });

  it("name what the request names, and else all that the client may have", async () => {
    const of = async (form: Partial<ExchangeForm>, client?: string) =>
      decodeJwt((await ask(form, client)).access_token ?? "");
    expect(await of({ scope: "notes:read" })).toMatchObject({ scope: "notes:read", resource: NOTES });
    expect(await of({}, "desk-two")).toMatchObject({ resource: [NOTES, OTHER] });
    expect(await of({ more: { resource: OTHER } }, "desk-two")).toMatchObject({ resource: OTHER });
    const bare = await of({}, "desk-bare");
    expect(bare).not.toHaveProperty("scope");
    expect(bare).not.toHaveProperty("resource");
    const { id_token: unseen } = await tokensOf({ scope: "openid" });
    expect(await of({ subject: ["idToken", unseen] })).not.toHaveProperty("email");
  });

  it("name the user by the subject of the server's host, if it or the client has pairwise subjects", async () => {
    const subs = await Promise.all(
      ["desk-pair", "desk-sector"].map(async (client) => decodeJwt((await ask({}, client)).access_token ?? "").sub),
    );
    expect(subs[0]).not.toBe("u-eve");
    expect(subs[0]).toBe(subs[1]);
    const { id_token: own } = await tokensOf({ client: "desk-sector" });
    expect(decodeJwt(own).sub).not.toBe(subs[0]);
  });

  const refused: Record<string, () => Promise<Exchanged>> = {
    "invalid_target: an audience that the client is not connected to": () => ask({ audience: "https://other.test" }),
    "invalid_target: this service itself": () => ask({ audience: host.url("") }),
    "invalid_target: a resource that it may not have": () => ask({ more: { resource: OTHER } }),
    "invalid_target: a client that is connected to no server": () => ask({}, "exchange"),
    "invalid_scope: a scope that it may not have": () => ask({ scope: "notes:read admin" }),
    "invalid_request: no audience": () => ask({ audience: "" }),
    "invalid_request: an actor": async () => ask({ actor: ["accessToken", await machineToken(issuer, "ci")] }),
    "invalid_request: an access token": async () => ask({ subject: ["accessToken", (await tokensOf()).access_token] }),
    "invalid_request: a user id": () => ask({ subject: ["userId", "u-eve"] }),
    "invalid_request: an ID token of another client of the project": async () =>
      ask({ subject: ["idToken", (await tokensOf({ client: "exchange" })).id_token] }),
    "invalid_request: a refresh token of another client": async () =>
      ask({ subject: ["refreshToken", (await tokensOf({ client: "exchange" })).refresh_token] }),
    "invalid_request: an identity assertion": async () =>
      ask({ subject: ["idToken", (await ask({})).access_token ?? ""] }),
    "invalid_request: a user of another organization": async () =>
      ask({ subject: ["idToken", (await tokensOf({ user: "gus" })).id_token] }),
    "invalid_dpop_proof: a client that needs a proof": () => ask({}, "desk-dpop"),
  };
  it.each(Object.keys(refused))("are refused with %s", async (name) => {
    const { error } = (await refused[name]?.()) ?? {};
    expect(error).toBe(name.slice(0, name.indexOf(":")));
  });

  it("are not for public clients", async () => {
    const form: ExchangeForm = { subject: ["idToken", "x"], requested: "idJag", audience: BASE_URL };
    const response = await postExchange(issuer, { ...form, more: { client_id: "desk-public" } }, null);
    expect(await response.json()).toMatchObject({ error: "unauthorized_client" });
  });

  it("end with the session, the consent and the account of the user", async () => {
    const session = await tokensOf({ scope: "openid" });
    await issuer.fetch(`/oidc/v1/end_session?id_token_hint=${session.id_token}`);
    expect(await ask({ subject: ["idToken", session.id_token] })).toMatchObject({ error: "invalid_request" });
    const consent = await tokensOf();
    await endGrants({ ...issuer.ctx, origin: { actor: "u-eve" } }, { userId: "u-eve", organizationId: "acme" });
    for (const subject of [
      ["idToken", consent.id_token],
      ["refreshToken", consent.refresh_token],
    ] as const) {
      expect(await ask({ subject: [...subject] })).toMatchObject({ error: "invalid_request" });
    }
    const account = await tokensOf();
    await issuer.ctx.db.prisma.user.update({ where: { id: "u-eve" }, data: { state: "inactive" } });
    expect(await ask({ subject: ["idToken", account.id_token] })).toMatchObject({ error: "invalid_request" });
    await issuer.ctx.db.prisma.user.update({ where: { id: "u-eve" }, data: { state: "active" } });
  });
});
