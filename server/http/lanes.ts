/**
 * Two lanes, one application. The direct lane hands requests of node:http to the Hono application, which answers
 * everything of the service itself; what belongs to Next (the console and its assets) goes to Next. The route handlers
 * under app/ hand the same requests to the same application, so either lane serves every address.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Env } from "./env";

export type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Addresses that only Next serves. */
function belongsToNext(url: string): boolean {
  return url.startsWith("/_next/") || url === "/console" || url.startsWith("/console/") || url.startsWith("/console?");
}

/**
 * @param next undefined where the service runs without Next, in tests of the application alone
 */
export function requestListener(application: Hono<Env>, next: NextHandler | undefined): RequestListener {
  const direct = getRequestListener((request, bindings) => application.fetch(request, bindings), {
    overrideGlobalObjects: false,
  });
  return (request, response) => {
    if (next && belongsToNext(request.url ?? "/")) void next(request, response);
    else void direct(request, response);
  };
}
