import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenExchange } from "../protocol/grant-type";
import { databaseKinds, ruleDatabases } from "../testing/database";
import { exchange, personTokens } from "../testing/exchange";
import { type TestService, testService } from "../testing/test-context";
import { SERVICE_SCOPE, tokenBootstrap } from "../testing/token-example";

const { instance: _, ...withoutInstance } = tokenBootstrap;
const INSTANCE = "/v2/features/instance";

describe.each(databaseKinds)("feature API and security settings (rule API-9) on %s", (kind) => {
  let service: TestService;
  let owner: string;
  let orgOwner: string;
  let nobody: string;
  let instanceId: string;
  beforeAll(async () => {
    service = await testService(kind, withoutInstance);
    const scope = `openid ${SERVICE_SCOPE}`;
    owner = (await personTokens(service, { user: "ada", scope })).access_token;
    orgOwner = (await personTokens(service, { user: "boss", scope })).access_token;
    nobody = (await personTokens(service, { user: "eve", scope })).access_token;
    instanceId = (await service.ctx.db.prisma.instance.findFirstOrThrow()).id;
  });
  afterAll(() => service.close());

  const send = async (method: string, path: string, body?: unknown, token = owner) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), "content-type": "application/json" };
    const response = await service.fetch(path, { method, headers, ...(body === undefined ? {} : { body: text }) });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const outcome = async (...args: Parameters<typeof send>) => {
    const { status, body } = await send(...args);
    const [detail] = (body.details ?? []) as { "@type": string; id: string; field?: string }[];
    return { status, code: body.code, id: detail?.id, ...(detail?.field ? { field: detail.field } : {}) };
  };
  const grantTypes = async () => {
    const document = await service.fetch("/.well-known/openid-configuration");
    return ((await document.json()) as { grant_types_supported: string[] }).grant_types_supported;
  };
  const exchangeError = async () => {
    const eve = await personTokens(service);
    const answer = await exchange(service, { subject: ["accessToken", eve.access_token] });
    return [answer.status, answer.error];
  };

  it("is off by default: the grant is unknown for every request, and discovery does not name it", async () => {
    expect((await send("GET", INSTANCE)).body).toEqual({
      details: expect.objectContaining({ resourceOwner: instanceId }),
    });
    expect((await send("GET", `${INSTANCE}?inheritance=true`)).body).toMatchObject({
      oidcTokenExchange: { enabled: false },
    });
    expect(await exchangeError()).toEqual([400, "unsupported_grant_type"]);
    expect(await exchange(service, { subject: ["accessToken", ""] }, null)).toMatchObject({
      error: "unsupported_grant_type",
    });
    expect(await grantTypes()).not.toContain(tokenExchange);
  });

  it("switches token exchange on and off, with details, an event, and from the next request on", async () => {
    const on = await send("PUT", INSTANCE, { oidcTokenExchange: true });
    expect(on.status).toBe(200);
    expect(on.headers.get("cache-control")).toBe("no-store");
    const details = {
      sequence: expect.stringMatching(/^\d+$/),
      creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      changeDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      resourceOwner: instanceId,
    };
    expect(on.body).toEqual({ details });
    expect((await send("GET", INSTANCE)).body).toEqual({
      ...on.body,
      oidcTokenExchange: { enabled: true, source: "SOURCE_INSTANCE" },
    });
    expect(await exchangeError()).toEqual([200, undefined]);
    expect(await grantTypes()).toContain(tokenExchange);
    const where = { type: "instance.changed" };
    const event = await service.ctx.db.prisma.event.findFirst({ where, orderBy: { position: "desc" } });
    expect(event).toMatchObject({
      actor: "u-ada",
      requestId: expect.any(String),
      payload: { features: { from: {}, to: { oidcTokenExchange: true } } },
    });

    expect((await send("PUT", INSTANCE, { oidcTokenExchange: true })).body).toEqual(on.body); // changes nothing
    expect((await send("PUT", INSTANCE, {})).body).toEqual(on.body);

    expect((await send("PUT", INSTANCE, { oidc_token_exchange: false })).status).toBe(200);
    expect((await send("GET", INSTANCE)).body).toMatchObject({
      oidcTokenExchange: { enabled: false, source: "SOURCE_INSTANCE" },
    });
    expect(await exchangeError()).toEqual([400, "unsupported_grant_type"]);
    expect(await grantTypes()).not.toContain(tokenExchange);

    const reset = await send("DELETE", INSTANCE);
    expect(reset.body).toEqual({ details });
    expect((await send("GET", INSTANCE)).body).toEqual(reset.body);
    expect((await send("DELETE", INSTANCE)).body).toEqual(reset.body);
  });

  it("keeps the changes of two administrators at the same time", async () => {
    const puts = Array.from({ length: 10 }, (_, index) =>
      send("PUT", INSTANCE, { oidcTokenExchange: index % 2 === 0 }),
    );
    const more = Array.from({ length: 5 }, () => send("PUT", "/v2/policies/security", { enableImpersonation: true }));
    for (const { status } of await Promise.all([...puts, ...more])) expect(status).toBe(200);
    expect((await send("GET", "/v2/settings/security")).body).toMatchObject({
      settings: { enableImpersonation: true },
    });
    expect((await send("PUT", "/v2/policies/security", {})).status).toBe(200);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage
  const fixed = { improvedPerformance: { executionPaths: [] }, loginV2: { required: false } };
  it("shows the inherited values to organizations and users, and the built-in ones at system level", async () => {
    await send("PUT", INSTANCE, { oidcTokenExchange: true });
    for (const path of [
      "/v2/features/organization/acme",
      "/v2/features/user/u-eve",
      "/v2/features/organization/nowhere",
    ]) {
      expect((await send("GET", path, undefined, nobody)).body).toEqual({});
      const { body } = await send("GET", `${path}?inheritance=true`, undefined, nobody);
      expect(body).toEqual({
        ...fixed,
        oidcTokenExchange: { enabled: true, source: "SOURCE_INSTANCE" },
        zitadelCompatibility: { enabled: false },
      });
    }
    const { body } = await send("GET", "/v2/features/system?inheritance=true");
    expect(body).toEqual({ ...fixed, oidcTokenExchange: { enabled: false }, zitadelCompatibility: { enabled: false } });
    await send("DELETE", INSTANCE);
  });

  it("stores and shows flags of ZITADEL without an effect, and names ignored members that are not flags", async () => {
    const odd = '"improvedPerformance":["IMPROVED_PERFORMANCE_PROJECT"],"loginV2":{"required":false},"details":true';
    const body = `{"login_default_org":true,"oidcTokenExchange":true,"constructor":false,"__proto__":true,"zz":true,${odd}}`;
    const put = await send("PUT", "/v2beta/features/instance", body);
    const named = put.headers.get("x-service-ignored")?.split(", ").sort();
    expect([put.status, named]).toEqual([200, ["__proto__", "constructor", "details", "improvedPerformance", "zz"]]);
    const { details, ...flags } = (await send("GET", INSTANCE)).body;
    const source = "SOURCE_INSTANCE";
    expect(details).toMatchObject({ resourceOwner: instanceId });
    expect(flags).toEqual({
      oidcTokenExchange: { enabled: true, source },
      loginDefaultOrg: { enabled: true, source },
    });
    const { instance } = (await send("GET", "/admin/v1/_export")).body as { instance: { features: object } };
    expect(instance.features).toEqual({ oidcTokenExchange: true }); // files stay strict
    await send("DELETE", INSTANCE);
    expect(Object.keys((await send("GET", "/v2beta/features/instance")).body)).toEqual(["details"]);
  });

  it("refuses a flag that is sent in both of its spellings (proto3 JSON mapping: both are one field)", async () => {
    const refused = { status: 400, code: 3, id: "request.repeated_member", field: "oidcTokenExchange" };
    const bodies = [
      { oidcTokenExchange: false, oidc_token_exchange: true },
      { oidc_token_exchange: true, oidcTokenExchange: false },
      { oidc_token_exchange: true, oidcTokenExchange: null },
    ];
    for (const body of bodies) expect(await outcome("PUT", INSTANCE, body)).toEqual(refused);
    expect((await send("GET", INSTANCE)).body).not.toHaveProperty("oidcTokenExchange");
  });

  it("does not show stored members that are not flags, and deletes them on a reset", async () => {
    const { prisma } = service.ctx.db;
    const { id } = await prisma.instance.findFirstOrThrow();
    await send("PUT", INSTANCE, { userSchema: true });
    await prisma.instance.update({ where: { id }, data: { features: { userSchema: true, zz: true } } });
    for (const query of ["", "?inheritance=true"]) {
      const { body } = await send("GET", INSTANCE + query);
      expect([Object.hasOwn(body, "userSchema"), Object.hasOwn(body, "zz")]).toEqual([true, false]);
    }
    await send("DELETE", INSTANCE);
    expect((await prisma.instance.findFirstOrThrow()).features).toEqual({});
  });

  const wrong = (id: string, field?: string) => ({ status: 400, code: 3, id, field });
  it.each<[string, unknown, object]>([
    ["a list for a flag without effect", { user_schema: [] }, wrong("feature.not_boolean", "user_schema")],
    ["a text for a truth value", { oidcTokenExchange: "true" }, wrong("feature.not_boolean", "oidcTokenExchange")],
    ["to require another login", { login_v2: { required: true } }, wrong("feature.fixed", "login_v2.required")],
    ["no body", undefined, wrong("request.not_an_object")],
    ["a list", [], wrong("request.not_an_object")],
    ["null", "null", wrong("request.not_an_object")],
    ["what is no JSON", "{", wrong("request.malformed")],
  ])("refuses %s and changes nothing", async (_, body, expected) => {
    const before = (await send("GET", INSTANCE)).body;
    expect(await outcome("PUT", INSTANCE, body)).toEqual(expected);
    expect((await send("GET", INSTANCE)).body).toEqual(before);
  });

  it("refuses callers without permission before any other check", async () => {
    const denied = { status: 403, code: 7, id: "access.denied" };
    for (const token of [nobody, orgOwner]) {
      expect(await outcome("PUT", INSTANCE, "{", token)).toEqual(denied);
      expect(await outcome("PUT", INSTANCE, { teleport: true }, token)).toEqual(denied);
      expect(await outcome("PUT", INSTANCE, { oidcTokenExchange: true }, token)).toEqual(denied);
      expect(await outcome("DELETE", INSTANCE, undefined, token)).toEqual(denied);
    }
    expect(await outcome("PUT", "/v2/features/system", { oidcTokenExchange: true })).toEqual(denied);
    expect(await outcome("DELETE", "/v2/features/system")).toEqual(denied);
    for (const organization of ["globex", "nowhere"]) {
      expect(await outcome("PUT", `/v2/features/organization/${organization}`, {}, orgOwner)).toEqual(denied);
    }
    const inherited = { status: 400, code: 9, id: "feature.inherited" };
    expect(await outcome("PUT", "/v2/features/organization/acme", {}, orgOwner)).toEqual(inherited);
    expect(await outcome("DELETE", "/v2/features/user/u-eve", undefined, orgOwner)).toEqual(inherited);
  });

  it("refuses a missing token and one for another audience: 401 with a challenge", async () => {
    const web = (await personTokens(service, { user: "ada", scope: "openid" })).access_token;
    for (const [token, id] of [
      ["", "access.token_missing"],
      ["x", "access.token_invalid"],
      [web, "access.audience_missing"],
    ] as const) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const body = method === "PUT" ? {} : undefined;
        expect(await outcome(method, INSTANCE, body, token)).toEqual({ status: 401, code: 16, id });
      }
      expect((await send("GET", INSTANCE, undefined, token)).headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
  });

  it("rejects unknown addresses and methods in the same format (rule API-1)", async () => {
    expect(await outcome("GET", "/v2/features/nothing")).toEqual({ status: 404, code: 5, id: "address.not_found" });
    const wrong = await send("POST", INSTANCE, {});
    expect(wrong.headers.get("allow")).toBe("GET, HEAD, PUT, DELETE");
    expect(await outcome("POST", INSTANCE, {})).toEqual({ status: 405, code: 12, id: "address.method_not_allowed" });
    const large = JSON.stringify({ x: "x".repeat(700_000) });
    expect(await outcome("PUT", INSTANCE, large)).toEqual({ status: 413, code: 3, id: "request.too_large" });
  });

  it("switches impersonation on and off; omitted settings are off", async () => {
    const path = "/v2/policies/security";
    const read = async () => (await send("GET", "/v2/settings/security")).body;
    expect(await read()).toMatchObject({ settings: { enableImpersonation: false } });
    const on = await send("PUT", path, { enableImpersonation: true, embeddedIframe: { enabled: false } });
    expect(on.body).toMatchObject({ details: { resourceOwner: instanceId } });
    expect(await read()).toEqual({
      ...on.body,
      settings: {
        enableImpersonation: true,
        oauthMetadata: false,
        requirePushedAuthorizationRequests: false,
        dynamicClientRegistration: { enabled: false, allowUnauthenticated: false },
        clientIdMetadataDocuments: { enabled: false, allowedHosts: [], deniedHosts: [] },
        embeddedIframe: { enabled: false, allowedOrigins: [] },
      },
    });
    expect((await send("PUT", path, {})).status).toBe(200);
    expect(await read()).toMatchObject({ settings: { enableImpersonation: false } });
    const framing = { status: 400, code: 9, id: "security.framing_refused", field: "embeddedIframe" };
    expect(await outcome("PUT", path, { embeddedIframe: { enabled: true } })).toEqual(framing);
    const unknown = await send("PUT", path, { other: true, enable_impersonation: null });
    expect([unknown.status, unknown.headers.get("x-service-ignored")]).toEqual([200, "other"]);
    expect(await outcome("PUT", path, { enableImpersonation: 1 })).toMatchObject({
      status: 400,
      id: "request.invalid",
      field: "enableImpersonation",
    });
    expect(await outcome("PUT", path, [])).toMatchObject({ status: 400, code: 3 });
    expect(await outcome("PUT", path, {}, orgOwner)).toMatchObject({ status: 403, code: 7 });
    expect(await outcome("GET", "/v2/settings/security", undefined, nobody)).toMatchObject({ status: 403, code: 7 });
  });

  it("has the security settings at the address of version 1 too", async () => {
    const path = "/admin/v1/policies/security";
    const wanted = {
      enableImpersonation: true,
      oauthMetadata: true,
      requirePushedAuthorizationRequests: true,
      dynamicClientRegistration: { enabled: false, allowUnauthenticated: true },
      clientIdMetadataDocuments: { enabled: true, allowedHosts: ["*.example.com"], deniedHosts: ["a.example.com"] },
      ...{ enableIframeEmbedding: false, allowedOrigins: [] },
    };
    const { body } = await send("PUT", path, wanted);
    expect((await send("GET", path)).body).toEqual({ policy: { ...body, ...wanted } });
    for (const framing of [{ enableIframeEmbedding: true }, { allowedOrigins: ["https://evil.test"] }]) {
      expect(await outcome("PUT", path, framing)).toMatchObject({ status: 400, id: "security.framing_refused" });
    }
    expect((await send("GET", path)).body.policy).toMatchObject({ enableImpersonation: true });
    expect(await outcome("PUT", path, wanted, orgOwner)).toMatchObject({ status: 403, code: 7 });
    expect((await send("PUT", path, {})).status).toBe(200);
  });
});
