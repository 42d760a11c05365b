/**
 * Shutting a server down without failing a request: it accepts no new connections, finishes requests in progress, and
 * tells every connected client not to reuse its connection (RFC 9112 §9.6, RFC 9113 §6.8), so that the next request
 * goes to another process.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/**
 * Milliseconds during which clients are only told: a request already on its way over a seemingly idle connection would
 * otherwise be lost.
 */
const NOTICE = 250;
/** Milliseconds between searches for connections that have become idle. */
const LOOK_INTERVAL = 100;

/**
 * Tracks requests in progress; to be called before the server listens.
 * @param patience milliseconds after which unfinished requests are cut off
 * @returns stops the server; resolves once no request is in progress
 */
export function drainable(server: Server | Http2SecureServer, patience: number): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  const sessions = new Set<ServerHttp2Session>();
  const handshaking = new Map<string, Socket>();
  let draining = false;
  const onRequest = ({ httpVersionMajor }: IncomingMessage, response: ServerResponse) => {
    if (httpVersionMajor > 1) return; // for HTTP/2 the session is told
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
    // server.close() does not close connections whose TLS handshake is not finished.
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
        server.close(over); // also closes idle connections
        for (const socket of handshaking.values()) socket.destroy();
        for (const session of sessions) session.close(); // open streams are finished
        look = setInterval(() => {
          if ("closeIdleConnections" in server) server.closeIdleConnections();
        }, LOOK_INTERVAL);
      }, NOTICE);
    });
}

function lastOfItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

/** The same for a connection and the TLS socket on top of it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
