import { describe, expect, it } from "vitest";
import type { Context } from "../context";
import type { Http } from "./env";
import { routesInQueue } from "./page-queues";
import type { Handler } from "./routes";

const ctx = { config: { trustedProxies: [] } } as unknown as Context;
const from = (address: string) =>
  ({
    env: { incoming: { socket: { remoteAddress: address } } },
    req: { raw: new Request("http://localhost/") },
  }) as unknown as Http;

describe("a route table with queued pages", () => {
  it("handles six requests of a network at once for the given methods, and others without a limit", async () => {
    const begun = { GET: 0, POST: 0, PUT: 0 };
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const counting =
      (method: keyof typeof begun): Handler =>
      async () => {
        begun[method]++;
        await ended;
        return new Response(method);
      };
    const table = { GET: counting("GET"), POST: counting("POST"), PUT: counting("PUT") };
    const { "/a": handlers = {} } = routesInQueue({ "/a": table }, ["GET", "POST"]);
    const ask = (method: keyof typeof begun, address: string) => handlers[method]?.(ctx, from(address));
    const answers = Array.from({ length: 5 }, () => [
      ask("GET", "192.0.2.1"),
      ask("POST", "192.0.2.1"),
      ask("PUT", "192.0.2.1"),
    ]).flat();
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    expect(begun).toEqual({ GET: 3, POST: 3, PUT: 5 });
    answers.push(ask("GET", "198.51.100.7"), ask("GET", "2001:db8::1"), ask("GET", "2001:db8::2"));
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    expect(begun).toEqual({ GET: 6, POST: 3, PUT: 5 });
    end();
    const texts = await Promise.all(answers.map(async (answer) => (await answer)?.text()));
    expect(texts.filter((text) => text === "POST")).toHaveLength(5);
  });
});
