import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { passwordQueueLength } from "../crypto/password-hash";
import { apiToken } from "../testing/api";
import { exampleBootstrap } from "../testing/example";
import { authorizePath } from "../testing/flow";
import { realHashes } from "../testing/hashes";
import { type TestService, testService } from "../testing/test-context";
import { createPlainServer } from "./http-server/one-port";
import { requestListener } from "./http-server/request-listener";

realHashes(); // a queue of passwords takes hashes that last

const PATH = "/management/v1/text/message/password_change/en";

describe("clients that leave before their request is complete are not logged as errors", () => {
  let service: TestService;
  let server: http.Server;
  let port: number;
  let headers: Record<string, string>;
  let arrived = () => {};
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const limits = { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 };
    const listener = requestListener(service);
    server = createPlainServer(limits, (request, response) => {
      listener(request, response);
      arrived();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
    headers = { authorization: `Bearer ${await apiToken(service)}`, "content-type": "application/json" };
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  });

  /** Sends the beginning of a request and returns a function that disconnects. */
  const begin: Record<string, () => () => void> = {
    "HTTP/1.1": () => {
      const request = http.request({ port, method: "PUT", path: PATH, headers });
      request.on("error", () => {});
      request.write('{"title":');
      return () => request.destroy();
    },
    "HTTP/2": () => {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      session.on("error", () => {});
      const stream = session.request({ ":method": "PUT", ":path": PATH, ...headers });
      stream.on("error", () => {});
      stream.write('{"title":');
      return () => session.destroy();
    },
  };

  it.each(Object.keys(begin))("over %s", async (version) => {
    const told = vi.spyOn(service.ctx.log, "info");
    const failed = vi.spyOn(service.ctx.log, "error");
    const begun = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const leave = begin[version]?.();
    await begun;
    leave?.();
    await expect.poll(() => told.mock.calls.flat()).toContainEqual(expect.objectContaining({ path: PATH }));
    expect(failed).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

describe("requests of clients that leave while their password is queued", () => {
  it("are dropped from the queue once their client has left", async () => {
    const service = await testService("sqlite", exampleBootstrap);
    const limits = { requestTimeout: 20_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 };
    const server = createPlainServer(limits, requestListener(service)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const failed = vi.spyOn(service.ctx.log, "error");
    const first = await service.fetch(authorizePath());
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const attempt = (loginName: string) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const request = http.request({ port, method: "POST", path: "/login/submit", headers });
      request.on("error", () => {});
      request.end(`${new URLSearchParams({ flow, loginName, password: "wrong wrong wrong" })}`);
      return request;
    };
    const attempts = Array.from({ length: 120 }, (_, index) => attempt(`somebody-${index}`));
    await expect.poll(() => passwordQueueLength()).toBeGreaterThan(50);
    for (const request of attempts) request.destroy();
    await expect.poll(() => passwordQueueLength()).toBe(0);
    const counted = await service.ctx.db.prisma.throttle.count();
    expect(counted).toBeLessThan(2 * 60); // two rows each, of those whose password was compared
    expect(failed).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    server.close();
    server.closeAllConnections();
    await service.close();
  });
});
