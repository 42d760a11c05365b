import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { requestListener } from "./request-listener";

describe("a BASE_URL with a path (rule CONFIG-2)", () => {
  let service: TestService;
  let server: http.Server;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    server = http.createServer(requestListener({ ...service, basePath: "/id" }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.close();
    await service.close();
  });

  it.each([
    ["/id/.well-known/openid-configuration", 200],
    ["/id/oauth/v2/keys?cache=no", 200],
    ["/id/healthz", 200],
    ["/healthz", 200], // a proxy took the path off
    ["/id", 200],
    ["/id?x=y", 200],
    ["/id/", 200],
    ["/id/id/healthz", 404],
    ["/identity/healthz", 404],
    ["/id//healthz", 400],
  ])("%s: %i", async (path, status) => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
    expect(response.status).toBe(status);
  });
});
