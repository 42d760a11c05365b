import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../testing/example";
import { type TestService, testService } from "../testing/test-context";

describe("responses that browsers must not sniff (X-Content-Type-Options)", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  it.each([
    ["POST", "/oauth/v2/token", 400],
    ["POST", "/oauth/v2/introspect", 401],
    ["GET", "/oidc/v1/userinfo", 401],
    ["GET", "/nowhere", 404],
    ["PATCH", "/oauth/v2/token", 405],
    ["GET", "/management/v1/messages", 401],
    ["GET", "/v2/nowhere", 404],
    ["GET", "/healthz", 200],
    ["GET", "/oauth/v2/keys", 200],
    ["GET", "/openapi.json", 200],
    ["GET", "/login", 303],
    ["GET", "/login?flow=x", 410],
  ])("%s %s: %i", async (method, path, status) => {
    const response = await service.fetch(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});
