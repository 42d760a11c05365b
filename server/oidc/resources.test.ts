import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SINGLE_FACTOR } from "../protocol/authentication-context";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { PASSWORD, SECRET } from "../testing/example";
import { postExchange } from "../testing/exchange";
import {
  answerOf,
  authorize,
  authorizePath,
  basic,
  errorOf,
  fillSignIn,
  letIn,
  onOf,
  postToken,
  REDIRECT_URI,
  type Tokens,
  userinfo,
} from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";
import { MACHINE_SECRET, machine, tokenApp, tokenBootstrap } from "../testing/token-example";

const [acme, globex, ...others] = tokenBootstrap.organizations;
const [p1, ...rest] = acme?.projects ?? [];
const ORDERS = "https://api.acme.test/orders";
const STOCK = "https://stock.acme.test";
const VAULT = "https://mcp.globex.test/mcp";
const jwt = { accessTokenType: "OIDC_TOKEN_TYPE_JWT" };
const scopes = [
  { name: "read", descriptions: { en: "See everything" } },
  { name: "write", descriptions: {} },
];

/** ACME has two resources in p1 and one in px, Globex one. */
const bootstrap = {
  ...tokenBootstrap,
  organizations: [
    {
      ...acme,
      machines: [...(acme?.machines ?? []), machine("res-bot", { accessTokenType: "ACCESS_TOKEN_TYPE_JWT" })],
      projects: [
        {
          ...p1,
          scopes,
          resources: [ORDERS, "https://api.acme.test/bills"],
          apps: [...(p1?.apps ?? []), tokenApp("jwt-web", jwt)],
        },
        ...rest,
        {
          id: "px",
          name: "Stock",
          scopes: [{ name: "stock", descriptions: {} }],
          resources: [STOCK],
          apps: [{ id: "a-px-api", name: "Stock API", api: { clientId: "px-api", clientSecret: SECRET } }],
        },
      ],
    },
    {
      ...globex,
      projects: [
        ...(globex?.projects ?? []),
        {
          id: "pg",
          name: "Vault",
          scopes,
          resources: [VAULT],
          rolesClaim: "roles",
          roles: [{ roleKey: "guard" }],
          userGrants: [{ userId: "u-gus", roleKeys: ["guard"] }],
          apps: [{ id: "a-pg-api", name: "Vault API", api: { clientId: "pg-api", clientSecret: SECRET } }],
        },
      ],
    },
    ...others,
  ],
};

describe.each(ruleDatabases)("resource indicators (RFC 8707) on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const ADA = { loginName: "ada@acme.test", password: PASSWORD };
  const answered = async (response: Response) => (await response.json()) as Tokens & { error?: string };
  const redeem = async (code: string, more: Record<string, string> = {}) =>
    answered(
      await postToken(
        service,
        { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...more },
        basic("jwt-web", SECRET),
      ),
    );
  const codeFor = async (more: Partial<Record<string, string>>, person = ADA) =>
    authorize(service.browser(), { client_id: "jwt-web", scope: "openid offline_access read stock", ...more }, person);
  const introspect = async (accessToken: string, clientId: string) => {
    const answer = await service.fetch("/oauth/v2/introspect", {
      method: "POST",
      body: new URLSearchParams({ token: accessToken }),
      headers: { authorization: basic(clientId, SECRET) },
    });
    return (await answer.json()) as { active: boolean; aud?: string[]; scope?: string };
  };
  const put = (projectId: string, resources: unknown, headers = {}) =>
    callApi(service, "PUT", `/management/v1/projects/${projectId}`, {
      token,
      body: { name: projectId, resources },
      headers,
    });

  it("names the resource alone as the audience, with the scopes that its project defines", async () => {
    const tokens = await redeem((await codeFor({ resource: ORDERS })).get("code") ?? "");
    expect(tokens.scope).toBe("openid offline_access read");
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: [ORDERS], scope: "openid offline_access read" });
    expect(decodeJwt(tokens.id_token).aud).toEqual("jwt-web");
  });

  it("accepts the URI in another form, and answers with the registered one", async () => {
    const tokens = await redeem((await codeFor({ resource: "https://STOCK.acme.test:443/" })).get("code") ?? "");
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: [STOCK], scope: "openid offline_access stock" });
  });

  it.each([
    ["one that nobody has", "https://other.acme.test"],
    ["one with a fragment", `${ORDERS}#x`],
    ["one that is not absolute", "/orders"],
    ["a part of another", "https://api.acme.test"],
  ])("refuses %s as invalid_target at every endpoint", async (_, resource) => {
    expect((await codeFor({ resource })).get("error")).toBe("invalid_target");
    const pushed = await service.fetch("/oauth/v2/par", {
      method: "POST",
      body: new URLSearchParams(authorizePath({ client_id: "jwt-web", resource }).split("?")[1]),
      headers: { authorization: basic("jwt-web", SECRET) },
    });
    expect(await errorOf(pushed)).toEqual({ status: 400, error: "invalid_target" });
    const own = { grant_type: "client_credentials", resource };
    const itself = await postToken(service, own, basic("res-bot", `res-bot-${MACHINE_SECRET}`));
    expect(await errorOf(itself)).toEqual({ status: 400, error: "invalid_target" });
    const code = (await codeFor({ resource: ORDERS })).get("code") ?? "";
    expect(await redeem(code, { resource })).toMatchObject({ error: "invalid_target" });
  });

  it("cannot be combined with an audience of the scope", async () => {
    const scope = "openid urn:service:iam:org:project:id:service:aud";
    expect((await codeFor({ resource: ORDERS, scope })).get("error")).toBe("invalid_target");
  });

  it("narrows several resources at the token endpoint, and never mixes two projects in one token", async () => {
    const both = async () => {
      const browser = service.browser();
      const path = `${authorizePath({ client_id: "jwt-web", scope: "openid offline_access read stock" })}&${new URLSearchParams(
        [
          ["resource", ORDERS],
          ["resource", STOCK],
        ],
      )}`;
      return answerOf(await letIn(browser, await fillSignIn(browser, await browser.get(path)))).get("code") ?? "";
    };
    expect(await redeem(await both())).toMatchObject({ error: "invalid_target" });
    const first = await redeem(await both(), { resource: ORDERS });
    expect(first.scope).toBe("openid offline_access read");
    const form = { grant_type: "refresh_token", refresh_token: first.refresh_token, resource: STOCK };
    const second = await answered(await postToken(service, form, basic("jwt-web", SECRET)));
    expect(decodeJwt(second.access_token)).toMatchObject({ aud: [STOCK], scope: "openid offline_access stock" });
    const wider = { grant_type: "refresh_token", refresh_token: second.refresh_token, resource: VAULT };
    expect(await answered(await postToken(service, wider, basic("jwt-web", SECRET)))).toMatchObject({
      error: "invalid_target",
    });
  });

  it("does not bind a grant to a resource later than its authorization request", async () => {
    const code = (await codeFor({})).get("code") ?? "";
    expect(await redeem(code, { resource: ORDERS })).toMatchObject({ error: "invalid_target" });
  });

  it("is useless at other APIs, at userinfo and at the management APIs", async () => {
    const { access_token } = await redeem((await codeFor({ resource: STOCK })).get("code") ?? "");
    expect(await introspect(access_token, "px-api")).toMatchObject({
      active: true,
      aud: [STOCK],
      scope: expect.any(String),
    });
    expect(await introspect(access_token, "pg-api")).toEqual({ active: false });
    expect((await introspect(access_token, "web")).active).toBe(false);
    expect((await userinfo(service, access_token)).status).toBe(401);
    const managed = await callApi(service, "GET", "/auth/v1/users/me", { token: access_token });
    expect(managed.status).toBe(401);
  });

  it("asks for consent before an app gets a resource of another organization, once for each resource", async () => {
    const browser = service.browser();
    const path = authorizePath({ client_id: "jwt-web", scope: "openid read write", resource: VAULT });
    const asked = await fillSignIn(browser, await browser.get(path));
    const page = await (await browser.get(onOf(asked))).text();
    expect(page).toContain(VAULT);
    expect(page).toContain("See everything");
    const code = answerOf(await letIn(browser, asked)).get("code") ?? "";
    expect(decodeJwt((await redeem(code)).access_token)).toMatchObject({
      ...{ aud: [VAULT], scope: "openid read write" },
      acr: SINGLE_FACTOR, // RFC 9470 §6.1
    });
    // The consent is remembered, and covers nothing but this resource.
    expect(answerOf(await browser.get(path)).get("code")).toBeTruthy();
    const rows = await service.ctx.db.prisma.consent.findMany({ where: { clientId: "jwt-web" } });
    expect(rows.map(({ scope }) => scope)).toEqual([`openid ${VAULT}# ${VAULT}#read ${VAULT}#write`]);
    const apps = await (await browser.get(onOf(await browser.get("/account/apps")))).text();
    expect(apps).toContain(VAULT);
  });

  it("is refused to users whom the project of the resource does not admit", async () => {
    await service.ctx.db.prisma.project.update({ where: { id: "px" }, data: { projectRoleCheck: true } });
    service.advance(6_000);
    expect((await codeFor({ resource: STOCK })).get("error")).toBe("access_denied");
    await service.ctx.db.prisma.project.update({ where: { id: "px" }, data: { projectRoleCheck: false } });
    service.advance(6_000);
  });

  it("gives clients that act for themselves tokens for resources of their own organization only", async () => {
    const ask = async (resource: string, scope: string) => {
      const form = { grant_type: "client_credentials", resource, scope };
      return answered(await postToken(service, form, basic("res-bot", `res-bot-${MACHINE_SECRET}`)));
    };
    expect(decodeJwt((await ask(ORDERS, "read")).access_token)).toMatchObject({ aud: [ORDERS], scope: "read" });
    expect(await ask(ORDERS, "stock")).toMatchObject({ error: "invalid_scope" });
    expect(await ask(VAULT, "read")).toMatchObject({ error: "invalid_target" });
  });

  it("narrows a token of the project to a resource of it by token exchange, and a token for a resource to no other", async () => {
    const code = (await authorize(service.browser(), { client_id: "exchange", scope: "openid read" }, ADA)).get("code");
    const form = { grant_type: "authorization_code", code: code ?? "", redirect_uri: REDIRECT_URI };
    const broad = (await answered(await postToken(service, form, basic("exchange", SECRET)))).access_token;
    const narrowTo = async (subject: string, resource: string) =>
      answered(
        await postExchange(service, { subject: ["accessToken", subject], requested: "jwt", more: { resource } }),
      );
    const orders = await narrowTo(broad, ORDERS);
    expect(decodeJwt(orders.access_token)).toMatchObject({ aud: [ORDERS], scope: "openid read" });
    expect(await narrowTo(orders.access_token, "https://api.acme.test/bills")).toMatchObject({
      error: "invalid_target",
    });
    expect(await narrowTo(broad, VAULT)).toMatchObject({ error: "invalid_target" });
  });

  it("registers URIs under a proven domain only, and each for one project of the instance", async () => {
    const wrong = [
      "https://api.evil.test",
      "http://api.acme.test",
      "https://acme.test/#x",
      "urn:acme:api",
      "https://notacme.test",
    ];
    for (const uri of wrong) {
      expect(refusalOf(await put("px", [uri]))).toMatchObject({ status: 400, id: "project.resource_invalid" });
    }
    expect(refusalOf(await put("px", [STOCK, "https://API.acme.test/orders"]))).toMatchObject({
      ...{ status: 409, id: "project.resource_taken" },
    });
    expect((await put("px", [STOCK, "https://stock.acme.test/more"])).status).toBe(200);
    const { body } = await callApi(service, "GET", "/management/v1/projects/px", { token });
    expect(body.project.resources).toEqual([STOCK, "https://stock.acme.test/more"]);
    const [event] = await service.ctx.db.prisma.event.findMany({
      where: { aggregateId: "px", type: "project.changed" },
      orderBy: { position: "desc" },
    });
    expect(event?.payload).toMatchObject({ resources: { from: [STOCK], to: [STOCK, "https://stock.acme.test/more"] } });
  });

  it("ends tokens with the resource, and does not give them to a project that has it later", async () => {
    const tokens = await redeem((await codeFor({ resource: STOCK })).get("code") ?? "");
    service.advance(1_000);
    expect((await put("px", [])).status).toBe(200);
    expect(await introspect(tokens.access_token, "px-api")).toEqual({ active: false });
    const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    expect(await answered(await postToken(service, form, basic("jwt-web", SECRET)))).toMatchObject({
      error: "invalid_target",
    });
    expect((await put("px", [STOCK])).status).toBe(200);
    expect(await introspect(tokens.access_token, "px-api")).toEqual({ active: false });
  });

  it("is not usable after its organization has given up the domain", async () => {
    await service.ctx.db.prisma.domain.updateMany({ where: { organizationId: "globex" }, data: { isVerified: false } });
    service.advance(6_000);
    expect((await codeFor({ resource: VAULT })).get("error")).toBe("invalid_target");
  });
});
