/**
 * What happens to a request on its way in, whichever lane answers it: what it says of itself without a right to is taken
 * from it, and its address is freed of the path of BASE_URL.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { countRequest } from "../../metrics/instruments";
import { hasHost } from "./request-line";

/** The path of BASE_URL, without a slash at its end; empty where there is none. */
export function basePathOf({ baseUrl }: { baseUrl: string }): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

/**
 * If BASE_URL has a path, all published addresses begin with it and it is removed here; a proxy may also remove it
 * before forwarding a request.
 */
export function withoutBase(url: string, basePath: string): string {
  const rest = url.startsWith(basePath) ? url.slice(basePath.length) : undefined;
  if (rest === undefined || !/^(?:[/?]|$)/.test(rest)) return url;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Treats a host that is not valid in a URL as missing. */
export function dropInvalidHost(request: IncomingMessage): void {
  if (hasHost(request)) return;
  request.headers.host = undefined;
  request.headers[":authority"] = undefined;
}

/** Headers by which the gate and Next's own parts tell Next something: from a client they are never believed. */
const INTERNAL =
  /^(?:content-security-policy(?:-report-only)?|x-nonce|x-matched-path|x-(?:console|middleware|invoke|nextjs|now)-.*)$/;

/** Takes from a request that Next will see what only we may say to it. */
export function dropInternalHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (INTERNAL.test(name)) delete headers[name];
}

/** What the application itself answers below `/console`: signing in and out, and the pages' API. */
const CONSOLE_ENDPOINTS = /^\/console\/(?:sign-in|callback|sign-out|api)(?:[/?]|$)/;

/** Pages rendered by Next. */
export function isConsolePage({ method, url = "/" }: Pick<IncomingMessage, "method" | "url">): boolean {
  return (method === "GET" || method === "HEAD") && /^\/console(?:[/?]|$)/.test(url) && !CONSOLE_ENDPOINTS.test(url);
}

/** Counts a request that bypasses the application. */
export function countWhenDone(route: string, { method = "" }: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  response.once("close", () => countRequest(method, route, response.statusCode, performance.now() - startedAt));
}
