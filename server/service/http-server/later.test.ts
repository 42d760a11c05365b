import http from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import type { Env } from "../../http/env";
import { type RunningNext, startLater } from "./later";
import { requestListener } from "./request-listener";

describe("starting Next after the service listens", () => {
  const log = pino({ level: "silent" });
  let server: http.Server | undefined;
  afterEach(() => server?.close());

  async function ask(next: ReturnType<typeof startLater>): Promise<Promise<Response>> {
    server = http.createServer((request, response) => void next.handler(request, response));
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}/console`);
  }

  it("delays an early request until it runs", async () => {
    let finish: (next: RunningNext) => void = () => {};
    const next = startLater(() => new Promise((resolve) => (finish = resolve)), log);
    next.begin();
    const early = ask(next);
    await new Promise(setImmediate);
    finish({ handler: async (_, response) => void response.end("console"), close: async () => {} });
    expect(await (await early).text()).toBe("console");
  });

  it("responds with 503 if it cannot start, and still closes", async () => {
    const next = startLater(() => Promise.reject(new Error("no build")), log);
    next.begin();
    expect((await ask(next)).status).toBe(503);
    await next.close();
  });

  it("starts with the first request to the console, and not with any other", async () => {
    const expected: string[] = [];
    let asked = "";
    const listener = requestListener({
      application: new Hono<Env>(),
      expectConsole: () => expected.push(asked),
    });
    server = http.createServer(listener);
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    for (asked of ["/oauth/v2/token", "/login", "/consoles", "/console", "/console/sign-in?x=1", "/setup?token=1"])
      await fetch(`http://127.0.0.1:${port}${asked}`);
    expect(expected).toEqual(["/console", "/console/sign-in?x=1", "/setup?token=1"]);
  });

  it("is not started only to be closed", async () => {
    let starts = 0;
    const next = startLater(async () => {
      starts++;
      return { handler: async () => {}, close: async () => {} };
    }, log);
    await next.close();
    expect(starts).toBe(0);
  });
});
