/**
 * Serves HTTP/1.1 and HTTP/2 without TLS on one port. gRPC clients begin with the connection preface of HTTP/2 (RFC
 * 9113 §3.3, prior knowledge), all others with a request line. Silent connections are closed like those of slow senders
 * (attack: slowloris).
 */
import http from "node:http";
import http2 from "node:http2";
import type { Socket } from "node:net";
import { limitHttp2 } from "./http2-limits";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export interface Limits {
  /** Milliseconds. */
  requestTimeout: number;
  headersTimeout: number;
  keepAliveTimeout: number;
}

/** Closes connections of slow senders, which would only occupy them (attack: slowloris). */
export const SERVER_LIMITS = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000, // by default Node checks every 30 s, so that 30 s become 60
} as const satisfies Limits & { connectionsCheckingInterval: number };

/**
 * Milliseconds within which the first bytes of a connection arrive, if ever. A client that has just connected while the
 * server closes may have sent a request, which is answered.
 */
const FIRST_BYTES = 1_000;

/**
 * Returns whether the first bytes are overdue.
 * @param since when the connection was accepted, as performance.now()
 */
export const isOverdue = (since: number): boolean => performance.now() - since > FIRST_BYTES;

/** Creates a server whose `close` and `closeAllConnections` affect connections of both versions. */
export function createPlainServer(limits: Limits, listener: http.RequestListener): http.Server {
  const server = http.createServer(limits, listener);
  const [serveHttp1] = server.listeners("connection") as ((socket: Socket) => void)[];
  const http2Server = http2.createServer({ settings: { maxConcurrentStreams: 100 } });
  http2Server.on("request", listener as unknown as (request: http2.Http2ServerRequest) => void);
  limitHttp2(http2Server, limits);
  const sessions = new Set<http2.ServerHttp2Session>();
  http2Server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  /** Connections whose version is not known yet, with the time at which they were accepted. */
  const undecided = new Map<Socket, number>();
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    undecided.set(socket, performance.now());
    distinguish(socket, limits.headersTimeout, (version) => {
      undecided.delete(socket);
      if (version === 2) {
        socket.allowHalfOpen = false; // like HTTP/2 servers: the connection ends when the client ends it
        http2Server.emit("connection", socket);
      } else if (version === 1) serveHttp1?.call(server, socket);
    });
  });

  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const [socket, since] of undecided) if (isOverdue(since)) socket.destroy();
    closeIdleConnections();
  };
  const close = server.close.bind(server);
  server.close = (done) => {
    for (const session of sessions) session.close(); // open streams are finished
    return close(done);
  };
  const closeAllConnections = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    for (const socket of undecided.keys()) socket.destroy();
    for (const session of sessions) session.destroy();
    closeAllConnections();
  };
  return server;
}

/** Peeks at the first bytes; undefined if the connection ended before sending enough. */
function distinguish(socket: Socket, timeout: number, decided: (version: 1 | 2 | undefined) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const compared = Math.min(seen.length, PREFACE.length);
    const isAlike = seen.subarray(0, compared).equals(PREFACE.subarray(0, compared));
    if (isAlike && seen.length < PREFACE.length) return;
    socket.pause();
    stopLooking();
    socket.unshift(seen);
    decided(isAlike ? 2 : 1);
    process.nextTick(() => socket.resume());
  };
  const give = () => {
    stopLooking();
    socket.destroy();
    decided(undefined);
  };
  const stopLooking = () => {
    socket.setTimeout(0);
    socket.off("data", onData);
    for (const event of ["end", "close", "error", "timeout"]) socket.off(event, give);
  };
  for (const event of ["end", "close", "error", "timeout"]) socket.once(event, give);
  socket.setTimeout(timeout);
  socket.on("data", onData);
}
