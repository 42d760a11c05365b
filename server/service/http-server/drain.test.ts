import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { drainable } from "./drain";
import { createPlainServer } from "./one-port";

const LIMITS = { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 65_000 };
/** Longer than a test may take: code that waits for it fails the test. */
const TIMES = { notice: 0, patience: 60_000 };

describe("shutting down (RFC 9112 §9.6, RFC 9113 §6.8)", () => {
  const agents: http.Agent[] = [];
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
  });

  /** A server that answers when it is released. */
  const start = async (times = TIMES) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = createPlainServer(LIMITS, async (request, response) => {
      if (request.url === "/held") {
        arrived();
        await released;
      }
      response.end("done");
    });
    const drain = drainable(server, times);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { port, drain, release, arrival };
  };
  const keptConnection = () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    return agent;
  };
  const get = async (port: number, path: string, agent: http.Agent) => {
    const request = http.get({ port, host: "127.0.0.1", path, agent });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    let body = "";
    for await (const chunk of response.setEncoding("utf8")) body += chunk;
    return { body, connection: response.headers.connection };
  };

  it("answers requests in progress as the last on their connections, and then ends", async () => {
    const { port, drain, release, arrival } = await start();
    const answer = get(port, "/held", keptConnection());
    await arrival;
    const drained = drain();
    release();
    expect(await answer).toEqual({ body: "done", connection: "close" });
    await drained;
  });

  it("closes idle connections", async () => {
    const { port, drain } = await start();
    const agent = keptConnection();
    expect(await get(port, "/", agent)).toEqual({ body: "done", connection: "keep-alive" });
    await drain();
    await expect(get(port, "/", agent)).rejects.toThrow();
  });

  it("answers clients that have just connected", async () => {
    const { port, drain } = await start();
    const socket = net.connect(port, "127.0.0.1");
    await once(socket, "connect");
    expect(await get(port, "/", keptConnection())).toMatchObject({ body: "done" }); // so that socket is accepted, too
    const drained = drain();
    await expect
      .poll(() =>
        get(port, "/", keptConnection()).then(
          () => "open",
          () => "closed",
        ),
      )
      .toBe("closed");
    socket.end("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i);
    await drained;
  });

  it("continues to serve during the notice", async () => {
    const { port, drain } = await start({ notice: 300, patience: 60_000 });
    const drained = drain();
    const statuses = new Set<string>();
    const from = performance.now();
    while (performance.now() - from < 200) statuses.add((await get(port, "/", keptConnection())).connection ?? "");
    expect([...statuses]).toEqual(["close"]);
    await drained;
  });

  it("ends idle sessions of HTTP/2", async () => {
    const server = http2.createServer((_, response) => response.end("done"));
    const drain = drainable(server as unknown as http2.Http2SecureServer, TIMES);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = session.request({ ":path": "/" });
    stream.resume();
    await once(stream, "close");
    const closed = once(session, "close");
    await drain();
    await closed;
  });

  it("does not wait for clients without a completed handshake", async () => {
    const server = http2.createSecureServer({ allowHTTP1: true });
    const drain = drainable(server, TIMES);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const connection = once(server, "connection");
    const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
    const closed = once(socket, "close");
    await connection;
    await drain();
    await closed;
  });
});
