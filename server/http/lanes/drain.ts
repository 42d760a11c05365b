/**
 * Shutting a server down without failing a request: it takes no new connections, answers what is under way, and tells
 * every client that has a connection not to use it again (RFC 9112 §9.6, RFC 9113 §6.8), so that the next request goes
 * to another process at once.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/**
 * First everybody is only told, milliseconds: what is on its way over a connection that seems idle would otherwise be
 * lost with it.
 */
const NOTICE = 250;
/** How often connections that have become idle are looked for, milliseconds. */
const LOOK_INTERVAL = 100;

/**
 * Follows what is under way from now on: to be called before the server listens.
 * @param patience what is not answered by then is cut off, milliseconds
 * @returns what stops the server; resolves when nothing is under way any more
 */
export function drainable(server: Server | Http2SecureServer, patience: number): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  const sessions = new Set<ServerHttp2Session>();
  const handshaking = new Map<string, Socket>();
  let draining = false;
  const onRequest = ({ httpVersionMajor }: IncomingMessage, response: ServerResponse) => {
    if (httpVersionMajor > 1) return; // the session is told instead
    if (draining) lastOfItsConnection(response);
    underWay.add(response);
    response.once("close", () => underWay.delete(response));
  };
  server.prependListener("request", onRequest as never);
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });

  if ("setSecureContext" in server) {
    // Who has not shaken hands is known to the server, but closed by nobody.
    server.on("connection", (socket: Socket) => {
      const name = peerOf(socket);
      handshaking.set(name, socket);
      socket.once("close", () => handshaking.delete(name));
    });
    server.on("secureConnection", (socket) => handshaking.delete(peerOf(socket)));
  }

  return () =>
    new Promise((resolve) => {
      draining = true;
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
      }, patience);
      setTimeout(() => {
        server.close(over); // closes what is idle, too
        for (const socket of handshaking.values()) socket.destroy();
        for (const session of sessions) session.close(); // open streams are answered
        look = setInterval(() => {
          if ("closeIdleConnections" in server) server.closeIdleConnections();
        }, LOOK_INTERVAL);
      }, NOTICE);
    });
}

function lastOfItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

/** The same for a connection and for the TLS on it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
