/**
 * Shuts a server down without failing a request. For a time it continues to serve, while `/readyz` reports that it will
 * stop, and asks every connected client not to reuse its connection (RFC 9112 §9.6, RFC 9113 §6.8), so that the next
 * request goes to another process. Then it accepts no new connections and finishes the requests in progress.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { isOverdue } from "./one-port";

/** Milliseconds between searches for connections that have become idle. */
const LOOK_INTERVAL = 100;

export interface DrainTimes {
  /**
   * Milliseconds from the call during which everything is still served, because load balancers check every few seconds.
   */
  notice: number;
  /** Milliseconds after the notice at which unfinished requests are cut off. */
  patience: number;
}

/**
 * Tracks requests in progress. Must be called before the server listens and after its request listener was added.
 * @returns a function that stops the server; it resolves once no request is in progress
 */
export function drainable(server: Server | Http2SecureServer, { notice, patience }: DrainTimes): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  const sessions = new Set<ServerHttp2Session>();
  const handshaking = new Map<string, { socket: Socket; since: number }>();
  // Runs after the request listener: a response that was sent at once needs no tracking.
  const watch = ({ httpVersionMajor }: Pick<IncomingMessage, "httpVersionMajor">, response: ServerResponse): void => {
    if (httpVersionMajor > 1 || response.headersSent) return; // for HTTP/2 the session is closed
    // A pipelined request that waits for its turn never ends if its connection closes.
    if (response.socket === null) return void response.once("socket", () => watch({ httpVersionMajor }, response));
    underWay.add(response);
    response.once("close", () => underWay.delete(response));
  };
  const close = ({ httpVersionMajor }: IncomingMessage, response: ServerResponse) => {
    if (httpVersionMajor === 1) lastOfItsConnection(response);
  };
  server.on("request", watch as never);
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });

  if ("setSecureContext" in server) {
    // server.close() does not close connections whose TLS handshake is not finished.
    server.on("connection", (socket: Socket) => {
      const name = peerOf(socket);
      handshaking.set(name, { socket, since: performance.now() });
      socket.once("close", () => handshaking.delete(name));
    });
    server.on("secureConnection", (socket) => handshaking.delete(peerOf(socket)));
  }

  return () =>
    new Promise((resolve) => {
      server.prependListener("request", close as never);
      for (const response of underWay) lastOfItsConnection(response);
      let look: NodeJS.Timeout | undefined;
      const over = () => {
        clearInterval(look);
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => {
        if ("closeAllConnections" in server) server.closeAllConnections();
        over();
      }, notice + patience);
      const stopAccepting = () => {
        server.close(over); // also closes idle connections
        for (const session of sessions) session.close(); // open streams are finished
        look = setInterval(() => {
          if ("closeIdleConnections" in server) server.closeIdleConnections();
          for (const { socket, since } of handshaking.values()) if (isOverdue(since)) socket.destroy();
        }, LOOK_INTERVAL);
      };
      // After connections were accepted, because the kernel resets those that still wait to be accepted.
      setTimeout(() => setImmediate(stopAccepting), notice);
    });
}

function lastOfItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

/** Returns a key that a connection and the TLS socket on top of it share. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
