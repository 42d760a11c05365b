/**
 * No body larger than it may be is read (attack: memory). Where the length is announced, which HTTP holds a sender to
 * (RFC 9112 §6.3), it is judged by that alone: Hono's own limit asks for the body as a stream first, which costs more
 * than all the rest of a small request.
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
