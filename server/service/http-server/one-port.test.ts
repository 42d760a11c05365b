import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createPlainServer } from "./one-port";

const LIMITS = { requestTimeout: 5_000, headersTimeout: 300, keepAliveTimeout: 60_000 };

describe("HTTP/1.1 and HTTP/2 on one port (RFC 9113 §3.3)", () => {
  const open: http.Server[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  const start = async (listener?: http.RequestListener): Promise<number> => {
    const server = createPlainServer(
      LIMITS,
      listener ??
        (async (request, response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of request) chunks.push(chunk as Buffer);
          response.end(`${request.httpVersion} ${request.method} ${Buffer.concat(chunks)}`);
        }),
    );
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  /**
   * Returns everything that the server sends on a raw connection until it closes it; `parts` are sent one after the
   * other.
   */
  const raw = (port: number, parts: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const socket = net.connect(port, "127.0.0.1");
      let answer = "";
      socket.setNoDelay(true);
      socket.on("data", (chunk) => {
        answer += chunk.toString("latin1");
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve(answer));
      socket.on("connect", async () => {
        for (const part of parts) await new Promise((sent) => socket.write(part, "latin1", () => setImmediate(sent)));
      });
    });
  const overHttp2 = (port: number, body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      session.on("error", reject);
      const stream = session.request({ ":method": "POST", ":path": "/" });
      let answer = "";
      stream.setEncoding("utf8");
      stream.on("data", (chunk) => {
        answer += chunk;
      });
      stream.on("end", () => {
        session.close();
        resolve(answer);
      });
      stream.end(body);
    });

  it("answers both versions, including bodies and kept connections", async () => {
    const port = await start();
    expect(await overHttp2(port, "x".repeat(100_000))).toBe(`2.0 POST ${"x".repeat(100_000)}`);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (const body of ["one", "two", "x".repeat(100_000)]) {
      const answer = await new Promise((resolve) => {
        const request = http.request({ port, method: "POST", agent }, async (response) => {
          let text = "";
          for await (const chunk of response) text += chunk;
          resolve(text);
        });
        request.end(body);
      });
      expect(answer).toBe(`1.1 POST ${body}`);
    }
    agent.destroy();
  });

  it("waits for enough bytes to distinguish them", async () => {
    const port = await start();
    const request = "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi";
    expect(await raw(port, [...request])).toMatch(/1\.1 POST hi/);
    expect(await raw(port, ["P", "RX / HTTP/1.1\r\n\r\n"])).toMatch(/^HTTP\/1\.1 400/);
    // The settings frame of the server comes first (RFC 9113 §3.4).
    const preface = await raw(port, ["PRI * HT", "TP/2.0\r\n\r\nSM\r\n\r\n", "no frame at all, but as long as one"]);
    expect(preface.charCodeAt(3)).toBe(4);
  });

  it("closes connections that send nothing, one byte or half a preface", async () => {
    const port = await start();
    for (const parts of [[], ["P"], ["PRI * HTTP/2.0\r\n"]]) {
      expect(await raw(port, parts)).not.toMatch(/200/);
    }
  });

  it("ends an HTTP/2 connection that the client has ended without waiting for the idle timeout", async () => {
    const port = await start();
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings]));
    await once(socket, "data"); // the server's own settings
    const ended = once(socket.resume(), "end");
    socket.end();
    await ended;
    socket.destroy();
  });

  it("ends every connection when it closes, and lets requests in flight finish", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const port = await start(async (_, response) => {
      arrived();
      await held;
      response.end("done");
    });
    const silent = raw(port, []);
    const answer = overHttp2(port, "");
    await arrival;
    const closed = new Promise<void>((resolve) => open.splice(0)[0]?.close(() => resolve()));
    release();
    expect(await answer).toBe("done");
    expect(await silent).toBe("");
    await closed;
  });
});
