/** A proxy to PostgreSQL that imitates the failures of networks, for tests. */
import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { afterwards } from "./database";

/** Starts a proxy that can be cut, swallow data, and forget existing connections. */
export async function network(target: string) {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let silent = false;
  let swallowed: RegExp | undefined;
  const server = net.createServer((near) => {
    const far = net.connect(Number(url.port), url.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => {
        if (silent || forgotten.has(from)) return;
        if (from === near && swallowed?.test(data.toString("latin1"))) forgotten.add(far);
        to.write(data);
      });
      from.on("error", () => {});
      from.on("close", () => forgotten.has(from) || to.destroy());
    }
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const cut = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  afterwards(() => (server.listening ? cut() : undefined));
  const near = new URL(target);
  near.host = `127.0.0.1:${port}`;
  near.searchParams.delete("host"); // not through the socket
  return {
    url: near.href,
    cut,
    restore: () => listen(port),
    /** Drops the data of open connections without closing them. New connections work. */
    forget: () => {
      for (const socket of sockets) forgotten.add(socket);
    },
    silence: (on: boolean) => {
      silent = on;
    },
    /** Delivers data that matches, and drops the responses on that connection. */
    swallowAnswers: (to: RegExp | undefined) => {
      swallowed = to;
    },
  };
}
