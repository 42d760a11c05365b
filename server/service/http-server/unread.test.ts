import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { limitUnread } from "./unread";

const LIMIT = 200;
/** Time limit for progress, enough for a busy machine. */
const PATIENT = 60_000;
const LONG = Buffer.alloc(16 * 1024 * 1024, "x");
/** Less than Node allows one session of HTTP/2 to keep. */
const LESS = LONG.subarray(0, LONG.length / 4);

describe("a response that the client does not read (attack: slow read)", () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });

  const listener = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { url = "" } = request;
    limitUnread(request, response, url === "/read" ? PATIENT : LIMIT);
    const content = { "/long": LONG, "/read": LONG, "/less": LESS }[url] ?? "done";
    setTimeout(() => response.end(content), url === "/late" ? 3 * LIMIT : 0);
  };
  const start = async (server: http.Server | http2.Http2Server) => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push(server);
    return (server.address() as AddressInfo).port;
  };

  it("ends with its connection", async () => {
    const server = http.createServer(listener);
    const port = await start(server);
    const accepted = once(server, "connection");
    const client = net.connect(port, "127.0.0.1");
    client.on("error", () => {});
    client.pause().write("GET /long HTTP/1.1\r\nhost: localhost\r\n\r\n");
    const [connection] = (await accepted) as [net.Socket];
    await once(connection, "close");
    client.destroy();
  });

  it("ends with its stream in HTTP/2", async () => {
    const server = http2.createServer(listener as never);
    const session = http2.connect(`http://127.0.0.1:${await start(server)}`);
    open.push({ close: () => session.destroy() });
    const arrived = once(server, "stream");
    const stream = session.request({ ":path": "/less" });
    stream.on("error", () => {});
    const [served] = (await arrived) as [http2.ServerHttp2Stream];
    await once(served, "close");
    stream.resume(); // what is under way fills the window of the connection (RFC 9113 §5.2.1)
    expect(await text(session.request({ ":path": "/" }))).toBe("done");
  });

  it("does not count as unread while it is made, or is being read", async () => {
    const port = await start(http.createServer(listener));
    const agent = new http.Agent({ keepAlive: true });
    open.push({ close: () => agent.destroy() });
    for (const [path, length] of [
      ["/late", 4],
      ["/read", LONG.length],
      ["/late", 4],
    ] as const) {
      const [response] = (await once(http.get({ port, path, agent }), "response")) as [http.IncomingMessage];
      expect((await buffer(response)).length).toBe(length);
    }
  });
});
