import { createPrivateKey } from "node:crypto";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "../testing/certificate";
import { type GuardedOptions, guardedFetch, guardedText } from "./guarded-fetch";

const ownMachine = { devMode: true, onLoopback: true };
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("requests to an address that someone named (attack: server-side request forgery)", () => {
  let connections = 0;
  let port = 0;
  let behave: http.RequestListener = (_, response) => response.end();
  const server = http.createServer((request, response) => behave(request, response));
  beforeAll(async () => {
    server.on("connection", () => {
      connections++;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const post = (address: string, options: GuardedOptions) =>
    guardedFetch(address, { method: "POST", body: "logout_token=t" }, options);
  const local = (behaviour: http.RequestListener, timeout?: number) => {
    behave = behaviour;
    connections = 0;
    return post(`http://127.0.0.1:${port}/`, { ...ownMachine, timeout });
  };

  it("reach this machine in development mode only", async () => {
    expect(await local((_, response) => response.writeHead(204).end())).toMatchObject({ status: 204, text: "" });
    connections = 0;
    const refused = await post(`http://127.0.0.1:${port}/`, { devMode: false, onLoopback: true });
    expect([refused, connections]).toEqual([{ error: "the address must use https, unless devMode is on" }, 0]);
  });

  it.each([
    ["this machine", ["127.0.0.1"]],
    ["this machine by IPv6", ["::1"]],
    ["a host in the private network", ["10.0.0.5"]],
    ["the cloud metadata service", ["169.254.169.254"]],
    ["this machine, as IPv4-mapped IPv6", ["::ffff:127.0.0.1"]],
    ["a public address and this machine", ["93.184.216.34", "127.0.0.1"]],
    ["nothing", []],
  ])("do not connect to a name that resolves to %s", async (_, addresses) => {
    connections = 0;
    const outcome = await post(`https://rp.test:${port}/`, { ...ownMachine, resolve: resolvesTo(...addresses) });
    expect([outcome, connections]).toEqual([{ error: "the name has no public address" }, 0]);
  });

  it("resolve a name once, so that a later DNS response changes nothing (DNS rebinding)", async () => {
    let asked = 0;
    const resolve = async () => {
      asked++;
      return [{ address: asked === 1 ? "203.0.113.9" : "127.0.0.1", family: 4 }];
    };
    connections = 0;
    expect(await post(`https://rp.test:${port}/`, { ...ownMachine, resolve })).toHaveProperty("error");
    expect([asked, connections]).toEqual([1, 0]);
  });

  it("make a connection each, and keep it for the same origin and resolver if asked to", async () => {
    const resolve = resolvesTo("127.0.0.1");
    behave = (_, response) => response.writeHead(204).end();
    connections = 0;
    const twice = async (name: string, options: Partial<GuardedOptions>) => {
      const before = connections;
      for (let left = 2; left > 0; left--) {
        const outcome = await post(`http://${name}:${port}/`, { ...ownMachine, resolve, ...options });
        expect(outcome).toMatchObject({ status: 204 });
      }
      return connections - before;
    };
    expect(await twice("localhost", {})).toBe(2);
    expect(await twice("localhost", { isKept: true })).toBe(1);
    expect(await twice("127.0.0.1", { isKept: true })).toBe(1);
    expect(await twice("localhost", { isKept: true, resolve: resolvesTo("127.0.0.1") })).toBe(1);
    expect(await twice("localhost", { isKept: true, isPermitted: () => true })).toBe(2);
    expect(await twice("localhost", { isKept: true })).toBe(0);
  });

  it("check a name again when the server has closed the kept connection", async () => {
    let addresses = ["127.0.0.1"];
    const resolve = () => resolvesTo(...addresses)();
    behave = (_, response) => response.writeHead(204, { connection: "close" }).end();
    const ask = () => post(`http://localhost:${port}/`, { ...ownMachine, resolve, isKept: true });
    expect(await ask()).toMatchObject({ status: 204 });
    addresses = [];
    expect(await ask()).toEqual({ error: "the name has no public address" });
  });

  it("follow no redirect", async () => {
    const location = `http://127.0.0.1:${port}/secret`;
    const outcome = await local((_, response) => response.writeHead(302, { location }).end());
    expect([outcome, connections]).toMatchObject([{ status: 302 }, 1]);
  });

  it("do not wait for a response that does not arrive", async () => {
    expect(await local(() => {}, 100)).toEqual({ error: "no answer within 0.1 s" });
  });

  it("do not read an endless response", async () => {
    let cut = false;
    const outcome = await local((_, response) => {
      const more = () => response.write("x".repeat(8_192)) && setImmediate(more);
      response.on("drain", more).on("close", () => {
        cut = true;
      });
      response.writeHead(200);
      more();
    });
    expect(outcome).toMatchObject({ status: 200, cut: "the response is too large" });
    await expect.poll(() => cut).toBe(true);
  });

  it("report a body that ends early", async () => {
    const outcome = await local((_, response) => {
      response.writeHead(200, { "content-length": 10 });
      response.write("short", () => response.destroy());
    });
    expect(outcome).toMatchObject({ status: 200, text: "short", cut: expect.stringContaining("ECONNRESET") });
  });
});

describe("texts at an address that someone named", () => {
  let server: https.Server;
  let port: number;
  beforeAll(async () => {
    const key = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" });
    server = https.createServer({ cert: CERTIFICATE, key }, ({ url }, response) => {
      if (url === "/moved") response.writeHead(302, { location: "/file" }).end();
      else if (url === "/large") response.end("x".repeat(100_000));
      else response.end("the token\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const read = (path: string, options: Partial<GuardedOptions> = {}) =>
    guardedText(`https://localhost:${port}${path}`, "text/plain", {
      ...ownMachine,
      resolve: resolvesTo("127.0.0.1"),
      ca: CERTIFICATE,
      ...options,
    });

  it("are returned as a whole", async () => {
    expect(await read("/file")).toMatchObject({ text: "the token\n" });
  });

  it("are not those of a redirect, nor the beginning of a large one", async () => {
    expect(await read("/moved")).toEqual({ error: "it answered 302", status: 302 });
    expect(await read("/large")).toEqual({ error: "the response is too large" });
  });

  it("require a trusted certificate", async () => {
    expect(await read("/file", { ca: undefined })).toEqual({ error: expect.stringContaining("SELF_SIGNED") });
  });
});
