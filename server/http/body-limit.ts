/**
 * Refuses bodies that are too large (attack: exhausted memory). An announced length binds the sender (RFC 9112 §6.3)
 * and is checked by itself: to open the body as a stream costs more than the rest of a small request. One in chunks is
 * counted as it is read. What is too much is still taken from the connection, because closing that while the client
 * sends would lose the answer (RFC 9112 §9.6).
 */
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Env, Http } from "./env";

/** @param maxSize bytes */
export function limitBody(
  maxSize: number,
  tooLarge: (http: Http) => Response | Promise<Response>,
): MiddlewareHandler<Env> {
  const bounded = bodyLimit({ maxSize, onError: (http) => tooLarge(http as Http) }); // counts as it reads
  return async (http, next) => {
    const length = http.req.header("content-length");
    const isAnnounced = length !== undefined && http.req.header("transfer-encoding") === undefined;
    if (!isAnnounced) return bounded(http, next);
    return Number(length) <= maxSize ? next() : tooLarge(http as Http);
  };
}
