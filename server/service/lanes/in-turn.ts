/**
 * Pipelined requests of HTTP/1.1 (RFC 9112 §9.3.2) are handled one after the other. Node parses a whole segment at once and
 * calls the listener for every request in it, so hundreds of answers would be made before the first one leaves, and stay
 * in memory while nobody reads them (attack: pipelining without reading).
 */
import { AsyncResource } from "node:async_hooks";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Requests of a connection that may wait for the answer to an earlier one; a client that sends more is cut off. */
export const MOST_WAITING = 64;
/** From this number on nothing more is read from the connection until some have been answered. */
const ENOUGH_WAITING = 16;

/** Requests that wait, by connection. Only connections that pipeline are in it. */
const waiting = new WeakMap<Socket, number>();

/** The same listener, called for a request when the answer to the one before it has left the process. */
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
