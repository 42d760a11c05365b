import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { inTurn, MOST_WAITING } from "./in-turn";

const LONG = Buffer.alloc(4 * 1024 * 1024, "x");
const of = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

describe("pipelined requests (rule SERVE-5, RFC 9112 §9.3.2)", () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });

  const seen = new AsyncLocalStorage<string>();
  let handled: string[] = [];
  let early = 0;
  const start = async (): Promise<number> => {
    handled = [];
    early = 0;
    let before: http.ServerResponse | undefined;
    const listener = inTurn((request, response) => {
      const { url = "" } = request;
      handled.push(url);
      if (before?.writableFinished === false) early++;
      before = response;
      // Earlier requests take longer, so only queueing keeps the responses in order.
      const late = Number(/\d+/.exec(url)?.[0] ?? 0) % 3;
      const answer = () => response.end(url === "/long" ? LONG : `${url} as ${seen.getStore()};`);
      if (late === 0) setImmediate(answer);
      else answer();
    });
    const server = http.createServer((request, response) =>
      seen.run(request.url ?? "", () => listener(request, response)),
    );
    open.push({
      close() {
        server.close();
        server.closeAllConnections();
      },
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  };
  const connectTo = (port: number): net.Socket => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    open.push({ close: () => socket.destroy() });
    return socket;
  };

  it("are answered in order, each with its state on arrival, up to the limit", async () => {
    const socket = connectTo(await start());
    const paths = Array.from({ length: MOST_WAITING + 1 }, (_, index) => `/${index}`);
    socket.write(paths.map(of).join(""));
    let answers = "";
    for await (const chunk of socket) {
      answers += chunk;
      if (answers.includes(`${paths.at(-1)} as`)) break;
    }
    expect(answers.match(/\/\d+ as \S+(?=;)/g)).toEqual(paths.map((path) => `${path} as ${path}`));
    expect(early).toBe(0);
  });

  it("are read again after a pause, however many a reading client sends", async () => {
    const socket = connectTo(await start());
    const paths = Array.from({ length: 300 }, (_, index) => `/${index}`);
    let answers = "";
    let sent = 0;
    const send = () => {
      socket.write(
        paths
          .slice(sent, sent + 20)
          .map(of)
          .join(""),
      );
      sent += 20;
    };
    send();
    for await (const chunk of socket) {
      answers += chunk;
      const count = answers.match(/ as /g)?.length ?? 0;
      if (count === paths.length) break;
      if (count >= sent - 10 && sent < paths.length) send();
    }
    expect(handled).toEqual(paths);
  });

  it("make one response while it is not read", async () => {
    const socket = connectTo(await start());
    socket.pause().write(of("/long").repeat(MOST_WAITING));
    await expect.poll(() => handled.length).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(handled).toEqual(["/long"]);
    socket.resume();
    await expect.poll(() => handled.length).toBe(MOST_WAITING);
  });

  it("end with their connection beyond the limit", async () => {
    const socket = connectTo(await start());
    socket.pause().write(of("/long").repeat(MOST_WAITING + 2));
    socket.resume();
    await once(socket, "close");
    expect(handled).toEqual(["/long"]);
  });
});
