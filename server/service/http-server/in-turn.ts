/**
 * Handles pipelined HTTP/1.1 requests (RFC 9112 §9.3.2) one after the other. Node parses a whole segment at once and
 * calls the listener for every request in it, so hundreds of responses would be created before the first one is sent,
 * and stay in memory while the client does not read them (attack: pipelining without reading).
 */
import { AsyncResource } from "node:async_hooks";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/**
 * Maximum number of requests of a connection that wait for an earlier response. A client that sends more is
 * disconnected.
 */
export const MOST_WAITING = 64;
/** From this number on, nothing is read from the connection until some have been answered. */
const ENOUGH_WAITING = 16;

/** The number of waiting requests by connection. It contains only connections that pipeline. */
const waiting = new WeakMap<Socket, number>();

/** Returns a listener that is called for a request once the previous response has left the process. */
export function inTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    // Node gives a response its socket when those before it are finished. HTTP/2 interleaves, so each has one.
    if (response.socket !== null) return listener(request, response);
    const { socket } = request;
    if (socket.destroyed) return; // the rest of a segment whose connection was cut off
    const before = waiting.get(socket) ?? 0;
    if (before >= MOST_WAITING) return void socket.destroy();
    waiting.set(socket, before + 1);
    if (before + 1 >= ENOUGH_WAITING) socket.pause();
    const handle = () => {
      const left = (waiting.get(socket) ?? 1) - 1;
      waiting.set(socket, left);
      if (left < ENOUGH_WAITING) socket.resume();
      listener(request, response);
    };
    response.once("socket", AsyncResource.bind(handle)); // what was learnt of the request on arrival belongs to it
  };
}
