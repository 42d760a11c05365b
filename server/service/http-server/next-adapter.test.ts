import http from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Env } from "../../http/env";
import { nextAdapter, watchArrivals } from "./next-adapter";

describe("a request that Next takes", () => {
  let server: http.Server;
  let address: string;

  beforeAll(async () => {
    const application = new Hono<Env>().all("*", async (http) => {
      await new Promise((resolve) => setImmediate(resolve));
      const { incoming } = http.env;
      return http.json({ peer: incoming?.socket.remoteAddress, own: incoming?.headers["x-own"], path: http.req.path });
    });
    const arrivals = watchArrivals({ strict: "max-age=1", basePath: "/id" });
    const admission = async () => Promise.reject(new Error("no page here"));
    const adapter = nextAdapter({ application, arrivals, admission });
    server = http.createServer(async (request, response) => {
      arrivals.arrive(request, response);
      await new Promise((resolve) => setImmediate(resolve));
      // Like Next: the handler gets a copy without the client's address.
      const seen = { headers: Object.keys(request.headers), url: request.url, method: request.method };
      const answer = await adapter.fetch(new Request(`http://localhost${request.url}`));
      response.end(JSON.stringify({ ...(await answer.json()), seen }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(address + path, { headers });
    return { strict: response.headers.get("strict-transport-security"), ...(await response.json()) };
  };

  it("keeps its client's address, whatever its headers claim, among many concurrent requests", async () => {
    const asked = Array.from({ length: 50 }, (_, index) =>
      ask("/id/login", { "x-own": `${index}`, "x-forwarded-for": "203.0.113.7" }),
    );
    for (const [index, answer] of (await Promise.all(asked)).entries()) {
      expect(answer).toMatchObject({ peer: "127.0.0.1", own: `${index}`, path: "/login", strict: "max-age=1" });
    }
  });

  it("reaches Next without headers that only the service may set", async () => {
    const { seen } = await ask("/id/console/mail", {
      "x-middleware-subrequest": "proxy",
      "x-console-locale": "de",
      "content-security-policy": "script-src *",
      rsc: "1",
    });
    expect(seen.url).toBe("/console/mail");
    expect(seen.headers).not.toContain("x-middleware-subrequest");
    expect(seen.headers).not.toContain("x-console-locale");
    expect(seen.headers).not.toContain("content-security-policy");
    expect(seen.headers).toContain("rsc"); // a transition to a page
    expect((await ask("/healthz", { rsc: "1" })).seen.headers).not.toContain("rsc");
  });

  it.each(["/_next/image?url=x", "/%63onsole", "/console.rsc", "/console/%zz"])(
    "is hidden from Next and whole for the application: %s",
    async (path) => {
      const { seen, path: known } = await ask(path);
      expect(seen).toMatchObject({ url: "/stand-in", method: "OPTIONS" });
      expect(known).toMatch(/^\/(_next\/image|console)/);
    },
  );
});
