import { describe, expect, it } from "vitest";
import { MESSAGE_TYPES } from "../message-types/table";
import { exampleBootstrap } from "../testing/example";
import { testService } from "../testing/test-context";
import { operations } from "./all";
import { openApiDocument } from "./docs/openapi";
import { operationRoutes } from "./rest/routes";

interface OpenApi {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId?: string; parameters: { name: string }[]; responses: object }>>;
  components: {
    schemas: Record<string, { properties: Record<string, object>; required?: string[] }>;
    securitySchemes: { oauth: { flows: { authorizationCode: Record<string, string> } } };
  };
}

const document = openApiDocument({
  baseUrl: "https://id.example.com",
  authUrl: "https://login.example.com",
}) as OpenApi;

describe("the OpenAPI document", () => {
  it("has exactly the served addresses and methods; aliases are in the description", () => {
    const aliases = new Set(
      operations.flatMap(({ method, aliases = [] }) => aliases.map((path) => `${method} ${path}`)),
    );
    const served = Object.entries(operationRoutes)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
      .filter((place) => !aliases.has(place))
      .map((place) => place.replace(/:(\w+)/g, "{$1}"));
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(served.sort());
    expect(operations.filter(({ procedure }) => procedure)).toHaveLength(80);
    expect(document.paths["/v2/features/instance"]?.get).toMatchObject({
      description: expect.stringContaining("Also answered at `/v2beta/features/instance`."),
    });
  });

  it("publishes AUTH_URL for sign-in and BASE_URL for calls (rules CONFIG-2, CONFIG-3)", () => {
    expect(document.servers).toEqual([{ url: "https://id.example.com" }]);
    expect(document.components.securitySchemes.oauth.flows.authorizationCode).toMatchObject({
      authorizationUrl: "https://login.example.com/oauth/v2/authorize",
      tokenUrl: "https://login.example.com/oauth/v2/token",
    });
  });

  it("names the limits of message texts (rule TEXT-4), and no field is required", () => {
    const { properties, required } = document.components.schemas.MessageTextFields_password_change ?? {};
    const limits = Object.entries(properties ?? {}).map(([field, schema]) => [
      field,
      (schema as { maxLength?: number }).maxLength,
    ]);
    expect(Object.fromEntries(limits)).toEqual({
      title: 500,
      preHeader: 500,
      subject: 500,
      greeting: 1_000,
      text: 10_000,
      buttonText: 500,
      footerText: 2_000,
    });
    expect(required).toBeUndefined();
    expect(Object.keys(document.components.schemas.MessageTextFields_verifysmsotp?.properties ?? {})).toEqual(["text"]);
  });

  it("describes the effects of setting and resetting a text (rules TEXT-2, TEXT-3)", () => {
    const reset = document.paths["/admin/v1/text/message/domainclaimed/{language}"]?.delete;
    expect(reset?.operationId).toBe("AdminService_ResetCustomDomainClaimedMessageTextToDefault");
    const set = document.paths["/management/v1/text/message/password_change/{language}"]?.put;
    expect(set?.operationId).toBe("ManagementService_SetCustomPasswordChangeMessageCustomText");
    expect(set?.parameters.map(({ name }) => name)).toEqual(["language", "x-service-orgid", "If-Match"]);
    for (const operation of [reset, set]) {
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(["200", "403", "404", "default"]));
    }
  });

  it("has no dangling references and unique operation names", () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    for (const name of references) expect(document.components.schemas).toHaveProperty([name as string]);
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    const named = ids.filter((id) => id !== undefined);
    expect(new Set(named).size).toBe(named.length);
  });

  it("is public and cacheable, as the proto files are", async () => {
    const service = await testService("sqlite", exampleBootstrap);
    const answer = await service.fetch("/openapi.json");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(Object.keys(((await answer.json()) as OpenApi).paths)).toHaveLength(Object.keys(document.paths).length);
    const etag = answer.headers.get("etag") ?? "";
    expect((await service.fetch("/openapi.json", { headers: { "if-none-match": etag } })).status).toBe(304);
    const { files } = (await (await service.fetch("/proto")).json()) as { files: string[] };
    expect(files).toContain("/proto/service/admin/v1/admin.proto");
    for (const file of files) expect(await (await service.fetch(file)).text()).toMatch(/^syntax = "proto3";/);
    expect((await service.fetch("/proto/../package.json")).status).toBe(404);
    await service.close();
  });

  it("has every type", () => {
    for (const type of MESSAGE_TYPES) expect(document.components.schemas).toHaveProperty([`MessageTextFields_${type}`]);
  });
});
