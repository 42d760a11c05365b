/** A proxy to another loopback port that can be cut off and restored, as if the network or the target were down. */
import { once } from "node:events";
import net from "node:net";

export interface Breakable {
  /** The address `target` with the proxy's port. */
  url: string;
  /** Breaks every connection and rejects new ones. */
  cut(): Promise<void>;
  /** Drops all data without closing connections. */
  stall(): void;
  restore(): Promise<void>;
}

export async function breakableWayTo(target: string): Promise<Breakable> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let stalled = false;
  const follow = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    follow(near);
    follow(far);
    if (stalled) return;
    near.pipe(far).on("close", () => near.destroy());
    far.pipe(near).on("close", () => far.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const own = (server.address() as net.AddressInfo).port;
  const url = new URL(target);
  url.port = String(own);
  return {
    url: url.href,
    stall() {
      stalled = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async cut() {
      const closed = once(server.close(), "close");
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: async () => void (await once(server.listen(own, "127.0.0.1"), "listening")),
  };
}
