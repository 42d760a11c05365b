import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitBody } from "./body-limit";
import type { Env } from "./env";

describe("the limit of request bodies", () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    const app = new Hono<Env>();
    app.post(
      "/",
      limitBody(10, (http) => http.text("too large", 413)),
      async (http) => http.text(await http.req.text()),
    );
    server = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** Sends raw text; resolves with the whole response. */
  const raw = async (text: string) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (part) => {
      answer += part;
    });
    socket.on("error", () => {}); // the server may close the connection during the write
    socket.write(text);
    await once(socket, "close");
    return answer;
  };
  const post = (headers: string, body: string) =>
    raw(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n\r\n${body}`);
  const status = (answer: string) => answer.slice(9, 12);

  it("accepts a body of exactly that size, with Content-Length or chunked", async () => {
    expect(await post("content-length: 10", "0123456789")).toMatch(/^HTTP\/1.1 200[\s\S]*0123456789$/);
    expect(await post("transfer-encoding: chunked", "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n")).toMatch(
      /200[\s\S]*0123456789$/,
    );
    expect(status(await post("content-length: 0", ""))).toBe("200");
  });

  it("rejects one byte more, with Content-Length or chunked", async () => {
    expect(status(await post("content-length: 11", "0123456789a"))).toBe("413");
    expect(status(await post("transfer-encoding: chunked", "b\r\n0123456789a\r\n0\r\n\r\n"))).toBe("413");
    expect(status(await post("content-length: 99999999999999999999", "x"))).not.toBe("200");
  });

  it("reads the rest of a rejected body, so that the response and the next request arrive", async () => {
    const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
    const next = "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 4\r\n\r\nnext";
    for (const [header, body] of [
      ["transfer-encoding: chunked", `${chunk.repeat(4)}0\r\n\r\n`],
      ["content-length: 4000000", "x".repeat(4_000_000)],
    ]) {
      const answer = await raw(`POST / HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n${body}${next}`);
      expect(answer).toMatch(/^HTTP\/1.1 413[\s\S]*HTTP\/1.1 200[\s\S]*next$/);
    }
  });

  it("reads no more than Content-Length, and rejects two lengths", async () => {
    expect(await post("content-length: 3", "0123456789abcdef")).not.toContain("3456");
    expect(status(await post("content-length: 3\r\ntransfer-encoding: chunked", "b\r\n0123456789a\r\n0\r\n\r\n"))).toBe(
      "400",
    );
    expect(status(await post("content-length: 3\r\ncontent-length: 20", "012"))).toBe("400");
    expect(status(await post("content-length: -1", "012"))).toBe("400");
  });
});
