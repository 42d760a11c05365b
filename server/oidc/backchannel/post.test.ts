import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postForm } from "./post";

const form = new URLSearchParams({ logout_token: "t" });

describe("posting to a URL that an administrator entered (attack: server-side request forgery)", () => {
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

  const local = (behaviour: http.RequestListener, timeout?: number) => {
    behave = behaviour;
    return postForm(`http://127.0.0.1:${port}/`, form, { devMode: true, onLoopback: true, timeout });
  };

  it("reaches this machine in development mode only", async () => {
    expect(await local((_, response) => response.writeHead(204).end())).toEqual({ status: 204 });
    connections = 0;
    const refused = await postForm(`http://127.0.0.1:${port}/`, form, { devMode: false, onLoopback: true });
    expect([refused, connections]).toEqual([{ error: "the address must use https, unless devMode is on" }, 0]);
  });

  it.each([
    ["this machine", ["127.0.0.1"]],
    ["a host in the private network", ["10.0.0.5"]],
    ["the cloud metadata service", ["169.254.169.254"]],
    ["this machine, as IPv4-mapped IPv6", ["::ffff:127.0.0.1"]],
    ["a public address and this machine", ["93.184.216.34", "127.0.0.1"]],
  ])("does not connect to a name that resolves to %s", async (_, addresses) => {
    connections = 0;
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const outcome = await postForm(`https://rp.test:${port}/`, form, { devMode: true, onLoopback: true, resolve });
    expect([outcome, connections]).toEqual([{ error: "the name has no public address" }, 0]);
  });

  it("resolves a name once, so that a later DNS response changes nothing (DNS rebinding)", async () => {
    let asked = 0;
    const resolve = async () => {
      asked++;
      return [{ address: asked === 1 ? "203.0.113.9" : "127.0.0.1", family: 4 }];
    };
    connections = 0;
    expect(
      await postForm(`https://rp.test:${port}/`, form, { devMode: true, onLoopback: true, resolve }),
    ).toHaveProperty("error");
    expect([asked, connections]).toEqual([1, 0]);
  });

  it("reports why there is no response, and nothing more", async () => {
    const resolve = async () => [];
    const outcome = await postForm("https://rp.test/", form, { devMode: false, onLoopback: true, resolve });
    expect(outcome).toEqual({ error: "the name has no public address" });
  });

  it("follows no redirect", async () => {
    connections = 0;
    const location = `http://127.0.0.1:${port}/secret`;
    const outcome = await local((_, response) => response.writeHead(302, { location }).end());
    expect([outcome, connections]).toEqual([{ status: 302 }, 1]);
  });

  it("does not wait for a response that does not arrive", async () => {
    expect(await local(() => {}, 100)).toEqual({ error: "no answer within 0.1 s" });
  });

  it("does not read an endless response", async () => {
    let cut = false;
    const outcome = await local((_, response) => {
      const more = () => response.write("x".repeat(8_192)) && setImmediate(more);
      response.on("drain", more).on("close", () => {
        cut = true;
      });
      response.writeHead(200);
      more();
    });
    expect(outcome).toEqual({ status: 200 });
    await expect.poll(() => cut).toBe(true);
  });
});
